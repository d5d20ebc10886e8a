import DeliverySimulation
import MisterMetricsCore
import Sync
import SyncSimulation

/// A simulation that runs without a screen, step after step.
protocol HeadlessSimulation: AnyObject {
  /// The time since the start.
  var now: Duration { get }
  /// The next event and its time; `nil` when nothing is left to happen.
  var next: (at: Duration, purpose: String)? { get }
  /// How many steps were taken.
  var steps: Int { get }

  /// Lets the next thing happen.
  @discardableResult func step() -> Bool

  /// Takes out what was recorded since.
  func takeEntries() -> [MetricEntry]
}

extension Simulation: HeadlessSimulation {}

extension DeliverySimulation: HeadlessSimulation {}
