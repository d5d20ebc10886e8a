import Platform

extension MonotonicInstant {
  /// The milliseconds since an earlier moment; 0 if that moment is later.
  func milliseconds(since start: MonotonicInstant) -> Double {
    let (length, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    guard self > start else { return 0 }
    return (overflow ? .max : length).milliseconds
  }
}

extension Int64 {
  /// Nanoseconds converted to milliseconds; 0 if negative.
  var milliseconds: Double { Double(Swift.max(0, self)) / 1e6 }
}
