import Aggregation

/// Where the dashboard's samples come from: a tail over files, a pipe, or a made-up one in tests.
///
/// The feed works beside the loop. When something changed it makes `wakeDescriptor` readable; the loop then takes
/// one snapshot a frame, which is cheap and never changes afterwards.
package protocol Feed: AnyObject, Sendable {
  /// Readable when there is something new. `snapshot()` makes it unreadable again.
  var wakeDescriptor: Int32 { get }
  /// All there is to show at this moment.
  func snapshot() -> FeedSnapshot
  /// The line that a sample stands in, `nil` where it is not found.
  func line(of query: LineQuery) -> RawLine?
  /// The line that could not be read, as much of it as can be had.
  func line(of rejection: FeedRejection) -> RawLine
}

extension Feed {
  package func line(of query: LineQuery) -> RawLine? { nil }
  package func line(of rejection: FeedRejection) -> RawLine { rejection.rawLine }
}
