/// Detects the incidents of one series, in its values and their arrivals.
package struct SeriesDetector: Sendable, Equatable {
  /// The aspects of a series to watch.
  package struct Subjects: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let values = Subjects(rawValue: 1)
    package static let silences = Subjects(rawValue: 2)
  }

  private let subjects: Subjects
  /// The budget of false lines; may change along with the number of series.
  package var budget: DetectionBudget
  private(set) var arrivals = ArrivalDetector()
  /// At most one of each, stored out of line: a series has either numbers or texts.
  private(set) var levels: [LevelDetector] = []
  private var outcomes: [OutcomeDetector] = []
  private var releases: [ReleaseDetector] = []

  package init(_ subjects: Subjects = [.values, .silences], budget: DetectionBudget = DetectionBudget()) {
    (self.subjects, self.budget) = (subjects, budget)
  }

  /// Records a sample; samples come in the order of their file.
  ///
  /// - Parameters:
  ///   - time: seconds since 2001; ignored if not finite.
  ///   - isAhead: true if `time` is ahead of the clock, so that it does not count for silences.
  ///   - onEnd: called with each incident that ends with the sample.
  @inline(__always)
  package mutating func record(
    _ value: SeriesValue, at time: Double, isAhead: Bool = false, onEnd: (Incident) -> Void
  ) {
    guard time.isFinite else { return }
    if !isAhead { recordPresence(at: time, onEnd: onEnd) }
    guard subjects.contains(.values) else { return }
    switch value {
    case .number(let number):
      if levels.isEmpty { levels.append(LevelDetector()) }
      levels[0].record(number, at: time, budget, onEnd: onEnd)
    case .bool, .text, .null: if let label = value.label { record(label, at: time, onEnd) }
    }
  }

  /// Records the arrival of a sample, whatever its value.
  package mutating func recordPresence(at time: Double, onEnd: (Incident) -> Void) {
    if subjects.contains(.silences) { arrivals.record(at: time, budget, onEnd: onEnd) }
  }

  private mutating func record(_ text: String, at time: Double, _ onEnd: (Incident) -> Void) {
    if outcomes.isEmpty { outcomes.append(OutcomeDetector()) }
    guard releases.first?.newest == text || VersionText.isVersion(text) else {
      return outcomes[0].record(text, at: time, budget, onEnd: onEnd)
    }
    if releases.isEmpty { releases.append(ReleaseDetector()) }
    if let release = releases[0].record(text, at: time) { onEnd(release) }
    outcomes[0].record(ReleaseDetector.anyVersion, at: time, budget, onEnd: onEnd)
  }

  /// Smallest change of level that would be noticed within two minutes, as a factor; `nil` if unknown.
  package var smallestChange: Double? { levels.first?.smallestChange(budget) }

  /// True if the usual values are known.
  var knowsUsual: Bool { levels.contains(where: \.isKnown) || outcomes.contains(where: \.isKnown) }

  /// The oldest ongoing change of the numbers.
  var ongoingChange: Incident? {
    levels.first.flatMap { $0.changes.first?.incident ?? $0.tailShare.lasting.first }
  }

  /// The longest usual pause, in seconds; `nil` if silences are not watched or the pause is unknown.
  package var longestPause: Double? { subjects.contains(.silences) ? arrivals.limit(budget) : nil }

  /// The incidents ongoing at a given time.
  ///
  /// - Parameter time: the newest time of all series, in seconds since 2001.
  package func open(at time: Double) -> [Incident] {
    var found = levels.flatMap(\.lasting) + outcomes.flatMap(\.lasting)
    guard subjects.contains(.silences) else { return found }
    found += arrivals.lastingRate
    if let silence = arrivals.lastingSilence(at: time, budget) { found.append(silence) }
    return found
  }
}
