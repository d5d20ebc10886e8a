import Codecs
package import Sync
import TerminalUI

/// What belongs to the Sync screen alone.
package struct SyncScreenState: Sendable {
  /// The record as far as it was taken from the feed.
  package internal(set) var log = SyncLog()
  /// How many entries of the feed that is.
  var taken = 0
  /// Which generation of the feed's entries these are.
  var generation = 0
  /// What the record comes to at the moment that is shown.
  package internal(set) var picture = SyncPicture()
  /// The number of the selected decision; `nil` for the newest.
  package internal(set) var selection: Int?
  /// The future that is shown; 0 is the trunk.
  package internal(set) var branch = 0
  /// The moment that the picture is of; `nil` for the end of the record.
  var moment: Double?
  /// The future that the picture is of.
  var pictured = 0
  /// The pane that the keys act in.
  package internal(set) var pane = SyncPane.decisions
  var isMaximised = false
  /// The fault that the keys act on.
  package internal(set) var fault = SimulatedFault.latency
  /// How many changes are scrolled away above the list of the queue.
  var queueOffset = 0
  /// Futures that the person does not want to see any more.
  var dropped: Set<Int> = []
  /// A future with a larger number is shown as soon as it begins; `nil` when none is waited for.
  var awaited: Int?

  /// The futures that can be shown, the trunk first.
  package var futures: [Int] { log.branches.filter { $0 == 0 || !dropped.contains($0) } }

  /// The future that the shown one is compared with: the newest other one.
  package var other: Int? { futures.last { $0 != branch } }

  /// Shows the future that was waited for, and the trunk where the one that was shown is gone.
  mutating func followFutures() {
    if let awaited, let newest = log.branches.last, newest > awaited {
      (branch, self.awaited) = (newest, nil)
    }
    // Another play has begun, or the future had to make room.
    if log.future(branch) == nil { branch = 0 }
  }
}

extension Model {
  var syncLayout: SyncLayout {
    var needs = SyncLayout.Needs()
    if sync.picture.simulation != nil { needs.controls = scenarios == nil ? .recorded : .driven }
    needs.hasFutures = sync.other != nil
    needs.maximised = sync.isMaximised ? sync.pane : nil
    return SyncLayout(size: size, needs: needs)
  }

  // MARK: Decisions

  private var decisions: [SyncPicture.Timed<SyncTransition>] { sync.picture.transitions }

  /// The place of the selected decision among those that are known.
  var selectedDecision: Int? {
    guard let number = sync.selection else { return decisions.indices.last }
    return decisions.firstIndex { $0.value.sequence == number } ?? decisions.indices.last
  }

  /// Moves the selection; the newest decision stands at the top.
  private mutating func moveTransition(by rows: Int) {
    guard let current = selectedDecision else { return }
    let next =
      decisions.count - 1 - Self.moved(decisions.count - 1 - current, by: rows, count: decisions.count)
    sync.selection = next == decisions.count - 1 ? nil : decisions[next].value.sequence
  }

  /// Moves through what is listed in the pane that the keys act in.
  mutating func moveSyncCursor(by rows: Int) {
    switch sync.pane {
    case .decisions, .engine, .futures, .runs: moveTransition(by: rows)
    case .queue:
      let hidden = sync.picture.queue.count - syncLayout.inner(of: syncLayout.queue).height + 2
      sync.queueOffset = Self.moved(sync.queueOffset, by: rows, count: max(1, hidden))
    case .faults:
      let all = SimulatedFault.allCases
      let place = all.firstIndex(of: sync.fault) ?? 0
      sync.fault = all[Self.moved(place, by: rows, count: all.count)]
    }
  }

  /// Does what Enter means in the pane that the keys act in.
  mutating func enterSync() -> [Effect] {
    switch sync.pane {
    case .engine: isMaximised.toggle()
    case .decisions, .runs, .queue: goToTransition()
    case .futures: if sync.other != nil { showNextFuture() } else { goToTransition() }
    case .faults:
      if let reason = actRefusal {
        say("Faults: \(reason)")
      } else {
        return [.simulate(.toggleFault(sync.fault, branch: sync.branch))]
      }
    }
    return []
  }

  /// Stands on the moment of the selected decision.
  private mutating func goToTransition() {
    guard let current = selectedDecision else { return }
    let decision = decisions[current]
    movePlayhead(to: decision.time)
    sync.selection = decision.value.sequence
  }

  /// Moves the playhead to the decisions before or after it.
  mutating func moveAlongTransitions(by steps: Int) {
    // Back from the past there may be decisions that the end of the record does not list any more.
    let all = (steps < 0 ? sync.picture : sync.log.picture(of: sync.branch)).transitions
    // A simulation may be ahead of the clock.
    let here = isFrozen ? moment : max(syncNow, moment)
    let place =
      steps < 0
      ? (all.lastIndex { $0.time < here }).map { $0 + steps + 1 }
      : (all.firstIndex { $0.time > here }).map { $0 + steps - 1 }
    guard let place else { return steps > 0 ? goLive() : say("No decision before this") }
    movePlayhead(to: all[max(0, min(all.count - 1, place))].time)
    sync.selection = nil
  }

  // MARK: Mouse

  mutating func pressSync(_ position: Position) {
    let layout = syncLayout
    if let pane = layout.panes.first(where: { layout.rect(of: $0).contains(position) }) { sync.pane = pane }
    switch sync.pane {
    case .faults: pressFault(position)
    case .decisions: pressTransition(position)
    case .engine, .queue, .futures, .runs: break
    }
  }

  private mutating func pressFault(_ position: Position) {
    guard isDriven else { return }
    let grid = FaultGrid(
      SimulatedFault.allCases, in: syncLayout.inner(of: syncLayout.faults), selected: sync.fault)
    if let fault = grid.fault(at: position) { sync.fault = fault }
  }

  private mutating func pressTransition(_ position: Position) {
    let area = syncLayout.transitionList
    guard area.contains(position), let top = decisions.indices.last else { return }
    let place = top - transitionOffset - (position.y - area.y)
    guard decisions.indices.contains(place) else { return }
    sync.selection = place == top ? nil : decisions[place].value.sequence
  }

  /// How many decisions are scrolled away above the list.
  var transitionOffset: Int {
    guard let selected = selectedDecision else { return 0 }
    return Table.offset(
      showing: decisions.count - 1 - selected, of: decisions.count, height: syncLayout.transitionRows, from: 0
    )
  }

  /// The selected decision as text.
  var transitionText: String {
    guard let selected = selectedDecision else { return "" }
    let decision = decisions[selected]
    return zone.time(decision.time, .milliseconds) + " " + SyncWords.sentence(decision.value)
  }
}
