/// A stretch of time in which a series was away from what is usual for it.
///
/// Times are seconds since 2001.
package struct Incident: Sendable, Hashable {
  /// The kind of unusual behavior.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// Numbers that were larger than before.
    case above
    /// Numbers that were smaller; zero among them.
    case below
    /// Numbers that rise or fall steadily: a leak.
    case drift
    /// One sample, or a few in a row, that the tail of the others does not explain.
    case outlier
    /// Large numbers that came more often than before, while the middle stayed.
    case tail
    /// Values of a text or bool that came more often than before.
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

  /// How it ended.
  package enum End: Sendable, Hashable {
    /// It lasts.
    case none
    /// The series returned to its usual values; the time of the last unusual sample.
    case returned(Double)
    /// It did not return within an hour: the new values are the usual ones. The time of the last of them
    /// until then.
    case adopted(Double)

    /// `nil` while it lasts.
    package var time: Double? {
      switch self {
      case .none: nil
      case .returned(let time), .adopted(let time): time
      }
    }
  }

  package internal(set) var kind: Kind
  /// The time of the first unusual sample; of a silence, when the next sample was due.
  package internal(set) var start: Double
  /// When it was known: the time of the sample, or of the pause, that made it certain.
  package internal(set) var found: Double
  package internal(set) var end = End.none
  /// The time of the sample that was farthest from usual; otherwise the start.
  package internal(set) var peakTime: Double
  /// The value of that sample; for shares the share since the start, 0 to 1; for a rate the samples a second;
  /// for a silence its seconds.
  package internal(set) var peak: Double
  /// The median before, the share before, the samples a second before, or the usual interval.
  package let usual: Double
  /// The median since the start, in the same unit as `usual`; the peak where one sample is all there is.
  package internal(set) var median: Double
  /// The ± of `median ÷ usual` as a factor: 1.1 stands for ÷ 1.1 … × 1.1 in 90 % of cases; 1 if unknown.
  package internal(set) var margin = 1.0
  /// The value from which on samples were unusual; the peak if there is no such value.
  package internal(set) var bound: Double
  /// Distance from usual in the series' own spread: what incidents of all series are ranked by.
  package internal(set) var score: Double
  /// Samples that an outlier consists of; 0 for others.
  package internal(set) var count = 0
  /// A drift's change a minute, in the unit of the values, and its ± in 90 % of cases.
  package internal(set) var slope = 0.0
  package internal(set) var slopeMargin = 0.0
  /// The outcome that came, empty except for outcomes.
  package internal(set) var outcome = ""
  /// The usual outcome, empty except for outcomes.
  package internal(set) var usualOutcome = ""

  package init(kind: Kind, start: Double, peak: Double, usual: Double) {
    (self.kind, self.start, found, peakTime) = (kind, start, start, start)
    (self.peak, self.usual, bound, median, score) = (peak, usual, peak, peak, 0)
  }

  /// True if the change is towards more: of the values, of their rate, of a share, of the time without any.
  package var isRise: Bool {
    switch kind {
    case .above, .tail, .outcome, .silent: true
    case .below: false
    case .drift, .outlier, .rate: median >= usual
    }
  }

  /// How many times the usual value it is, or the usual value is of it; `nil` where a ratio says nothing.
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
