package import DashboardCore
import TerminalUI

// Actions available on the History screen besides those available on all of them.
extension HistoryScreen {
  package static let actions = comparing + ScreenAction.freezing + window + rows + taking

  private static let window: [ScreenAction<HistoryScreen>] =
    ScreenAction.zooming { $0.canZoom($1) } + [
      ScreenAction.scaling(
        hasChart: { !$0.layout[.chart].isEmpty },
        hasAxis: { !($0.session.history.answer?.isTextChart ?? false) }),
      ScreenAction.pinning({ $0.curveIdentity }, hasChart: { !$0.layout[.chart].isEmpty }),
    ]

  private static let comparing: [ScreenAction<HistoryScreen>] = [
    ScreenAction(
      "The histogram of this metric over this window", .comparing, name: "histogram-of-this-metric",
      keys: [KeyPress("i")],
      change: { screen in
        // Keys that came in one burst may have chosen another range.
        screen.refresh()
        screen.session.open(.distribution(of: screen.subjects, screen.timeSpan, screen.returnTicket))
      }),
    ScreenAction(
      "Compare two versions, files, periods or values of this metric", .comparing, keys: [KeyPress("c")],
      change: { screen in
        screen.refresh()
        screen.session.open(.comparison(of: screen.subjects, screen.returnTicket))
      }),
  ]

  private static let rows: [ScreenAction<HistoryScreen>] = [
    ScreenAction(
      "Fold a bucket; show a metric; zoom to a range; open a sample's line", .rows, keys: [KeyPress(.enter)]
    ) {
      $0.enter()
    },
    ScreenAction(
      "Filter the rows: names, figures, states, fields", .rows, name: "filter", keys: [KeyPress("/")]
    ) {
      $0.startFilter()
    },
    ScreenAction(
      "Sort by time, largest or smallest value", .rows, keys: [KeyPress("s"), KeyPress(.function(6))],
      keyText: "s F6"
    ) { $0.sortNext() },
    ScreenAction("Reverse the order", .rows, name: "turn-the-order-round", keys: [KeyPress("I")]) {
      $0.invertSort()
    },
    ScreenAction("Next match of the filter", .rows, keys: [KeyPress("n")], refusal: needsFilter) {
      $0.nextMatch(1)
    },
    ScreenAction(
      "Previous match of the filter", .rows, name: "match-of-the-filter-before", keys: [KeyPress("N")],
      refusal: needsFilter
    ) {
      $0.nextMatch(-1)
    },
  ]

  private static let taking: [ScreenAction<HistoryScreen>] = [
    ScreenAction("Select a range with the arrows, or stop selecting", .taking, keys: [KeyPress("v")]) {
      $0.toggleSelecting()
    },
    ScreenAction(
      "Save this view under a name", .taking, name: "keep-this-view-under-a-name", keys: [KeyPress("*")]
    ) { $0.startView() },
    ScreenAction(
      "Show the raw line, or what is known about it", .taking, name: "raw-line", keys: [KeyPress("J")],
      refusal: needsRow
    ) { $0.toggleRaw() },
    ScreenAction(
      "Open the line in $EDITOR", .taking, keys: [KeyPress("o")], refusal: needsRow,
      effects: { $0.openEditor() }),
    ScreenAction(
      "Write the range or the window to a file", .taking, keys: [.control("s")], refusal: needsHistory
    ) { $0.startExport() },
  ]

  private static let needsFilter: @Sendable (HistoryScreen) -> String? = {
    $0.state.filter.isEmpty ? "there is no filter" : nil
  }
  private static let needsRow: @Sendable (HistoryScreen) -> String? = {
    $0.selectedRow == nil ? "there is no sample" : nil
  }
  private static let needsHistory: @Sendable (HistoryScreen) -> String? = {
    $0.session.history.isAvailable ? nil : "this input has no history"
  }
}
