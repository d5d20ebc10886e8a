import Platform

/// The time of slots: steps of two to a power of seconds, so that their edges are doubles and halve exactly.
enum SlotTime {
  /// A quarter of a millisecond, and longer than any file is.
  static let exponents = -12...40
  /// Times beyond this, in seconds from 2001 (some 30,000 years), are taken as this, as in `SeriesStore`.
  private static let farthest = 1e12

  /// The length of a slot, in seconds.
  static func step(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }

  /// The time as the index takes it.
  @inline(__always)
  static func clamped(_ time: Timestamp) -> Timestamp { Timestamp(clamped(time.seconds)) }

  @inline(__always)
  private static func clamped(_ seconds: Double) -> Double {
    seconds > -farthest ? (seconds < farthest ? seconds : farthest) : -farthest
  }

  /// The number of the slot that a time lies in.
  @inline(__always)
  static func key(of time: Timestamp, exponent: Int) -> Int64 {
    Int64((clamped(time.seconds) * step(-exponent)).rounded(.down))
  }

  /// The numbers of the slots that lie in a window whole.
  static func wholeKeys(in window: Range<Timestamp>, exponent: Int) -> Range<Int64> {
    let first = Int64((clamped(window.lowerBound.seconds) * step(-exponent)).rounded(.up))
    return first..<max(first, key(of: window.upperBound, exponent: exponent))
  }

  /// When a slot begins.
  static func start(of key: Int64, exponent: Int) -> Timestamp { Timestamp(Double(key) * step(exponent)) }
}
