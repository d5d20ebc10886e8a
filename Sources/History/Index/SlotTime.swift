import Platform

/// The time of slots: steps are powers of two in seconds, so that slot edges are doubles and steps halve exactly.
enum SlotTime {
  /// From a quarter of a millisecond to more than any file spans.
  static let exponents = -12...40
  /// Limit of times, in seconds from 2001 (some 30,000 years), as in `SeriesStore`; times beyond it are clamped.
  private static let farthest = 1e12

  /// The length of a slot, in seconds.
  static func step(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }

  /// The time within the limits of the index.
  @inline(__always)
  static func clamped(_ time: Timestamp) -> Timestamp { Timestamp(clamped(time.seconds)) }

  @inline(__always)
  private static func clamped(_ seconds: Double) -> Double {
    seconds > -farthest ? (seconds < farthest ? seconds : farthest) : -farthest
  }

  /// The number of the slot that contains a time.
  @inline(__always)
  static func key(of time: Timestamp, exponent: Int) -> Int64 {
    Int64((clamped(time.seconds) * step(-exponent)).rounded(.down))
  }

  /// The numbers of the slots that lie entirely in a window.
  static func wholeKeys(in window: Range<Timestamp>, exponent: Int) -> Range<Int64> {
    let first = Int64((clamped(window.lowerBound.seconds) * step(-exponent)).rounded(.up))
    return first..<max(first, key(of: window.upperBound, exponent: exponent))
  }

  /// Start of a slot.
  static func start(of key: Int64, exponent: Int) -> Timestamp { Timestamp(Double(key) * step(exponent)) }
}
