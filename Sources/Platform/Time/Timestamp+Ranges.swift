extension Range where Bound == Timestamp {
  /// All of time.
  @inlinable
  package static var allTime: Range<Timestamp> { .distantPast ..< .distantFuture }

  /// The range between two times in seconds since 2001-01-01 00:00 UTC.
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
  /// The range between two times in seconds since 2001-01-01 00:00 UTC.
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
