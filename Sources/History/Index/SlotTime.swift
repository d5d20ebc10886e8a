import Platform

/// The time of slots: steps are powers of two in seconds, so that slot edges are doubles and steps halve exactly.
enum SlotTime {
  /// From a quarter of a millisecond to more than any file spans.
  static let exponents = -12...40

  /// The length of a slot, in seconds.
  static func step(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }

  /// The number of the slot that contains a time.
  @inline(__always)
  static func key(of time: Timestamp, exponent: Int) -> Int64 {
    Int64((time.clamped.seconds * step(-exponent)).rounded(.down))
  }

  /// The numbers of the slots that lie entirely in a window.
  static func wholeKeys(in window: Range<Timestamp>, exponent: Int) -> Range<Int64> {
    let first = Int64((window.lowerBound.clamped.seconds * step(-exponent)).rounded(.up))
    return first..<max(first, key(of: window.upperBound, exponent: exponent))
  }

  /// Start of a slot.
  static func start(of key: Int64, exponent: Int) -> Timestamp { Timestamp(Double(key) * step(exponent)) }
}
