import Platform

/// Times as the tables have them: whole nanoseconds since 1970, and slots that are counted from 2001.
enum SampleTimes {
  static let second: Int64 = 1_000_000_000
  /// Nanoseconds of all times that samples can have.
  static let all: Range<Int64> = 0..<4_294_967_296 * second

  /// The first possible time of a sample that is not earlier.
  static func nanoseconds(notBefore time: Timestamp) -> Int64 {
    if let nanoseconds = SampleRow.nanoseconds(time) { return nanoseconds }
    return time < Timestamp(unixSeconds: 0) ? all.lowerBound : all.upperBound
  }

  static func range(_ window: Range<Timestamp>) -> Range<Int64> {
    let first = nanoseconds(notBefore: window.lowerBound)
    return first..<max(first, nanoseconds(notBefore: window.upperBound))
  }

  /// The very double from which ``SampleRow/nanoseconds(_:)`` was made.
  static func time(_ nanoseconds: Int64) -> Timestamp {
    let (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: second)
    let rest = fraction % 1000 == 0 ? Double(fraction / 1000) / 1e6 : Double(fraction) / 1e9
    return Timestamp(Double(seconds - SampleRow.epoch) + rest)
  }

  /// The start of a slot; those that no sample can lie in have the nearest time.
  static func start(ofSlot slot: Int64, seconds: Int64) -> Int64 {
    let (start, overflows) = slot.multipliedReportingOverflow(by: seconds)
    let (unix, leaves) = start.addingReportingOverflow(SampleRow.epoch)
    guard !overflows, !leaves else { return slot < 0 ? all.lowerBound : all.upperBound }
    return min(max(unix, 0), all.upperBound / second) * second
  }

  /// The slots that lie entirely in a range.
  static func wholeSlots(in range: Range<Int64>, seconds: Int64) -> Range<Int64> {
    let length = seconds * second
    let (first, end) = (
      range.lowerBound - SampleRow.epoch * second, range.upperBound - SampleRow.epoch * second
    )
    let start = floor(first &+ length - 1, length)
    return start..<max(start, floor(end, length))
  }

  /// The quotient, rounded down.
  static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}

extension SampleTimes {
  /// The slots that touch a range.
  static func slots(touching range: Range<Int64>, seconds: Int64) -> Range<Int64> {
    let length = seconds * second
    let first = floor(range.lowerBound - SampleRow.epoch * second, length)
    return first..<max(first, floor(range.upperBound - 1 - SampleRow.epoch * second, length) + 1)
  }
}
