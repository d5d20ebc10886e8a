import MisterMetricsCore
public import SimulationKit
import Sync

/// Plays a scenario: the very engine that apps link, around it a simulated server, clock and person.
public typealias Simulation = SimulationSession<SyncWorld>

extension Simulation {
  /// A simulation at the start of its scenario.
  ///
  /// - Parameters:
  ///   - scenario: What to play.
  ///   - seed: Another seed than the scenario's.
  ///   - trace: Where to note what engine, store and server say to each other.
  /// - Throws: ``Failure``.
  public convenience init(
    _ scenario: Scenario, seed: UInt64? = nil, trace: SimulationTrace
  ) throws(Failure) {
    let seed = seed ?? scenario.seed
    let world = try SyncWorld(playing: scenario, seed: seed, branch: 0, trace: trace)
    self.init(scenario, seed: seed, in: world)
  }

  /// Plays until the machine has decided on something.
  ///
  /// - Returns: Whether it has; not at the end of the scenario.
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
