package import MisterMetricsCore
package import SimulationKit
import Sync

/// The decisions of a sync engine as text for people and tests.
package struct TransitionFormatter: RecordFormatter {
  package init() {}

  /// A transition as a line: when, from where to where, on what event, and why where there is a reason.
  ///
  /// - Throws: What a record that cannot be read throws.
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
  /// Plays the scenario to its end, one without an end to its last act.
  ///
  /// - Returns: The transitions from ``expectedFrom`` on, one a line.
  /// - Throws: ``Simulation/Failure``, or what a record that cannot be read throws.
  public func transitions() throws -> [String] { try course() }

  /// Plays the scenario and compares what comes with what is ``expected``.
  ///
  /// - Returns: The first differences in words; nothing when there are none.
  /// - Throws: What ``transitions()`` throws.
  public func differences() throws -> [String] { differences(of: try course()) }
}
