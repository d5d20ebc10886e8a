import Essentials
public import MisterMetricsCore
import SimulationKit
import Sync
import TelemetryCore

extension SyncWorld {
  /// The metric under which the state is recorded.
  public static var stateMetric: Metric<SyncSimulationRecord> { SyncMetric.simulation }

  /// Records the current constants.
  public func recordSettings() { journal.add(SyncMetric.configuration, configuration) }

  /// Records a state.
  public func record(_ state: SyncSimulationRecord) { journal.add(SyncMetric.simulation, state) }

  /// Runs all pending work, and returns the entries recorded since the last call.
  public func takeRecord() -> [MetricEntry] {
    tasks.drain()
    return journal.take()
  }

  /// The current state of the simulation.
  public func state(of session: Simulation) -> SyncSimulationRecord {
    let prospect = prospect(of: session)
    return SyncSimulationRecord(
      scenario: scenario.name, seed: Int(truncatingIfNeeded: session.seed), step: session.steps,
      branch: branch, parent: session.parent, speed: session.speed, running: session.isGoing,
      next: prospect?.words,
      nextAt: prospect.map { scenario.start.timeIntervalSinceReferenceDate + $0.at / .seconds(1) })
  }

  /// The next event to display: one from outside the engine if there is one, or else one of the engine.
  private func prospect(of session: Simulation) -> (at: Duration, words: String)? {
    if let outside = director.next, session.end.map({ outside.at <= $0 }) ?? true {
      return (max(outside.at, clock.now), words(of: outside.what))
    }
    return session.next.map { ($0.at, $0.purpose) }
  }

  private func words(of what: Occurrence) -> String {
    if what == .recurring(.trigger) && !isOnline { return EngineForecast.appIsOffline }
    return asks(after: what) ? EngineForecast.thenSync(what.words) : what.words
  }

  /// True if the event makes the app request a run, as in ``make(_:)`` or at the end of an outage.
  private func asks(after what: Occurrence) -> Bool {
    switch what {
    case .recurring(.device): return asksAfterChanges && isOnline
    case .recurring: return false
    case .script(let timed):
      switch timed.act {
      case .change(let change):
        return asksAfterChanges && isOnline && scenario.domain[change.kind] != nil
      case .fault(let setting): return setting.fault == .offline && !setting.isOn && !isOnline
      case .clearFaults: return !isOnline
      default: return false
      }
    }
  }
}
