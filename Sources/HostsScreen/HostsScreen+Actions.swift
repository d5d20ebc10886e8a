package import DashboardCore
import History
import TerminalUI

// Actions of the Hosts screen besides those of all screens, and their effects.
extension HostsScreen {
  package static let actions =
    rows + ScreenAction.freezing + ScreenAction.zooming { $0.zoomed($1) != nil }

  private static let rows: [ScreenAction<HostsScreen>] = [
    ScreenAction(
      "Narrow all screens to this host; once more for all hosts", .rows, name: "narrow-to-this-host",
      keys: [KeyPress(.enter)], refusal: needsHost, effects: { $0.handle(.enter) }),
    ScreenAction(
      "The histogram of this host against all others", .comparing, name: "histogram-of-this-host",
      keys: [KeyPress("i")],
      refusal: { $0.state.focus == nil ? "no numeric metric is chosen" : needsHost($0) }
    ) { $0.compare() },
    ScreenAction("Filter the hosts by name", .rows, name: "filter", keys: [KeyPress("/")]) {
      $0.session.overlay = .typing(.filter(hint: "words of a host's name"), Prompt($0.state.rowFilter.text))
    },
  ]

  private static let needsHost: @Sendable (HostsScreen) -> String? = {
    $0.state.selectedIndex == nil ? "no host is selected" : nil
  }

  mutating func enter() {
    if session.history.isGivenUp { return session.history.resume() }
    guard let host = state.selection else { return }
    if session.scope == .host(host) { return widen() }
    session.scope = .host(host)
    session.showToast("Narrowed to \(host): \(session.keyText("Esc")) here widens again")
  }

  mutating func widen() {
    session.scope = .all
    session.showToast("All hosts")
  }

  private mutating func compare() {
    // Keys from the same burst may have selected another row.
    refresh()
    guard let host = state.selection, let focus = state.focus else { return }
    if session.scope != .all { widen() }
    let span: TimeSpan = isWhole ? .all : .fixed(state.window)
    session.open(.host(host, of: focus, span, returnTicket))
  }

  mutating func moveCursor(by rows: Int) {
    guard !state.rows.isEmpty else { return }
    let index = Session.moved(state.selectedIndex ?? 0, by: rows, count: state.rows.count)
    state.selection = state.rows[index].row.name
  }

  /// Selects the row under the pointer; a double click narrows to it.
  mutating func press(_ position: Position) {
    let area = layout.tableArea
    let line = position.y - area.y - (layout.hasTableHeader ? 1 : 0)
    guard area.contains(position), line >= 0, state.rows.indices.contains(state.offset + line) else { return }
    state.selection = state.rows[state.offset + line].row.name
    if session.isDoublePress { enter() }
  }
}
