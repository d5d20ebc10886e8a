/// Finds the incidents of one series: in its values and in their absence.
package struct SeriesDetector: Sendable, Equatable {
  /// The subjects to look for.
  package struct Subjects: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let values = Subjects(rawValue: 1)
    package static let silences = Subjects(rawValue: 2)
  }

  private let subjects: Subjects
  private var silence = SilenceDetector()
  private var level: LevelDetector?
  private var outcome: OutcomeDetector?

  package init(_ subjects: Subjects = [.values, .silences]) {
    self.subjects = subjects
  }

  /// Records a sample; samples must arrive in the order of their file.
  ///
  /// - Parameters:
  ///   - time: seconds since 2001; ignored if not finite.
  ///   - isAhead: true if the time is ahead of the clock, so that it does not count as a pause.
  ///   - onEnd: called with each incident that ends with this sample.
  @inline(__always)
  package mutating func record(
    _ value: SeriesValue, at time: Double, isAhead: Bool = false, onEnd: (Incident) -> Void
  ) {
    guard time.isFinite else { return }
    if !isAhead { recordPresence(at: time, onEnd: onEnd) }
    guard subjects.contains(.values) else { return }
    switch value {
    case .number(let number):
      if level == nil { level = LevelDetector() }
      level?.record(number, at: time, onEnd: onEnd)
    case .bool(let claim): record(claim ? "true" : "false", at: time, onEnd)
    case .text(let text): record(text, at: time, onEnd)
    case .null: break
    }
  }

  /// Records the presence of a sample of any value.
  package mutating func recordPresence(at time: Double, onEnd: (Incident) -> Void) {
    if subjects.contains(.silences) { silence.record(at: time, onEnd: onEnd) }
  }

  private mutating func record(_ text: String, at time: Double, _ onEnd: (Incident) -> Void) {
    if outcome == nil { outcome = OutcomeDetector() }
    outcome?.record(text, at: time, onEnd: onEnd)
  }

  /// The longest usual pause in seconds; `nil` if silences are not looked for or the pause is unknown.
  var longestPause: Double? { subjects.contains(.silences) ? silence.limit : nil }

  /// The incidents that end with the newest sample, provided a later one could not change them, and the ongoing ones.
  ///
  /// - Parameter time: the latest time of all series, in seconds since 2001.
  package func open(at time: Double) -> [Incident] {
    var found: [Incident] = []
    var level = level
    level?.finishSecond { found.append($0) }
    found += level?.lasting ?? []
    found += outcome?.lasting ?? []
    if subjects.contains(.silences), let silence = silence.lasting(at: time) { found.append(silence) }
    return found
  }
}
