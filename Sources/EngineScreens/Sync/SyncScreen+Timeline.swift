import Codecs
package import DashboardCore
import Platform
import QueryLanguage
import Sync
import SyncSimulation
import TerminalUI

// The lists of the panes, and the decisions of the machine.
extension SyncScreen {
  // MARK: Lists

  /// True if the keys go through the timeline.
  var isInTimeline: Bool {
    switch state.pane {
    case .queue, .faults: false
    case .branches: !(state.isMaximised && state.other != nil)
    case .timeline, .engine, .runs: true
    }
  }

  /// Moves through what is listed in the pane that the keys act in.
  package mutating func moveCursor(by rows: Int) {
    switch state.pane {
    case .branches where !isInTimeline: scrollFutures(by: rows)
    case .timeline, .engine, .branches, .runs: moveEntry(by: rows)
    case .queue:
      guard let place = selectedChange else { return }
      state.own.change = changes[Session.moved(place, by: rows, count: changes.count)].id
    case .faults: moveFault(by: rows)
    }
  }

  /// Does what Enter means in the pane that the keys act in.
  package mutating func enter() -> [Effect] {
    switch state.pane {
    case .engine: state.isMaximised.toggle()
    case .timeline, .runs: return openSelected()
    case .queue: followChange()
    case .branches: if state.other != nil { showNextBranch() } else { return openSelected() }
    case .faults: return toggleFault()
    }
    return []
  }

  /// Stands on the moment of the selected entry and shows all about it; again: its line in the file.
  package mutating func openSelected() -> [Effect] {
    if let entry = selectedEntry, !state.isOpen { session.movePlayhead(to: entry.time) }
    return openEntry()
  }

  // MARK: Two futures

  /// Events in the shown branch and in the one that it is compared with.
  func futures(of branches: (Int, Int)) -> EngineFutures<SyncHappening>? {
    let formatter = SyncTimelineFormatter(zone: .utc, arrow: "->")
    return state.log.futures(
      of: branches.0, and: branches.1, until: state.moment,
      words: { formatter.subject($0.entry) + SyncTimelineFormatter.wordings($0)[0] },
      isCause: \.entry.isCause)
  }

  /// The first row that is shown: some before the first difference, as far as it is not scrolled.
  func futureOffset(of futures: EngineFutures<SyncHappening>, height: Int) -> Int {
    let start = max(0, (futures.firstDifference ?? 0) - 3) + state.own.futureScroll
    return max(0, min(start, futures.rows.count - height))
  }

  private mutating func scrollFutures(by rows: Int) {
    guard let other = state.other,
      let futures = futures(of: (min(state.branch, other), max(state.branch, other)))
    else { return }
    let before = max(0, (futures.firstDifference ?? 0) - 3)
    state.own.futureScroll =
      Session.moved(before + state.own.futureScroll, by: rows, count: futures.rows.count) - before
  }

  // MARK: The queue

  /// Listed changes of the queue: those that wait, the oldest first, then those abandoned, the newest first.
  var changes: [SyncMutation] { state.engine.queue + state.engine.dead.reversed() }

  /// The place of the selected change in the list.
  var selectedChange: Int? {
    changes.isEmpty ? nil : changes.firstIndex { $0.id == state.own.change } ?? 0
  }

  /// Lists everything that happened to the entity of the selected change.
  private mutating func followChange() {
    guard let place = selectedChange else { return session.showToast("The queue is empty") }
    state.pane = .timeline
    filter(by: QuerySpelling.quoted(changes[place].entity))
  }

  /// Moves the playhead to the decisions before or after it.
  package mutating func moveAlong(by steps: Int) {
    // Back from the past there may be decisions that the end of the record does not list any more.
    let all = (steps < 0 ? state.engine : state.log.state(of: state.branch)).transitions
    if travel(by: steps, among: all.map(\.time), what: "decision") != nil { state.cursor.selection = nil }
  }

  /// The decisions that tell of trouble, and the moments at which faults were switched on.
  private var troubles: [Timestamp] {
    let engine = state.log.state(of: state.branch)
    let decisions = engine.transitions.filter { $0.value.isTrouble }.map(\.time)
    return (decisions + engine.incidents.map(\.time)).sorted()
  }

  package var troubleRefusal: String? { troubles.isEmpty ? "nothing has gone wrong" : nil }

  /// Moves the playhead to the trouble before or after it.
  package mutating func moveToTrouble(_ direction: Int) {
    let all = troubles
    guard let place = place(by: direction, among: all) else {
      return session.showToast(direction < 0 ? "No trouble before this" : "No trouble after this")
    }
    session.movePlayhead(to: all[place])
    state.cursor.selection = nil
  }
}
