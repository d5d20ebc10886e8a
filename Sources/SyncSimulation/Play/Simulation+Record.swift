import Essentials
public import MisterMetricsCore
import Sync
import TelemetryCore

extension Simulation {
  /// Takes out what was recorded since.
  public func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// The simulation as it is now, as an entry of this moment.
  ///
  /// Callers that write several branches into one file put it before the entries with which one of them goes on, so
  /// that a reader knows whose entries follow. `nil` where a time is out of all reason.
  public func statement() -> MetricEntry? {
    try? MetricEntry(timestamp: clock.recordTime, metric: SyncMetric.simulation, encoding: description)
  }

  /// How many entries there are to take.
  var entryCount: Int { entries.count }

  /// True if something of a metric was recorded behind the first `count` entries.
  func hasRecorded(_ metric: String, after count: Int) -> Bool {
    entries[min(count, entries.count)...].contains { $0.metric.name == metric }
  }

  /// Runs what can run and takes note of it.
  func settleDown() {
    tasks.drain()
    lastStep = clock.now
    entries += journal.take()
    recordSimulation()
  }

  /// Records the simulation itself when anything about it has changed.
  package func recordSimulation() {
    let current = description
    guard current != recorded else { return }
    recorded = current
    journal.add(SyncMetric.simulation, current)
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
    journal.add(SyncMetric.configuration, configuration)
    settleDown()
  }

  private var description: SyncSimulationRecord {
    let prospect = prospect
    return SyncSimulationRecord(
      scenario: scenario.name, seed: Int(truncatingIfNeeded: seed), step: steps, branch: branch,
      parent: parent, speed: speed, running: isRunning && (next != nil || end == nil), next: prospect?.words,
      nextAt: prospect.map { scenario.start.timeIntervalSinceReferenceDate + $0.at / .seconds(1) })
  }

  /// The next thing to happen, for those who watch: from outside of the engine, else the engine's own doing.
  private var prospect: (at: Duration, words: String)? {
    if let outside = director.next, end.map({ outside.at <= $0 }) ?? true {
      return (max(outside.at, clock.now), words(of: outside.what))
    }
    return next.map { ($0.at, $0.purpose) }
  }

  private func words(of what: SimulationDirector.Occurrence) -> String {
    if what == .trigger && !isOnline { return EngineForecast.appIsOffline }
    return asks(after: what) ? EngineForecast.thenSync(what.words) : what.words
  }

  /// True if the app asks for a run because of what happens, as ``make(_:)`` and a fault's end do.
  private func asks(after what: SimulationDirector.Occurrence) -> Bool {
    switch what {
    case .arrival(isRemote: false): return director.asksAfterChanges && isOnline
    case .arrival(isRemote: true), .trigger: return false
    case .script(let timed):
      switch timed.act {
      case .change(let change):
        return director.asksAfterChanges && isOnline && scenario.domain[change.kind] != nil
      case .fault(let setting): return setting.fault == .offline && !setting.isOn && !isOnline
      case .clearFaults: return !isOnline
      default: return false
      }
    }
  }
}
