package import DashboardCore

// The lists of the panes.
extension DeliveryScreen {
  package mutating func moveCursor(by rows: Int) {
    if state.pane == .faults { moveFault(by: rows) } else { moveEntry(by: rows) }
  }

  /// Handles Enter in the focused pane.
  package mutating func enter() -> [Effect] {
    switch state.pane {
    case .timeline: return openEntry()
    case .branches:
      showNextBranch()
      return []
    case .faults: return toggleFault()
    }
  }

  package mutating func moveAlong(by steps: Int) {
    // The past may list entries that the end of the record has dropped.
    travel(by: steps, among: steps < 0 ? state.entries : latestEntries, what: "entry")
  }

  /// Moves the playhead to the previous or next failed batch.
  package mutating func moveToTrouble(_ direction: Int) {
    let all = direction < 0 ? state.entries : latestEntries
    travel(by: direction, among: all.filter(\.isFailure), what: "failure")
  }

  package var troubleRefusal: String? {
    latestEntries.contains(where: \.isFailure) ? nil : "no batch has failed"
  }

  private var latestEntries: [ClientState.Happening] { state.log.state(of: state.branch).timeline.list }

  private mutating func travel(by steps: Int, among all: [ClientState.Happening], what: String) {
    guard let place = travel(by: steps, among: all.map(\.settled), what: what) else { return }
    (state.cursor.selection, state.cursor.followsPlayhead) = (all[place].number, true)
  }

  package var copiedLines: [String]? { selectedEntry == nil ? nil : entryLines }
}
