import Aggregation
package import DashboardCore
import DeliveryCore
import DeliverySimulation
import MisterMetricsCore
import Platform
import QueryLanguage
package import TerminalUI

// The lists of the panes.
extension DeliveryScreen {
  // MARK: The cursor

  /// Moves through what is listed in the pane that the keys act in.
  package mutating func moveCursor(by rows: Int) {
    switch state.pane {
    case .timeline, .branches: moveEntry(by: rows)
    case .faults: moveFault(by: rows)
    }
  }

  /// Does what Enter means in the pane that the keys act in.
  package mutating func enter() -> [Effect] {
    switch state.pane {
    case .timeline: return openEntry()
    case .branches:
      showNextBranch()
      return []
    case .faults: return toggleFault()
    }
  }

  // MARK: Time

  /// Moves the playhead to the entries before or after it.
  package mutating func moveAlong(by steps: Int) {
    // Back from the past there may be entries that the end of the record does not list any more.
    travel(by: steps, among: steps < 0 ? state.entries : latestEntries, what: "entry")
  }

  /// Moves the playhead to a batch that failed.
  mutating func moveToFailure(_ direction: Int) {
    let all = direction < 0 ? state.entries : latestEntries
    travel(by: direction, among: all.filter(\.isFailure), what: "failure")
  }

  private var latestEntries: [ClientState.Happening] { state.log.state(of: state.branch).timeline.list }

  private mutating func travel(by steps: Int, among all: [ClientState.Happening], what: String) {
    // A simulation may be ahead of the clock.
    let here = session.isFrozen ? session.present : max(engineTime, session.present)
    let place =
      steps < 0
      ? (all.lastIndex { $0.settled < here }).map { $0 + steps + 1 }
      : (all.firstIndex { $0.settled > here }).map { $0 + steps - 1 }
    guard let place else {
      if steps > 0 { session.goLive() } else { session.showToast("No \(what) before this") }
      return
    }
    let entry = all[max(0, min(all.count - 1, place))]
    session.movePlayhead(to: entry.settled)
    (state.cursor.selection, state.cursor.followsPlayhead) = (entry.number, true)
  }

  var hasFailures: Bool { state.log.state(of: state.branch).timeline.list.contains(where: \.isFailure) }

  // MARK: Copying

  package var copiedLines: [String]? {
    guard let entry = selectedEntry else { return nil }
    let line = TimelineFormatter(zone: session.zone).text(entry)
    guard state.isOpen else { return [line] }
    let facts = TimelineFormatter(zone: session.zone).facts(of: entry)
    return [line] + facts.map { "\($0.name): \($0.value)" }
  }

  // MARK: Mouse

  package mutating func press(_ position: Position) -> [Effect] {
    let layout = layout
    if let pane = layout.pane(at: position) { state.pane = pane }
    switch state.pane {
    case .timeline: return pressEntry(position, in: layout.timelineList) { $0.openEntry() }
    case .faults: return pressFault(position, in: layout.inner(of: layout[.faults]))
    case .branches: break
    }
    return []
  }
}

extension DeliveryEntry {
  /// The metric that the entry was recorded in.
  private var metric: (name: String, typeName: String) {
    switch self {
    case .batch: ("batch", "DeliveryBatch")
    case .queue: ("queue", "DeliveryQueue")
    case .breaker: ("breaker", "DeliveryBreaker")
    case .lifecycle: ("lifecycle", "DeliveryLifecycle")
    case .drop: ("drop", "DeliveryDrop")
    case .act: ("act", "DeliveryAct")
    case .fault: ("fault", "DeliveryFault")
    case .simulation: ("simulation", "DeliverySimulationState")
    case .configuration: ("configuration", "DeliveryConstants")
    }
  }

  /// How its line is found in the file.
  func lineQuery(at time: Timestamp) -> LineQuery {
    let identity = SeriesIdentity(
      bucket: DeliveryMetrics.bucket.id, name: metric.name, typeName: metric.typeName)
    return LineQuery(identity: identity, time: time, holding: holding)
  }

  /// Text in its line that no other line of the moment holds.
  private var holding: [String] {
    switch self {
    case .batch(let batch): ["\"sequence\":\(batch.sequence)"]
    case .breaker(let breaker): ["\"state\":\"\(breaker.state)\""]
    case .lifecycle(let lifecycle): ["\"event\":\"\(lifecycle.event)\"", "\"to\":\"\(lifecycle.to)\""]
    case .drop(let drop): ["\"cause\":\"\(drop.cause)\""]
    case .act(let act): ["\"act\":\"\(act.act)\""]
    case .fault(let fault): ["\"fault\":\"\(fault.fault)\""]
    case .queue, .simulation, .configuration: []
    }
  }
}
