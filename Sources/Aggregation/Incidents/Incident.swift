/// A period in which a series differed from its usual behavior.
///
/// Times are seconds since 2001.
package struct Incident: Sendable, Hashable {
  /// The kind of unusual behavior.
  package enum Kind: Sendable, Hashable {
    /// Numbers larger than before.
    case above
    /// Numbers smaller than before.
    case below
    /// Values of a text or bool other than the usual one.
    case outcome
    /// No sample for longer than before.
    case silent
  }

  /// The way an incident ended.
  package enum End: Sendable, Hashable {
    /// Still ongoing.
    case none
    /// The series returned to its usual values; carries the time of the last unusual sample.
    case returned(Double)
    /// The series did not return within half an hour, so the new values became the usual ones; carries the time of the
    /// last of them by then.
    case adopted(Double)

    /// The time of the end; `nil` while the incident is ongoing.
    package var time: Double? {
      switch self {
      case .none: nil
      case .returned(let time), .adopted(let time): time
      }
    }
  }

  package let kind: Kind
  /// Time of the first unusual sample; for a silence, the time the next sample was due.
  package let start: Double
  package internal(set) var end = End.none
  /// Time of the sample farthest from usual; otherwise the start.
  package internal(set) var peakTime: Double
  /// Value of that sample; for outcomes, the share of unusual values, 0 to 1; for a silence, its length in seconds.
  package internal(set) var peak: Double
  /// The earlier median, the earlier share of unusual values, or the median interval.
  package let usual: Double
  /// Value from which samples were unusual; the peak if there is no such value.
  package internal(set) var bound: Double
  /// The unusual outcome; empty except for outcomes.
  package internal(set) var outcome = ""
  /// The usual outcome; empty except for outcomes.
  package internal(set) var usualOutcome = ""

  package init(kind: Kind, start: Double, peak: Double, usual: Double) {
    (self.kind, self.start, self.peakTime) = (kind, start, start)
    (self.peak, self.usual, bound) = (peak, usual, peak)
  }

  /// Ratio of peak to usual value, or of usual value to peak for `below`; `nil` if a ratio is not meaningful.
  package var factor: Double? {
    switch kind {
    case .above: usual > 0 ? peak / usual : nil
    case .below: peak > 0 ? usual / peak : nil
    case .silent: usual > 0 ? peak / usual : nil
    case .outcome: nil
    }
  }
}
