/// Plays the simulations that screens drive: beside the loop, recording into a file that the dashboard tails.
///
/// Orders go in; what happens comes back through the file and in no other way. Only what is no state of an engine,
/// such as where a test was written, is said directly.
package protocol Simulator: AnyObject, Sendable {
  /// The scenarios that can be played, by engine; an engine that is not played has no entry.
  var scenarios: [EngineKind: [ScenarioTitle]] { get }
  /// Readable when there is something to say. `sentences()` makes it unreadable again.
  var wakeDescriptor: Int32 { get }
  /// Takes an order; returns at once.
  func take(_ order: EngineOrder)
  /// Messages for the person since the last call.
  func sentences() -> [String]
}
