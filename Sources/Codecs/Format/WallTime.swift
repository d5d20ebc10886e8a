import Platform

/// Moments by what the clocks of a zone show.
enum WallTime {
  /// When clocks show a time, which is written as if it were universal time.
  ///
  /// A time that the clocks skip is taken as if they had not been put forward yet; of one that they show twice the first
  /// is meant.
  ///
  /// - Parameter offset: How far the clocks are ahead of universal time at a moment, in seconds.
  static func moment(showing shown: Timestamp, offset: (Timestamp) -> Double) -> Timestamp {
    // The two sides of any change of the clocks that may be near.
    let offsets = [offset(shown - 86_400), offset(shown + 86_400)]
    let fitting = offsets.map { shown - $0 }.filter { offset($0) == shown - $0 }
    return fitting.min() ?? shown - offsets[0]
  }
}
