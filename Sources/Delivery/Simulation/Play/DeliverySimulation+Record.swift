import Foundation
package import MisterMetrics
import Telemetry

extension DeliverySimulation {
  /// Takes out what was recorded since.
  package func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// Takes note of what was done.
  func settleDown() {
    entries += journal.take()
    recordSimulation()
  }

  /// Records the simulation itself when anything about it has changed.
  func recordSimulation() {
    let current = description
    guard current != recorded else { return }
    recorded = current
    journal.add(DeliveryMetrics.simulation, current)
    entries += journal.take()
  }

  /// Records where it starts from, and starts the app.
  func begin() {
    recordSimulation()
    _ = start()
    settleDown()
  }

  private var description: DeliverySimulationState {
    let next = next
    return DeliverySimulationState(
      scenario: scenario.name, seed: Int(truncatingIfNeeded: seed), step: steps, branch: 0, parent: nil,
      speed: 1, running: next != nil, next: next?.purpose,
      nextAt: next.map { scenario.start.timeIntervalSinceReferenceDate + $0.at / .seconds(1) },
      alive: isAlive, made: app.made, taken: endpoint.taken.count, repeated: endpoint.repeated, lost: lost,
      engineTime: now / .seconds(1))
  }
}
