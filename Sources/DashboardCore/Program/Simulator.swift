/// Plays simulations for screens: in the background, recording to a file that the dashboard tails.
///
/// Orders go in; all results come back through the file. Only messages that are not part of an engine's state, such as
/// the path of an exported test, are returned directly.
package protocol Simulator: AnyObject, Sendable {
  /// The available scenarios, by engine; no entry for an engine that is not simulated.
  var scenarios: [EngineKind: [ScenarioTitle]] { get }
  /// Readable if there are messages; `sentences()` resets it.
  var wakeDescriptor: Int32 { get }
  /// Accepts an order; returns at once.
  func take(_ order: EngineOrder)
  /// Messages for the user since the last call.
  func sentences() -> [String]
}
