import Sync
import TerminalUI

/// What belongs to the Sync screen alone.
package struct SyncScreenState: Sendable {
  /// The record as far as it was taken from the feed.
  package internal(set) var log = SyncLog()
  /// How many entries of the feed that is.
  var taken = 0
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
}

extension Model {
  var syncLayout: SyncLayout { SyncLayout(size: size, hasFaults: !sync.picture.faults.isEmpty) }

  private var decisions: [SyncPicture.Timed<SyncTransition>] { sync.picture.transitions }

  /// The place of the selected decision among those that are known.
  var selectedDecision: Int? {
    guard let number = sync.selection else { return decisions.indices.last }
    return decisions.firstIndex { $0.value.sequence == number } ?? decisions.indices.last
  }

  /// Moves the selection; the newest decision stands at the top.
  mutating func moveTransition(by rows: Int) {
    guard let current = selectedDecision else { return }
    let next =
      decisions.count - 1 - Self.moved(decisions.count - 1 - current, by: rows, count: decisions.count)
    sync.selection = next == decisions.count - 1 ? nil : decisions[next].value.sequence
  }

  /// Stands on the moment of the selected decision.
  mutating func goToTransition() {
    guard let current = selectedDecision else { return }
    let decision = decisions[current]
    movePlayhead(to: decision.time)
    sync.selection = decision.value.sequence
  }

  /// Moves the playhead to the decisions before or after it.
  mutating func moveAlongTransitions(by steps: Int) {
    let all = sync.log.picture().transitions
    let here = live.content.edge
    let place =
      steps < 0
      ? (all.lastIndex { $0.time < here }).map { $0 + steps + 1 }
      : (all.firstIndex { $0.time > here }).map { $0 + steps - 1 }
    guard let place else { return steps > 0 ? goLive() : say("No decision before this") }
    movePlayhead(to: all[max(0, min(all.count - 1, place))].time)
    sync.selection = nil
  }

  mutating func pressTransition(_ position: Position) {
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
