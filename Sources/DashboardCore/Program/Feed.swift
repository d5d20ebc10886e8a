import Aggregation
package import History

/// The source of the dashboard's samples: a tail over files, a pipe, or a test double.
///
/// The feed works in the background. After a change it makes `wakeDescriptor` readable; the loop then takes one
/// snapshot per frame, which is cheap and immutable.
package protocol Feed: AnyObject, Sendable {
  /// Readable if there is something new; `snapshot()` resets it.
  var wakeDescriptor: Int32 { get }
  /// The data to show now.
  func snapshot() -> FeedSnapshot
  /// Goes on with the samples of a scope alone: later snapshots name it, if the feed can tell hosts apart.
  func narrow(to scope: HostScope)
  /// The line of a sample; `nil` if it is not found.
  func line(of query: LineQuery) -> RawLine?
  /// The unreadable line, as far as available.
  func line(of rejection: FeedRejection) -> RawLine
}

extension Feed {
  package func narrow(to scope: HostScope) {}
  package func line(of query: LineQuery) -> RawLine? { nil }
  package func line(of rejection: FeedRejection) -> RawLine { rejection.rawLine }
}
