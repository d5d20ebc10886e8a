import Aggregation
import TerminalUI

extension Action {
  /// Everything that can be done on the Live screen, in the order of help; footer hints in this order too.
  package static let all: [Action] = freezing + windows + moving + rows + looking + leaving

  private static let freezing: [Action] = [
    Action(
      "Freeze the picture, or run again", keys: [KeyPress(" "), KeyPress("p"), KeyPress("Z")], hint: "freeze"
    ) { $0.toggleFreeze() },
    Action(
      "Move the playhead back", keys: [KeyPress(.left), KeyPress("h")], keyText: "← h", refusal: needsSamples
    ) { $0.movePlayhead(by: -1) },
    Action(
      "Move the playhead forward", keys: [KeyPress(.right), KeyPress("l")], keyText: "→ l",
      refusal: { $0.isFrozen ? nil : "it is at the live end" }
    ) { $0.movePlayhead(by: 1) },
    Action(
      "Return to the live end", keys: [KeyPress("F")], hint: nil,
      refusal: { $0.isFrozen ? nil : "it is at the live end" }
    ) { $0.goLive() },
  ]

  private static let windows: [Action] = [
    Action(
      "Zoom in: a shorter window", keys: [KeyPress("+")], hint: nil,
      refusal: { $0.canZoom(-1) ? nil : "this is the shortest window" }
    ) { $0.zoom(-1) },
    Action(
      "Zoom out: a longer window", keys: [KeyPress("-")],
      refusal: { $0.canZoom(1) ? nil : "this is the longest window" }
    ) { $0.zoom(1) },
    Action("Usual window and zoom", keys: [KeyPress("="), KeyPress("0")]) { $0.resetZoom() },
    Action(
      "Automatic value axis on or off", keys: [KeyPress("a")],
      refusal: { $0.live.content.focus == nil ? "there is no chart" : nil }
    ) { $0.toggleAutoScale() },
  ]

  private static let moving: [Action] = [
    Action("Up", keys: [KeyPress(.up), KeyPress("k")]) { $0.moveCursor(by: -1) },
    Action("Down", keys: [KeyPress(.down), KeyPress("j")]) { $0.moveCursor(by: 1) },
    Action("A page up", keys: [KeyPress(.pageUp), .control("b")]) { $0.moveCursor(by: -$0.page) },
    Action("A page down", keys: [KeyPress(.pageDown), .control("f")]) { $0.moveCursor(by: $0.page) },
    Action("Half a page up", keys: [.control("u")]) { $0.moveCursor(by: -max(1, $0.page / 2)) },
    Action("Half a page down", keys: [.control("d")]) { $0.moveCursor(by: max(1, $0.page / 2)) },
    Action("First row", keys: [KeyPress("g"), KeyPress(.home)]) { $0.moveCursor(by: -.max) },
    Action("Last row, and the live end", keys: [KeyPress("G"), KeyPress(.end)]) { $0.goToEnd() },
  ]

  private static let rows: [Action] = [
    Action(
      "Fold a bucket; open a metric's samples, a sample's line", keys: [KeyPress(.enter)], hint: "open",
      refusal: needsSelection, effects: { $0.enter() }),
    Action("Filter the rows by name", keys: [KeyPress("/")], hint: "filter") { $0.startFilter() },
    Action(
      "Sort by the next column", keys: [KeyPress("s"), KeyPress(.function(6))], keyText: "s F6", hint: "sort"
    ) {
      $0.sortNext()
    },
    Action("Turn the order round", keys: [KeyPress("I")]) { $0.invertSort() },
    Action("Next match of the filter", keys: [KeyPress("n")], refusal: needsFilter) { $0.nextMatch(1) },
    Action("Match of the filter before", keys: [KeyPress("N")], refusal: needsFilter) { $0.nextMatch(-1) },
    Action("Next alert", keys: [KeyPress("e")], hint: "alert", refusal: needsAlert) { $0.nextAlert(1) },
    Action("Alert before", keys: [KeyPress("E")], refusal: needsAlert) { $0.nextAlert(-1) },
    Action("Rejected lines", keys: [KeyPress("b")], refusal: needsRejections) { $0.showRejections() },
  ]

  private static let looking: [Action] = [
    Action("Next pane", keys: [KeyPress(.tab)], hint: "pane", refusal: needsPanes) { $0.nextPane(1) },
    Action("Pane before", keys: [KeyPress(.backTab)], refusal: needsPanes) { $0.nextPane(-1) },
    Action("This pane alone, or all", keys: [KeyPress("z")], hint: "max", refusal: needsRoom) {
      $0.toggleMaximised()
    },
    Action(
      "Copy the row, or what is listed", keys: [KeyPress("y")], hint: "copy", refusal: needsSelection,
      effects: { $0.copy() }),
    Action("Mouse on or off", keys: [KeyPress("M")], effects: { $0.toggleMouse() }),
    Action("Draw everything again", keys: [.control("l")], effects: { _ in [.redraw] }),
    Action(
      "All keys", keys: [KeyPress("?"), KeyPress(.function(1))], keyText: "? F1"
    ) { $0.showHelp() },
  ]

  private static let leaving: [Action] = [
    Action("Close what lies on top", keys: [KeyPress(.escape)]) { $0.close() },
    Action(
      "Back, or quit", keys: [KeyPress("q"), KeyPress(.function(10))], keyText: "q F10", hint: "quit",
      effects: { $0.back() }),
    Action("Quit now", keys: [KeyPress("Q"), .control("c")], effects: { _ in [.quit] }),
    Action("Suspend", keys: [.control("z")], effects: { _ in [.suspend] }),
  ]
}

extension Action {
  private static let needsSamples: @Sendable (Model) -> String? = {
    $0.store.recorded == 0 ? "there are no samples" : nil
  }
  private static let needsSelection: @Sendable (Model) -> String? = {
    $0.live.overlay == nil && $0.live.selection == nil ? "there is no row" : nil
  }
  private static let needsFilter: @Sendable (Model) -> String? = {
    $0.live.filter.isEmpty ? "there is no filter" : nil
  }
  private static let needsAlert: @Sendable (Model) -> String? = {
    $0.live.content.survey.events.contains { $0.kind.isAlert } ? nil : "there is no alert"
  }
  private static let needsRejections: @Sendable (Model) -> String? = {
    $0.shown.status.rejections.isEmpty ? "no line was rejected" : nil
  }
  private static let needsPanes: @Sendable (Model) -> String? = {
    $0.panes.count > 1 ? nil : "there is one pane at this size"
  }
  private static let needsRoom: @Sendable (Model) -> String? = {
    LiveLayout(size: $0.size).panes.count > 1 ? nil : "there is one pane at this size"
  }
}
