extension Range where Bound == Timestamp {
  /// Every moment.
  @inlinable
  package static var allTime: Range<Timestamp> { .distantPast ..< .distantFuture }

  /// The moments between two numbers of seconds since 2001-01-01 00:00 UTC.
  @inlinable
  package init(seconds: Range<Double>) {
    self.init(uncheckedBounds: (Timestamp(seconds.lowerBound), Timestamp(seconds.upperBound)))
  }

  /// The bounds in seconds since 2001-01-01 00:00 UTC.
  @inlinable
  package var seconds: Range<Double> {
    Range<Double>(uncheckedBounds: (lowerBound.seconds, upperBound.seconds))
  }
}

extension ClosedRange where Bound == Timestamp {
  /// The moments between two numbers of seconds since 2001-01-01 00:00 UTC.
  @inlinable
  package init(seconds: ClosedRange<Double>) {
    self.init(uncheckedBounds: (Timestamp(seconds.lowerBound), Timestamp(seconds.upperBound)))
  }

  /// The bounds in seconds since 2001-01-01 00:00 UTC.
  @inlinable
  package var seconds: ClosedRange<Double> {
    ClosedRange<Double>(uncheckedBounds: (lowerBound.seconds, upperBound.seconds))
  }
}
