/// Counts of everything that a ``PayloadRecorder`` failed to record, so that no loss goes unnoticed.
public struct PayloadRecorderCounts: Hashable, Sendable {
  /// Figures and diagnostics that were refused.
  ///
  /// There was no room (too many names, bins or sources in a day, or too many waiting diagnostics), a payload cannot
  /// express the clock's day, or a duration was negative.
  public internal(set) var refused = 0
  /// Figures that arrived faster than they could be added.
  public internal(set) var overflowed = 0
  /// Intervals with a misuse, which have no meaningful duration.
  public internal(set) var misused = 0
  /// Unreadable files in the folder; they were renamed to end in `.unreadable`.
  public internal(set) var unreadableFiles = 0
  /// Number of failed disk writes; data in memory is retried.
  public internal(set) var failedWrites = 0
}
