public import Essentials

/// The time stamp for new entries.
///
/// Fire-and-forget records are delivered later than they are made. While the queue delivers one to a store that creates
/// its own entries, the time of the call is passed along here, so that even stores that only know
/// `MetricEntry(metric:value:)` record the time of the call and not of the delivery.
@usableFromInline
enum CallTime {
  @TaskLocal static var recorded: Date?

  /// The time of the call being delivered, or otherwise now.
  @usableFromInline
  static var now: Date { recorded ?? Date() }
}
