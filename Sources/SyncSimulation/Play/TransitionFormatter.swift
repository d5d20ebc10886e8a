package import MisterMetricsCore
package import SimulationKit
import Sync

/// Formats the decisions of a sync engine for people and tests.
package struct TransitionFormatter: RecordFormatter {
  package init() {}

  /// A transition as a line: time, states, event, and the reason if there is one.
  ///
  /// - Throws: The error of a malformed entry.
  package func line(_ entry: MetricEntry) throws -> Line? {
    guard entry.metric == AnyMetric(SyncMetric.transition) else { return nil }
    let transition = try entry.decode(SyncTransition.self)
    return (transition.engineTime, Self.text(transition))
  }

  static func text(_ transition: SyncTransition) -> String {
    let states =
      transition.from == transition.to ? transition.from : "\(transition.from) -> \(transition.to)"
    var event = transition.event
    if let synced = transition.synced, let total = transition.total, transition.to == "syncing" {
      event += " \(synced)/\(total)"
    }
    var line = ScenarioText.padded(ScenarioText.seconds(transition.engineTime), to: 11, atEnd: false) + "  "
    line += ScenarioText.padded(states, to: 24) + ScenarioText.padded(event, to: 24)
    if transition.refused { line += "refused: " }
    line += transition.reason ?? ""
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension Scenario {
  /// Plays the scenario to its end, or to its last act if it has no end.
  ///
  /// - Returns: The transitions from ``expectedFrom`` on, one per line.
  /// - Throws: ``Simulation/Failure``, or the error of a malformed entry.
  public func transitions() throws -> [String] { try course() }

  /// Plays the scenario and compares the transitions with the ``expected`` ones.
  ///
  /// - Returns: Descriptions of the first differences; empty if there are none.
  /// - Throws: The errors of ``transitions()``.
  public func differences() throws -> [String] { differences(of: try course()) }
}
