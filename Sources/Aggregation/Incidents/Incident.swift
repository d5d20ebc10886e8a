/// A stretch of time in which a series was away from what is usual for it.
///
/// Times are seconds since 2001.
package struct Incident: Sendable, Hashable {
  /// The kind of unusual behavior.
  package enum Kind: Sendable, Hashable {
    /// Numbers that were larger than before.
    case above
    /// Numbers that were smaller.
    case below
    /// Values of a text or bool other than the usual one.
    case outcome
    /// No sample for longer than before.
    case silent
  }

  /// How it ended.
  package enum End: Sendable, Hashable {
    /// It lasts.
    case none
    /// The series returned to its usual values; the time of the last unusual sample.
    case returned(Double)
    /// It did not return within half an hour: the new values are the usual ones. The time of the last of them until then.
    case adopted(Double)

    /// `nil` while it lasts.
    package var time: Double? {
      switch self {
      case .none: nil
      case .returned(let time), .adopted(let time): time
      }
    }
  }

  package let kind: Kind
  /// The time of the first unusual sample; of a silence, when the next sample was due.
  package let start: Double
  package internal(set) var end = End.none
  /// The time of the sample that was farthest from usual; otherwise the start.
  package internal(set) var peakTime: Double
  /// The value of that sample; for outcomes the share of unusual values, 0 to 1; for a silence its seconds.
  package internal(set) var peak: Double
  /// The median before, the share of unusual values before, or the median interval.
  package let usual: Double
  /// The value from which on samples were unusual; the peak if there is no such value.
  package internal(set) var bound: Double
  /// The outcome that came, empty except for outcomes.
  package internal(set) var outcome = ""
  /// The usual outcome, empty except for outcomes.
  package internal(set) var usualOutcome = ""

  package init(kind: Kind, start: Double, peak: Double, usual: Double) {
    (self.kind, self.start, self.peakTime) = (kind, start, start)
    (self.peak, self.usual, bound) = (peak, usual, peak)
  }

  /// How many times the usual value the peak is, or the usual value is the peak; `nil` where a ratio says nothing.
  package var factor: Double? {
    switch kind {
    case .above: usual > 0 ? peak / usual : nil
    case .below: peak > 0 ? usual / peak : nil
    case .silent: usual > 0 ? peak / usual : nil
    case .outcome: nil
    }
  }
}
