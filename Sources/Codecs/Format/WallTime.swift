package import Platform

/// Converts local times of a zone.
package enum WallTime {
  /// The time at which clocks show a local time, which is passed as if it were UTC.
  ///
  /// A local time skipped by the clocks is interpreted with the offset before the change; one that occurs twice means
  /// the first occurrence.
  ///
  /// - Parameter offset: The offset from UTC at a time, in seconds.
  package static func moment(showing shown: Timestamp, offset: (Timestamp) -> Double) -> Timestamp {
    // The offsets before and after any clock change nearby.
    let offsets = [offset(shown - 86_400), offset(shown + 86_400)]
    let fitting = offsets.map { shown - $0 }.filter { offset($0) == shown - $0 }
    return fitting.min() ?? shown - offsets[0]
  }
}
