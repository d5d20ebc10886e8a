package import History

/// Answers questions about the history: beside the loop, over files and their index; a made-up one in tests.
///
/// One question at a time is worked on: a newer one replaces it. When something changed the client makes
/// `wakeDescriptor` readable; the loop then takes the news once a frame.
package protocol HistoryClient: AnyObject, Sendable {
  /// Readable when there is something new. `news()` makes it unreadable again.
  var wakeDescriptor: Int32 { get }
  /// Asks; the answer comes with a later `news()`.
  func ask(_ query: HistoryQuery)
  /// Prepares what later questions need, while no one waits.
  func prepare()
  /// Looks for incidents in what the files hold that was not looked at; they come with a later `news()`.
  func findIncidents()
  /// News since the last call.
  func news() -> HistoryNews
  /// Writes samples of the files to another one; how far it is comes with `news()`.
  func export(_ request: HistoryExport)
  /// Gives up the work that has a progress.
  func cancel()
}
