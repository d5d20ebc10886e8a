import MisterMetricsCore
import SimulationKit
import Sync

extension Simulation {
  /// Waits, for those who watch, while that much simulated time passes at that speed; throws to stop.
  public typealias Pacing = (_ simulated: Duration, _ speed: Double) throws -> Void

  /// Plays to the end of the scenario, or up to a moment.
  ///
  /// - Parameters:
  ///   - moment: Up to when; `nil` to the end.
  ///   - limit: How many steps at most.
  ///   - pacing: Waits before each step; without one it goes as fast as it can. It has no part in the record.
  /// - Throws: What the pacing throws.
  public func run(until moment: Duration? = nil, steps limit: Int = .max, pacing: Pacing? = nil) rethrows {
    try play(until: moment, steps: limit, pacing: pacing)
  }

  /// Plays until the machine has decided on something.
  ///
  /// - Returns: Whether it has; not at the end of the scenario.
  @discardableResult
  public func runToNextTransition() -> Bool {
    let before = entryCount
    while step() {
      if hasRecorded(SyncMetric.transition.name, after: before) { return true }
    }
    return false
  }
}
