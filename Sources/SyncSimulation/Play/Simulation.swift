import MisterMetricsCore
public import SimulationKit
import Sync

/// Plays a scenario with the same engine that apps link, and a simulated server, clock and user.
public typealias Simulation = SimulationSession<SyncWorld>

extension Simulation {
  /// A simulation at the start of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario to play.
  ///   - seed: Overrides the scenario's seed.
  ///   - trace: Records the messages between engine, store and server.
  /// - Throws: ``Failure``.
  public convenience init(
    _ scenario: Scenario, seed: UInt64? = nil, trace: SimulationTrace
  ) throws(Failure) {
    let seed = seed ?? scenario.seed
    let world = try SyncWorld(playing: scenario, seed: seed, branch: 0, trace: trace)
    self.init(scenario, seed: seed, in: world)
  }

  /// Plays until the state machine has made a decision.
  ///
  /// - Returns: True if it has; false at the end of the scenario.
  @discardableResult
  public func runToNextTransition() -> Bool {
    let before = entries.count
    while step() {
      if entries.dropFirst(before).contains(where: { $0.metric == AnyMetric(SyncMetric.transition) }) {
        return true
      }
    }
    return false
  }
}
