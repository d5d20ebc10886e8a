import DeliveryCore
import Essentials
package import MisterMetricsCore
import TelemetryCore

extension DeliverySimulation {
  /// Takes out what was recorded since.
  package func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// The simulation as it is now, as an entry of this moment.
  ///
  /// Callers that write several branches into one file put it before the entries with which one of them goes on, so
  /// that a reader knows whose entries follow. `nil` where a time is out of all reason.
  package func statement() -> MetricEntry? {
    try? MetricEntry(timestamp: recordTime, metric: DeliveryMetrics.simulation, encoding: description)
  }

  /// Takes note of what was done.
  func settleDown() {
    lastStep = now
    entries += journal.take()
    recordSimulation()
  }

  /// Records the simulation itself when anything about it has changed.
  package func recordSimulation() {
    let current = description
    guard current != recorded else { return }
    recorded = current
    journal.add(DeliveryMetrics.simulation, current)
    entries += journal.take()
  }

  /// Forgets what was recorded, as when a branch has come to where it begins.
  package func forgetRecord() {
    entries = []
    recorded = nil
  }

  /// Records where it starts from.
  package func recordStart() {
    recordSimulation()
    journal.add(DeliveryMetrics.configuration, constants)
    settleDown()
  }

  /// Records where it starts from, and starts the app.
  func begin() {
    recordSimulation()
    journal.add(DeliveryMetrics.configuration, constants)
    _ = start()
    settleDown()
  }

  private var description: DeliverySimulationState {
    let next = next
    return DeliverySimulationState(
      scenario: scenario.name, seed: Int(truncatingIfNeeded: seed), step: steps, branch: branch,
      parent: parent, speed: speed, running: isRunning && (next != nil || end == nil), next: next?.purpose,
      nextAt: next.map { scenario.start.timeIntervalSinceReferenceDate + $0.at / .seconds(1) },
      alive: isAlive, made: app.made, taken: endpoint.taken.count, repeated: endpoint.repeated, lost: lost,
      engineTime: now / .seconds(1))
  }
}
