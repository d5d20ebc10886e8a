/// A stretch of time in which a series deviated from its usual behavior.
///
/// Times are seconds since 2001.
package struct Incident: Sendable, Hashable {
  /// The kind of unusual behavior.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// Numbers larger than before.
    case above
    /// Numbers smaller than before, including zero.
    case below
    /// A steady rise or fall of numbers, such as a leak.
    case drift
    /// One sample, or a few in a row, beyond the tail of the others.
    case outlier
    /// Large numbers more frequent than before, with the median unchanged.
    case tail
    /// A value of a text or bool more frequent than before.
    case outcome
    /// More or fewer samples than before.
    case rate
    /// No sample for longer than before.
    case silent

    /// True if numbers themselves are unusual, rather than their arrival.
    package var isOfValues: Bool {
      switch self {
      case .above, .below, .drift, .outlier, .tail: true
      case .outcome, .rate, .silent: false
      }
    }
  }

  /// The way an incident ended.
  package enum End: Sendable, Hashable {
    /// Ongoing.
    case none
    /// The series returned to its usual values after the last unusual sample, which came at this time.
    case returned(Double)
    /// The new values became the usual ones, after an hour or at a further change, at this time.
    case adopted(Double)

    /// `nil` while the incident is ongoing.
    package var time: Double? {
      switch self {
      case .none: nil
      case .returned(let time), .adopted(let time): time
      }
    }
  }

  /// The value of a field that alone carries a change.
  package struct Carrier: Sendable, Hashable {
    package let field: String
    package let value: String
    /// Number of values compared.
    package let count: Int
  }

  package internal(set) var kind: Kind
  /// Time of the first unusual sample; for a silence, when the next sample was due.
  package internal(set) var start: Double
  /// Margin of error of the start in seconds, in 90 % of cases; 0 if unknown.
  package internal(set) var startMargin = 0.0
  /// Time of detection: of the decisive sample, or when a silence exceeded its limit.
  package internal(set) var found: Double
  package internal(set) var end = End.none
  /// Time of the sample farthest from usual, or the start.
  package internal(set) var peakTime: Double
  /// Value of that sample; for shares, the share since the start, 0 to 1; for a rate, samples per second; for a
  /// silence, its length in seconds.
  package internal(set) var peak: Double
  /// Previous median, share or samples per second, or the usual interval in seconds.
  package let usual: Double
  /// Level since the start, in the unit of `usual`; the peak for an outlier or a silence.
  package internal(set) var median: Double
  /// Margin of error of `median ÷ usual` as a factor: 1.1 means ÷ 1.1 to × 1.1 in 90 % of cases; 1 if unknown.
  package internal(set) var margin = 1.0
  /// Distance from usual in units of the series' own spread, which ranks incidents across series.
  package internal(set) var score: Double
  /// Number of samples in an outlier; 0 for other kinds.
  package internal(set) var count = 0
  /// Change of a drift per minute, in the unit of the values, and its margin of error in 90 % of cases.
  package internal(set) var slope = 0.0
  package internal(set) var slopeMargin = 0.0
  /// Seconds between its occurrences if it recurs at the same distance and is as usual; `nil` for news.
  package internal(set) var period: Double?
  /// The value of a text or bool of the same struct that alone carries the change; `nil` if several do.
  package internal(set) var carrier: Carrier?
  /// The more frequent outcome; empty for other kinds.
  package internal(set) var outcome = ""
  /// The usual outcome; empty for other kinds.
  package internal(set) var usualOutcome = ""

  package init(kind: Kind, start: Double, peak: Double, usual: Double) {
    (self.kind, self.start, found, peakTime) = (kind, start, start, start)
    (self.peak, self.usual, median, score) = (peak, usual, peak, 0)
  }

  /// True while it is ongoing.
  package var lasts: Bool { end == .none }

  /// True if the change is an increase: of values, rate, share or time without samples.
  package var isRise: Bool {
    switch kind {
    case .above, .tail, .outcome, .silent: true
    case .below: false
    case .drift, .outlier, .rate: median >= usual
    }
  }

  /// Ratio of the new to the usual value, inverted for a fall; `nil` where a ratio is meaningless.
  package var factor: Double? {
    switch kind {
    case .above, .below, .drift, .rate, .outlier:
      guard usual > 0, median > 0 else { return nil }
      return isRise ? median / usual : usual / median
    case .silent: return usual > 0 ? peak / usual : nil
    case .outcome, .tail: return nil
    }
  }
}
