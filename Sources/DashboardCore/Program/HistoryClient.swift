package import Aggregation
package import History

/// Answers questions about the history: in the background over files and their index, or as a test double.
///
/// One question is processed at a time; a newer one replaces it. After a change the client makes `wakeDescriptor`
/// readable; the loop then takes the news once per frame.
package protocol HistoryClient: AnyObject, Sendable {
  /// Readable if there is something new; `news()` resets it.
  var wakeDescriptor: Int32 { get }
  /// Asks a question; the answer comes with a later `news()`.
  func ask(_ query: HistoryQuery)
  /// Prepares for later questions while idle.
  func prepare()
  /// Searches data not yet searched for incidents, or all data with another sensitivity; they come with a later
  /// `news()`.
  func findIncidents(_ sensitivity: DetectionBudget.Sensitivity)
  /// The news since the last call.
  func news() -> HistoryNews
  /// Exports samples of the files to another file; progress comes with `news()`.
  func export(_ request: HistoryExport)
  /// Cancels the work in progress.
  func cancel()
}
