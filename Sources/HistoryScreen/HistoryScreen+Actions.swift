package import DashboardCore
import TerminalUI

// Actions of the History screen besides those of all screens.
extension HistoryScreen {
  package static let actions =
    ScreenAction.comparing { $0.timeSpan } + ScreenAction.freezing + window + rows + matching + taking

  private static let window: [ScreenAction<HistoryScreen>] =
    ScreenAction.zooming { $0.canZoom($1) } + [
      ScreenAction.scaling(
        hasChart: { !$0.layout[.chart].isEmpty },
        hasAxis: { !($0.session.history.answer?.isTextChart ?? false) }),
      ScreenAction.pinning({ $0.curveIdentity }, hasChart: { !$0.layout[.chart].isEmpty }),
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
  ]

  private static let matching: [ScreenAction<HistoryScreen>] = ScreenAction.matching(
    hasFilter: { !$0.state.filter.isEmpty }, invert: { $0.invertSort() }, next: { $0.nextMatch($1) })

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

  private static let needsRow: @Sendable (HistoryScreen) -> String? = {
    $0.selectedRow == nil ? "there is no sample" : nil
  }
  private static let needsHistory: @Sendable (HistoryScreen) -> String? = {
    $0.session.history.isAvailable ? nil : "this input has no history"
  }
}
