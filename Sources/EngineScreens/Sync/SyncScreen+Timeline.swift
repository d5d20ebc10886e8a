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

  /// True if keys move through the timeline.
  var isInTimeline: Bool {
    switch state.pane {
    case .queue, .faults: false
    case .branches: !(state.isMaximised && state.other != nil)
    case .timeline, .engine, .runs: true
    }
  }

  /// Moves the cursor in the list of the focused pane.
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

  /// Handles Enter in the focused pane.
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

  /// Moves to the moment of the selected entry and shows its details; if they are shown already, its line in the file.
  package mutating func openSelected() -> [Effect] {
    if let entry = selectedEntry, !state.isOpen { session.movePlayhead(to: entry.time) }
    return openEntry()
  }

  // MARK: Two futures

  /// The events of the shown branch and of the one it is compared with.
  func futures(of branches: (Int, Int)) -> EngineFutures<SyncHappening>? {
    let formatter = SyncTimelineFormatter(zone: .utc, arrow: "->")
    return state.log.futures(
      of: branches.0, and: branches.1, until: state.moment,
      words: { formatter.subject($0.entry) + SyncTimelineFormatter.wordings($0)[0] },
      isCause: \.entry.isCause)
  }

  /// The first visible row: a few rows before the first difference, plus the scroll offset.
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

  /// The changes in the list: waiting ones, oldest first, then abandoned ones, newest first.
  var changes: [SyncMutation] { state.engine.queue + state.engine.dead.reversed() }

  /// The index of the selected change.
  var selectedChange: Int? {
    changes.isEmpty ? nil : changes.firstIndex { $0.id == state.own.change } ?? 0
  }

  /// Lists all events of the selected change's entity.
  private mutating func followChange() {
    guard let place = selectedChange else { return session.showToast("The queue is empty") }
    state.pane = .timeline
    filter(by: QuerySpelling.quoted(changes[place].entity))
  }

  /// Moves the playhead to an earlier or later decision.
  package mutating func moveAlong(by steps: Int) {
    // The past may list decisions that the end of the record has dropped.
    let all = (steps < 0 ? state.engine : state.log.state(of: state.branch)).transitions
    if travel(by: steps, among: all.map(\.time), what: "decision") != nil { state.cursor.selection = nil }
  }

  /// The times of decisions that indicate trouble, and of faults being switched on.
  private var troubles: [Timestamp] {
    let engine = state.log.state(of: state.branch)
    let decisions = engine.transitions.filter { $0.value.isTrouble }.map(\.time)
    return (decisions + engine.incidents.map(\.time)).sorted()
  }

  package var troubleRefusal: String? { troubles.isEmpty ? "nothing has gone wrong" : nil }

  /// Moves the playhead to the previous or next trouble.
  package mutating func moveToTrouble(_ direction: Int) {
    let all = troubles
    guard let place = place(by: direction, among: all) else {
      return session.showToast(direction < 0 ? "No trouble before this" : "No trouble after this")
    }
    session.movePlayhead(to: all[place])
    state.cursor.selection = nil
  }
}
