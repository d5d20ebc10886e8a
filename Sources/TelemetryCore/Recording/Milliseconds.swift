import Platform

extension MonotonicInstant {
  /// The milliseconds from an earlier moment to this one; 0 if that was later.
  func milliseconds(since start: MonotonicInstant) -> Double {
    let (length, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    guard self > start else { return 0 }
    return (overflow ? .max : length).milliseconds
  }
}

extension Int64 {
  /// A number of nanoseconds in milliseconds; 0 if it is negative.
  var milliseconds: Double { Double(Swift.max(0, self)) / 1e6 }
}
