public import Essentials

/// The time stamp that new entries get.
///
/// Fire-and-forget records are delivered later than they are made. While the queue delivers one to a store that makes
/// its own entries, the moment of the call is carried along here, so that also stores which only know
/// `MetricEntry(metric:value:)` stamp the call and not the delivery.
@usableFromInline
enum CallTime {
  @TaskLocal static var recorded: Date?

  /// The moment of the call being delivered, or else now.
  @usableFromInline
  static var now: Date { recorded ?? Date() }
}
