/// Counts of everything a ``PayloadRecorder`` could not take, so that nothing is lost in silence.
public struct PayloadRecorderCounts: Hashable, Sendable {
  /// Figures and diagnostics that were not taken.
  ///
  /// There was no room (too many names, bins or sources in a day, too many diagnostics that wait), the clock showed no day a
  /// payload can name, or a duration was below zero.
  public internal(set) var refused = 0
  /// Figures that came faster than they could be added.
  public internal(set) var overflowed = 0
  /// Intervals that broke the rules of begin and end, so that they have no duration to speak of.
  public internal(set) var misused = 0
  /// Files of the folder that could not be read; they were given names that end in `.unreadable`.
  public internal(set) var unreadableFiles = 0
  /// How often the disk did not take something; what is in memory is offered again.
  public internal(set) var failedWrites = 0
}
