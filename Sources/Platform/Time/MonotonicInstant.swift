/// An instant of a monotonic clock, which is unaffected by changes of the wall clock and has an arbitrary origin.
///
/// The basis of deadlines and measured times: exact to the nanosecond, and clamped on overflow.
@frozen @usableFromInline
package struct MonotonicInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's origin.
  @usableFromInline
  package var nanoseconds: Int64

  /// An instant that many nanoseconds after the clock's origin.
  @inlinable
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// An instant that many seconds after the clock's origin, to the nearest nanosecond.
  @inlinable
  package init(_ seconds: Double) {
    nanoseconds = Self.nanoseconds(of: seconds)
  }

  /// Seconds since the clock's origin.
  @inlinable
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Before every other instant.
  @inlinable
  package static var distantPast: MonotonicInstant { MonotonicInstant(nanoseconds: .min) }

  /// After every other instant.
  @inlinable
  package static var distantFuture: MonotonicInstant { MonotonicInstant(nanoseconds: .max) }

  @inlinable
  package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The seconds from `earlier` to `later`.
  @inlinable
  package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Double {
    let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    guard overflow else { return Double(difference) / 1e9 }
    return (Double(later.nanoseconds) - Double(earlier.nanoseconds)) / 1e9
  }

  @inlinable
  package static func + (moment: MonotonicInstant, seconds: Double) -> MonotonicInstant {
    moment.advanced(byNanoseconds: nanoseconds(of: seconds))
  }

  @inlinable
  package static func += (moment: inout MonotonicInstant, seconds: Double) { moment = moment + seconds }

  @inlinable
  package static func - (moment: MonotonicInstant, seconds: Double) -> MonotonicInstant {
    moment + -seconds
  }

  @inlinable
  package static func + (moment: MonotonicInstant, length: Duration) -> MonotonicInstant {
    moment.advanced(byNanoseconds: length.clampedNanoseconds)
  }

  /// The instant that many nanoseconds later, clamped to the representable range.
  @inlinable
  package func advanced(byNanoseconds length: Int64) -> MonotonicInstant {
    guard nanoseconds != .max, nanoseconds != .min else { return self }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(length)
    guard overflow else { return MonotonicInstant(nanoseconds: sum) }
    return length < 0 ? .distantPast : .distantFuture
  }

  @inlinable
  static func nanoseconds(of seconds: Double) -> Int64 {
    let exact = (seconds * 1e9).rounded()
    if exact >= 0x1p63 { return .max }
    // NaN counts as 0.
    return exact >= -0x1p63 ? Int64(exact) : exact.isNaN ? 0 : .min
  }
}

extension MonotonicInstant: CustomStringConvertible {
  @usableFromInline
  package var description: String { "\(seconds)" }
}

extension Duration {
  /// The nanoseconds, clamped to about 292 years.
  @inlinable
  package var clampedNanoseconds: Int64 {
    let limit = Duration.nanoseconds(Int64.max)
    guard self < limit else { return .max }
    guard self > .zero - limit else { return -.max }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
