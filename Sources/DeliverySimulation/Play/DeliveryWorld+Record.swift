import DeliveryCore
import Essentials
public import MisterMetricsCore
import SimulationKit
import TelemetryCore

extension DeliveryWorld {
  /// The metric under which the state is recorded.
  public static var stateMetric: Metric<DeliverySimulationState> { DeliveryMetrics.simulation }

  /// Records the current constants.
  public func recordSettings() { journal.add(DeliveryMetrics.configuration, constants) }

  /// Records a state.
  public func record(_ state: DeliverySimulationState) { journal.add(DeliveryMetrics.simulation, state) }

  /// Returns the entries recorded since the last call.
  public func takeRecord() -> [MetricEntry] { journal.take() }

  /// The current state of the simulation.
  public func state(of session: SimulationSession<DeliveryWorld>) -> DeliverySimulationState {
    let next = session.next
    return DeliverySimulationState(
      scenario: scenario.name, seed: Int(truncatingIfNeeded: seed), step: session.steps, branch: branch,
      parent: session.parent, speed: session.speed, running: session.isGoing, next: next?.purpose,
      nextAt: next.map { scenario.start.timeIntervalSinceReferenceDate + $0.at / .seconds(1) },
      alive: isAlive, made: app.made, taken: endpoint.taken.count, repeated: endpoint.repeated, lost: lost,
      engineTime: now / .seconds(1))
  }
}
