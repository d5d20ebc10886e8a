import Essentials
public import MisterMetricsCore
import SimulationKit
import Sync
import TelemetryCore

extension SyncWorld {
  /// Where its state is recorded.
  public static var stateMetric: Metric<SyncSimulationRecord> { SyncMetric.simulation }

  /// Records the constants in force.
  public func recordSettings() { journal.add(SyncMetric.configuration, configuration) }

  /// Records a state.
  public func record(_ state: SyncSimulationRecord) { journal.add(SyncMetric.simulation, state) }

  /// Runs what can run, and takes out what was recorded since.
  public func takeRecord() -> [MetricEntry] {
    tasks.drain()
    return journal.take()
  }

  /// The simulation as it is now.
  public func state(of session: Simulation) -> SyncSimulationRecord {
    let prospect = prospect(of: session)
    return SyncSimulationRecord(
      scenario: scenario.name, seed: Int(truncatingIfNeeded: session.seed), step: session.steps,
      branch: branch, parent: session.parent, speed: session.speed, running: session.isGoing,
      next: prospect?.words,
      nextAt: prospect.map { scenario.start.timeIntervalSinceReferenceDate + $0.at / .seconds(1) })
  }

  /// The next thing to happen, for those who watch: from outside of the engine, else the engine's own doing.
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

  /// True if the app asks for a run because of what happens, as ``make(_:)`` and a fault's end do.
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
