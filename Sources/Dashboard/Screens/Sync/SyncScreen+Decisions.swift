import Codecs
import Platform
import Sync
import SyncSimulation
import TerminalUI

// Panes, their lists, and the decisions of the machine.
extension ScreenModel where Owner == SyncScreen {
  var layout: SyncLayout {
    var needs = SyncLayout.Needs()
    if state.engine.simulation != nil {
      needs.controls = session.scenarios[.sync] == nil ? .recorded : .driven
    }
    needs.hasBranches = state.other != nil
    needs.maximised = state.isMaximised ? state.pane : nil
    needs.sentence = sentenceLines.count
    return SyncLayout(size: session.size, needs: needs)
  }

  /// Undoes what was chosen last.
  mutating func close() {
    if state.isMaximised {
      state.isMaximised = false
    } else if session.isFrozen {
      session.goLive()
    }
  }

  // MARK: Lists

  private var decisions: [RecordedValue<SyncTransition>] { state.engine.transitions }

  /// The place of the selected decision among those that are known.
  var selectedDecision: Int? {
    guard let number = state.selection else { return decisions.indices.last }
    return decisions.firstIndex { $0.value.sequence == number } ?? decisions.indices.last
  }

  /// Moves the selection; the newest decision stands at the top.
  private mutating func moveTransition(by rows: Int) {
    guard let current = selectedDecision else { return }
    let next =
      decisions.count - 1 - Session.moved(decisions.count - 1 - current, by: rows, count: decisions.count)
    state.selection = next == decisions.count - 1 ? nil : decisions[next].value.sequence
  }

  /// Moves through what is listed in the pane that the keys act in.
  mutating func moveCursor(by rows: Int) {
    switch state.pane {
    case .decisions, .engine, .branches, .runs: moveTransition(by: rows)
    case .queue:
      let hidden = state.engine.queue.count - layout.inner(of: layout.queue).height + 2
      state.queueOffset = Session.moved(state.queueOffset, by: rows, count: max(1, hidden))
    case .faults:
      let all = SimulatedFault.allCases
      let place = all.firstIndex(of: state.fault) ?? 0
      state.fault = all[Session.moved(place, by: rows, count: all.count)]
    }
  }

  /// Does what Enter means in the pane that the keys act in.
  mutating func enter() -> [Effect] {
    switch state.pane {
    case .engine: state.isMaximised.toggle()
    case .decisions, .runs, .queue: goToTransition()
    case .branches: if state.other != nil { showNextBranch() } else { goToTransition() }
    case .faults:
      if let reason = actRefusal {
        session.showToast("Faults: \(reason)")
      } else {
        return [SyncScreen.order(.toggleFault(state.fault, branch: state.branch))]
      }
    }
    return []
  }

  /// Stands on the moment of the selected decision.
  private mutating func goToTransition() {
    guard let current = selectedDecision else { return }
    let decision = decisions[current]
    session.movePlayhead(to: decision.time)
    state.selection = decision.value.sequence
  }

  /// Moves the playhead to the decisions before or after it.
  mutating func moveAlongTransitions(by steps: Int) {
    // Back from the past there may be decisions that the end of the record does not list any more.
    let all = (steps < 0 ? state.engine : state.log.state(of: state.branch)).transitions
    // A simulation may be ahead of the clock.
    let here = session.isFrozen ? session.edge : max(engineTime, session.edge)
    let place =
      steps < 0
      ? (all.lastIndex { $0.time < here }).map { $0 + steps + 1 }
      : (all.firstIndex { $0.time > here }).map { $0 + steps - 1 }
    guard let place else {
      return steps > 0 ? session.goLive() : session.showToast("No decision before this")
    }
    session.movePlayhead(to: all[max(0, min(all.count - 1, place))].time)
    state.selection = nil
  }

  /// The decisions that tell of trouble, and the moments at which faults were switched on.
  private var troubles: [Timestamp] {
    let engine = state.log.state(of: state.branch)
    let decisions = engine.transitions.filter { $0.value.isTrouble }.map(\.time)
    return (decisions + engine.incidents.map(\.time)).sorted()
  }

  var hasTroubles: Bool { !troubles.isEmpty }

  /// Moves the playhead to the trouble before or after it.
  mutating func moveToTrouble(_ direction: Int) {
    let all = troubles
    let here = session.isFrozen ? session.edge : max(engineTime, session.edge)
    guard let moment = direction < 0 ? all.last(where: { $0 < here }) : all.first(where: { $0 > here }) else {
      return session.showToast(direction < 0 ? "No trouble before this" : "No trouble after this")
    }
    session.movePlayhead(to: moment)
    state.selection = nil
  }

  /// How many decisions are scrolled away above the list.
  var transitionOffset: Int {
    guard let selected = selectedDecision else { return 0 }
    return Table.offset(
      showing: decisions.count - 1 - selected, of: decisions.count, height: layout.transitionRows, from: 0)
  }

  /// The selected decision as text.
  var transitionText: String {
    guard let selected = selectedDecision else { return "" }
    let decision = decisions[selected]
    return session.zone.time(decision.time, .milliseconds) + " " + SyncFormatter.sentence(decision.value)
  }

  // MARK: Mouse

  mutating func press(_ position: Position) {
    let layout = layout
    if let pane = layout.panes.first(where: { layout.rect(of: $0).contains(position) }) { state.pane = pane }
    switch state.pane {
    case .faults: pressFault(position)
    case .decisions: pressTransition(position)
    case .engine, .queue, .branches, .runs: break
    }
  }

  private mutating func pressFault(_ position: Position) {
    guard isDriven else { return }
    let grid = FaultGrid(
      SimulatedFault.allCases, in: layout.inner(of: layout.faults), selected: state.fault)
    if let fault = grid.fault(at: position) { state.fault = fault }
  }

  private mutating func pressTransition(_ position: Position) {
    let area = layout.transitionList
    guard area.contains(position), let top = decisions.indices.last else { return }
    let place = top - transitionOffset - (position.y - area.y)
    guard decisions.indices.contains(place) else { return }
    state.selection = place == top ? nil : decisions[place].value.sequence
  }
}

extension SyncTransition {
  /// Whether something went wrong with it, as against what was only turned away.
  fileprivate var isTrouble: Bool {
    guard !refused else { return false }
    if failure != nil { return true }
    return from != to && (to == SyncState.Kind.error.rawValue || to == SyncState.Kind.rateLimited.rawValue)
  }
}
