import Codecs
package import Essentials

/// A world whose scenarios can be read, written and compared.
package protocol ScenarioWorld: SimulationWorld {
  /// The names of acts in scenarios.
  associatedtype Verb: RawRepresentable<String> & CaseIterable
  /// Formats the record.
  associatedtype Formatter: RecordFormatter

  /// The names of the engine in files, in sentences and in tests.
  static var engine: ScenarioEngine { get }

  /// Reads the parts of a scenario other than its head and acts.
  static func setup(_ reader: inout ScenarioReader) throws(ScenarioError) -> Setup
  /// The same parts as lines of a file.
  static func lines(of setup: Setup) -> [String]
  /// Reads the members of an act.
  static func act(
    _ verb: Verb, _ reader: inout ScenarioReader, in setup: Setup
  ) throws(ScenarioError) -> Act
  /// The members of an act in scenario syntax.
  static func members(of act: Act) -> (verb: Verb, others: [String])
  /// The overall outcome as the last line; `nil` if the other lines already show it.
  var outcome: String? { get }
}

/// The names of an engine whose scenarios can be played.
package struct ScenarioEngine: Sendable {
  /// The name in files and in the record.
  package let name: String
  /// The display name.
  package let title: String
  /// True if files name the engine of their scenarios.
  package let isWritten: Bool
  /// The first line of a file, a comment for people.
  package let comment: String
  /// True if acts may have captions.
  package let hasCaptions: Bool
  /// The module that plays its scenarios.
  package let module: String
  /// The type of its scenarios.
  package let scenario: String
  /// The noun for one line of the output.
  package let line: String
  /// The plural of that noun.
  package let lines: String

  package init(
    name: String, title: String, isWritten: Bool, comment: String, hasCaptions: Bool, module: String,
    scenario: String,
    line: String, lines: String
  ) {
    (self.name, self.title, self.isWritten) = (name, title, isWritten)
    (self.comment, self.hasCaptions) = (comment, hasCaptions)
    (self.module, self.scenario, self.line, self.lines) = (module, scenario, line, lines)
  }
}

// MARK: - Files

extension DrivenScenario where World: ScenarioWorld {
  /// Reads a scenario from JSON5.
  ///
  /// - Throws: The location and description of an error in the text.
  package init(reading data: Data) throws(ScenarioError) {
    let document = try ScenarioReader.document(data)
    do throws(ScenarioError) {
      var reader = try ScenarioReader(document.value, at: "")
      try self.init(&reader)
      try reader.finish()
    } catch {
      throw error.located(in: document)
    }
  }

  private init(_ reader: inout ScenarioReader) throws(ScenarioError) {
    let head = try reader.head(of: World.engine.name)
    self.init(
      name: head.name, title: head.title, story: head.story, seed: head.seed, start: head.start,
      duration: head.duration)
    setup = try World.setup(&reader)
    for (index, value) in try reader.list("acts").enumerated() {
      let act = try Self.act(value, at: "acts[\(index)]", in: setup)
      try ScenarioReader.check(act.at, isBeforeEnd: duration, at: "acts[\(index)]")
      acts.append(act)
    }
    acts = acts.inOrder()
    expectedFrom = try reader.seconds("expectedFrom", in: ScenarioReader.moments) ?? .zero
    expected = try reader.lines("expected")
  }

  private static func act(
    _ value: JSONValue, at place: String, in setup: World.Setup
  ) throws(ScenarioError) -> DrivenTimedAct<World.Act> {
    var reader = try ScenarioReader(value, at: place)
    let (moment, verb) = try reader.act(World.Verb.self)
    let act = try World.act(verb, &reader, in: setup)
    let caption = World.engine.hasCaptions ? try reader.optionalText("caption") : nil
    let longest = DrivenTimedAct<World.Act>.longestCaption
    if let caption, caption.count > longest {
      throw reader.fault("caption", "has \(caption.count) characters; at most \(longest) fit the screen")
    }
    let timed = DrivenTimedAct(at: moment, act, isByHand: try reader.bool("byHand", else: false))
    try reader.finish()
    return timed.captioned(caption)
  }

  /// The scenario as readable JSON5; ``init(reading:)`` reads it back to the same value.
  ///
  /// Only what files cannot express is lost: fractions of milliseconds, and a missing duration, which the reader
  /// requires.
  package var text: String {
    let head = ScenarioHead(
      name: name, title: title, story: story, seed: seed, start: start, duration: duration)
    var lines = head.lines(World.engine.comment, engine: World.engine.isWritten ? World.engine.name : nil)
    lines += World.lines(of: setup)
    lines += ScenarioText.list("acts", acts.map(Self.text))
    if expectedFrom != .zero { lines.append("  expectedFrom: \(ScenarioText.seconds(expectedFrom)),") }
    lines += ScenarioText.list("expected", expected.map(JSON5Text.quoted))
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  private static func text(_ timed: DrivenTimedAct<World.Act>) -> String {
    let (verb, others) = World.members(of: timed.act)
    var all = ["at: \(ScenarioText.seconds(timed.at))", "do: \(JSON5Text.quoted(verb.rawValue))"] + others
    if let caption = timed.caption { all.append("caption: \(JSON5Text.quoted(caption))") }
    if timed.isByHand { all.append("byHand: true") }
    return "{ \(all.joined(separator: ", ")) }"
  }
}
