/// A wall clock time: seconds since 2001-01-01 00:00 UTC, as in Foundation and metric files.
///
/// A typed number that costs no more than a `Double`. The difference of two is a number of seconds.
///
/// Without `@usableFromInline`, the compiler inlines nothing of a type with package access into other modules (6.3).
@frozen @usableFromInline
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 2001-01-01 00:00 UTC.
  @usableFromInline
  package var seconds: Double

  /// A time that many seconds after 2001-01-01 00:00 UTC.
  @inlinable
  package init(_ seconds: Double) {
    self.seconds = seconds
  }

  @inlinable
  package static func == (left: Timestamp, right: Timestamp) -> Bool { left.seconds == right.seconds }

  @inlinable
  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  @inlinable
  package static func > (left: Timestamp, right: Timestamp) -> Bool { left.seconds > right.seconds }

  @inlinable
  package static func <= (left: Timestamp, right: Timestamp) -> Bool { left.seconds <= right.seconds }

  @inlinable
  package static func >= (left: Timestamp, right: Timestamp) -> Bool { left.seconds >= right.seconds }

  /// The seconds from `earlier` to `later`.
  @inlinable
  package static func - (later: Timestamp, earlier: Timestamp) -> Double { later.seconds - earlier.seconds }

  @inlinable
  package static func + (moment: Timestamp, seconds: Double) -> Timestamp {
    Timestamp(moment.seconds + seconds)
  }

  @inlinable
  package static func - (moment: Timestamp, seconds: Double) -> Timestamp {
    Timestamp(moment.seconds - seconds)
  }

  @inlinable
  package static func += (moment: inout Timestamp, seconds: Double) { moment.seconds += seconds }

  @inlinable
  package static func -= (moment: inout Timestamp, seconds: Double) { moment.seconds -= seconds }

  /// Limit of the times that are kept, in seconds from 2001 (some 30,000 years), as in `SeriesStore`.
  @usableFromInline
  static let farthest = 1e12

  /// The time within ``farthest``; the earliest one instead of NaN.
  @inlinable
  package var clamped: Timestamp {
    Timestamp(seconds > -Self.farthest ? (seconds < Self.farthest ? seconds : Self.farthest) : -Self.farthest)
  }

  /// The next representable time: the end of a half-open range whose last element is this one.
  @inlinable
  package var nextUp: Timestamp { Timestamp(seconds.nextUp) }

  /// The previous representable time.
  @inlinable
  package var nextDown: Timestamp { Timestamp(seconds.nextDown) }

  /// Before every other time.
  @inlinable
  package static var distantPast: Timestamp { Timestamp(-.infinity) }

  /// After every other time.
  @inlinable
  package static var distantFuture: Timestamp { Timestamp(.infinity) }
}

extension Timestamp: CustomStringConvertible {
  @usableFromInline
  package var description: String { "\(seconds)" }
}
