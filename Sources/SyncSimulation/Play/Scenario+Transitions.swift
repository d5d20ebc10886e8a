import MisterMetricsCore
import SimulationKit
import Sync

extension Scenario {
  /// Plays the scenario to its end, one without an end to its last act.
  ///
  /// - Returns: The transitions from ``expectedFrom`` on, one a line.
  /// - Throws: ``Simulation/Failure``, or what a record that cannot be read throws.
  public func transitions() throws -> [String] {
    let simulation = try Simulation(self)
    let first = expectedFrom / .seconds(1)
    var lines: [String] = []
    let end = duration ?? acts.last?.at ?? .zero
    func collect() throws {
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(SyncMetric.transition) {
        let transition = try entry.decode(SyncTransition.self)
        if transition.engineTime >= first { lines.append(SimulationText.line(transition)) }
      }
    }
    try collect()
    while let next = simulation.next, next.at <= end {
      simulation.step()
      try collect()
    }
    return lines
  }

  /// Plays the scenario and compares what comes with what is ``expected``.
  ///
  /// - Returns: The first differences in words; nothing when there are none.
  /// - Throws: What ``transitions()`` throws.
  public func differences() throws -> [String] {
    differences(of: try transitions(), each: "transition")
  }
}

extension Scenario: DrivenScenario {
  package func course() throws -> [String] { try transitions() }
}
