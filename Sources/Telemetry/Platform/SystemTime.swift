extension Int64 {
  /// The milliseconds from an earlier number of nanoseconds to this one; 0 if that was later.
  func milliseconds(since start: Int64) -> Double {
    let (length, overflow) = subtractingReportingOverflow(start)
    guard self > start else { return 0 }
    return Double(overflow ? .max : length) / 1e6
  }
}
