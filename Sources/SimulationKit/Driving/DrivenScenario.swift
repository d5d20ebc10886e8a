import Codecs
package import Essentials

/// Something that can happen in a simulation, by the script or by hand.
package protocol DrivenAct: Hashable, Sendable {
  associatedtype Setting: DrivenFaultSetting

  /// A fault is set, on or off.
  static func fault(_ setting: Setting) -> Self
  /// The device sleeps for that long.
  static func leap(_ duration: Duration) -> Self
}

/// An act at a moment of a scenario.
package protocol DrivenTimedAct: Hashable, Sendable {
  associatedtype Act: DrivenAct

  /// When, since the start, in whole milliseconds.
  var at: Duration { get }
  /// The act.
  var act: Act { get }
  /// True if a person did it.
  var isByHand: Bool { get }

  /// An act at a moment; moment and amounts are moved to what a scenario's file can say.
  init(at moment: Duration, _ act: Act, isByHand: Bool)
}

extension DrivenTimedAct {
  /// The act as an element of a scenario's list.
  ///
  /// - Parameter members: The members of the act itself, in the words of the reader.
  package func json5(_ members: [String]) -> String {
    let all = ["at: \(ScenarioText.seconds(at))"] + members + (isByHand ? ["byHand: true"] : [])
    return "{ \(all.joined(separator: ", ")) }"
  }
}

extension Array where Element: DrivenTimedAct {
  /// Sorted by time, and those of one moment as they stand.
  package var inOrder: [Element] {
    enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}

/// A story for a simulator, as far as driving and repeating it goes.
package protocol DrivenScenario: Hashable, Sendable {
  associatedtype Timed: DrivenTimedAct

  /// The name on the command line and in the record.
  var name: String { get set }
  /// The name for people.
  var title: String { get set }
  /// The story, and the lesson in it.
  var story: String { get }
  /// The seed of all chance.
  var seed: UInt64 { get set }
  /// The moment of the calendar at which it begins.
  var start: Date { get set }
  /// How long it goes; `nil` for ever.
  var duration: Duration? { get set }
  /// The acts, in order of time.
  var acts: [Timed] { get set }
  /// Expected results, one a line.
  var expected: [String] { get set }
  /// From when on that is expected; what was before is not in the list.
  var expectedFrom: Duration { get set }

  /// The scenario as JSON5, as people would write it; ``init(json5:)`` reads it back to the same value.
  var json5: String { get }

  /// Reads a scenario from JSON5.
  ///
  /// - Throws: The place in the text, and the problem.
  init(json5 data: Data) throws(ScenarioError)

  /// Plays the scenario to its end, one without an end to its last act, and returns what followed, one a line.
  func course() throws -> [String]
}

extension DrivenScenario {
  /// Compares what followed with what is ``expected``.
  ///
  /// - Parameter noun: What one line is.
  /// - Returns: The first differences in words; nothing when there are none.
  package func differences(of lines: [String], each noun: String) -> [String] {
    var differences: [String] = []
    for row in 0..<max(lines.count, expected.count) {
      let wanted = row < expected.count ? expected[row] : "nothing more"
      let came = row < lines.count ? lines[row] : "nothing more"
      if wanted == came { continue }
      differences.append("\(noun) \(row + 1) of \(name)\n- \(wanted)\n+ \(came)")
      // Further differences follow from the first ones.
      if differences.count == 5 { break }
    }
    return differences
  }
}
