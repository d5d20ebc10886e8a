import Aggregation
import TerminalUI

extension Action {
  /// Everything that can be done, in the order of help.
  package static let all: [Action] =
    screens + comparing + freezing + syncing + windows + moving + rows + travelling + taking + looking
    + leaving

  private static let screens: [Action] = Screen.allCases.map { screen in
    Action(
      "The \(screen.title) screen", keys: [KeyPress(screen.key)],
      refusal: { $0.screen == screen && !$0.history.isGivenUp ? "it is shown" : nil }
    ) { $0.show(screen) }
  }

  private static let freezing: [Action] = [
    Action(
      "Freeze the picture, or run again", on: [.live, .history, .histogram],
      keys: [KeyPress(" "), KeyPress("p"), KeyPress("Z")]
    ) { $0.toggleFreeze() },
    Action(
      "Move the playhead back", on: [.live, .history, .histogram], keys: [KeyPress(.left), KeyPress("h")],
      keyText: "← h", refusal: needsSamples
    ) { $0.movePlayhead(by: -1) },
    Action(
      "Move the playhead forward", on: [.live, .history, .histogram],
      keys: [KeyPress(.right), KeyPress("l")],
      keyText: "→ l", refusal: { $0.isFrozen ? nil : "it is at the live end" }
    ) { $0.movePlayhead(by: 1) },
    Action(
      "Ten steps back; in the history's chart: select a range", keys: [KeyPress(.left, .shift)],
      refusal: needsSamples
    ) { $0.movePlayheadFar(-1) },
    Action(
      "Ten steps forward; in the history's chart: select a range", keys: [KeyPress(.right, .shift)],
      refusal: { $0.isFrozen ? nil : "it is at the live end" }
    ) { $0.movePlayheadFar(1) },
    Action(
      "Return to the live end", keys: [KeyPress("F")],
      refusal: { $0.isFrozen ? nil : "it is at the live end" }
    ) { $0.goLive() },
  ]

  private static let windows: [Action] = [
    Action(
      "Zoom in: a shorter window", on: [.live, .history, .histogram], keys: [KeyPress("+")],
      refusal: { $0.canZoom(-1) ? nil : "this is the shortest window" }
    ) { $0.zoom(-1) },
    Action(
      "Zoom out: a longer window", on: [.live, .history, .histogram], keys: [KeyPress("-")],
      refusal: { $0.canZoom(1) ? nil : "this is the longest window" }
    ) { $0.zoom(1) },
    Action(
      "Usual window and zoom; on the histogram: all times, and rows that fit",
      on: [.live, .history, .histogram],
      keys: [KeyPress("="), KeyPress("0")]
    ) {
      $0.resetZoom()
    },
    Action(
      "Automatic value axis on or off", on: [.live], keys: [KeyPress("a")],
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
    Action("First row", on: [.live, .history, .sync], keys: [KeyPress("g"), KeyPress(.home)]) {
      $0.goToStart()
    },
    Action("First row", on: [.histogram], keys: [KeyPress(.home)]) { $0.goToStart() },
    Action("Last row, and the live end", keys: [KeyPress("G"), KeyPress(.end)]) { $0.goToEnd() },
  ]

  private static let rows: [Action] = [
    Action(
      "Fold a bucket; open a metric's samples, a sample's line", on: [.live], keys: [KeyPress(.enter)],
      refusal: needsSelection, effects: { $0.enter() }),
    Action(
      "Fold a bucket; show a metric; open a sample's line", on: [.history], keys: [KeyPress(.enter)],
      effects: { $0.enter() }),
    Action(
      "Go to the moment of a decision; among faults: on or off; in the engine: everything about it",
      on: [.sync], keys: [KeyPress(.enter)],
      refusal: needsDecision,
      effects: { $0.enter() }),
    Action("Filter the rows by name", on: [.live, .history], keys: [KeyPress("/")]) { $0.startFilter() },
    Action(
      "Sort by the next column", on: [.live], keys: [KeyPress("s"), KeyPress(.function(6))], keyText: "s F6"
    ) { $0.sortNext() },
    Action(
      "Sort by time, largest or smallest value", on: [.history],
      keys: [KeyPress("s"), KeyPress(.function(6))], keyText: "s F6"
    ) { $0.sortNext() },
    Action("Turn the order round", on: [.live, .history], keys: [KeyPress("I")]) { $0.invertSort() },
    Action(
      "Next match of the filter", on: [.live, .history], keys: [KeyPress("n")], refusal: needsFilter
    ) { $0.nextMatch(1) },
    Action(
      "Match of the filter before", on: [.live, .history], keys: [KeyPress("N")], refusal: needsFilter
    ) { $0.nextMatch(-1) },
    Action("Next alert", keys: [KeyPress("e")], refusal: needsAlert) { $0.nextAlert(1) },
    Action("Alert before", keys: [KeyPress("E")], refusal: needsAlert) { $0.nextAlert(-1) },
    Action("Rejected lines", on: [.live], keys: [KeyPress("b")], refusal: needsRejections) {
      $0.showRejections()
    },
  ]

  private static let travelling: [Action] = [
    Action("Go to a time", keys: [KeyPress("t")], refusal: needsSamples) { $0.startGoTo() },
    Action(
      "Mark or alert before", keys: [KeyPress("["), KeyPress(.left, .alt)], refusal: needsMarker
    ) { $0.nextMarker(-1) },
    Action(
      "Next mark or alert", keys: [KeyPress("]"), KeyPress(.right, .alt)], refusal: needsMarker
    ) { $0.nextMarker(1) },
    Action("Mark this moment with a letter", keys: [KeyPress("m")], refusal: needsSamples) {
      $0.startLetter(.setMark)
    },
    Action(
      "Go to the mark of a letter", keys: [KeyPress("'")],
      refusal: { $0.notes.marks.isEmpty ? "there is no mark" : nil }
    ) { $0.startLetter(.goToMark) },
  ]

  private static let taking: [Action] = [
    Action("Select a range with the arrows, or end that", on: [.history], keys: [KeyPress("v")]) {
      $0.toggleSelecting()
    },
    Action("Keep this look under a name", on: [.history], keys: [KeyPress("L")]) { $0.startLook() },
    Action(
      "The raw line, or what is known about it", on: [.history], keys: [KeyPress("J")], refusal: needsRow
    ) {
      $0.toggleRaw()
    },
    Action(
      "Open the line in $EDITOR", on: [.history], keys: [KeyPress("o")], refusal: needsRow,
      effects: { $0.openEditor() }),
    Action(
      "Write the range or the window to a file", on: [.history], keys: [.control("s")], refusal: needsHistory
    ) { $0.startExport() },
  ]

  private static let looking: [Action] = [
    Action("Next pane", keys: [KeyPress(.tab)], refusal: needsPanes) { $0.nextPane(1) },
    Action("Pane before", keys: [KeyPress(.backTab)], refusal: needsPanes) { $0.nextPane(-1) },
    Action("This pane alone, or all", keys: [KeyPress("z")], refusal: needsPanes) { $0.isMaximised.toggle() },
    Action(
      "Copy the row, or what is listed", keys: [KeyPress("y")], refusal: needsSelection,
      effects: { $0.copy() }),
    Action("Mouse on or off", keys: [KeyPress("M")], effects: { $0.toggleMouse() }),
    Action("Draw everything again", keys: [.control("l")], effects: { _ in [.redraw] }),
    Action(
      "All keys", keys: [KeyPress("?"), KeyPress(.function(1))], keyText: "? F1"
    ) { $0.showHelp() },
  ]

  private static let leaving: [Action] = [
    Action(
      "Close what lies on top, or give up what is under way", keys: [KeyPress(.escape)],
      effects: { $0.close() }),
    Action(
      "Back", keys: [KeyPress(.backspace)], refusal: { $0.canGoBack ? nil : "nothing lies before this" },
      effects: { $0.back() }),
    Action(
      "Back, or quit", keys: [KeyPress("q"), KeyPress(.function(10))], keyText: "q F10",
      effects: { $0.back() }),
    Action("Quit now", keys: [KeyPress("Q"), .control("c")], effects: { _ in [.quit] }),
    Action("Suspend", keys: [.control("z")], effects: { _ in [.suspend] }),
  ]
}

extension Action {
  private static let needsSamples: @Sendable (Model) -> String? = {
    $0.knownRange == nil ? "there are no samples" : nil
  }
  private static let needsSelection: @Sendable (Model) -> String? = {
    $0.screen == .live && $0.overlay == nil && $0.live.selection == nil ? "there is no row" : nil
  }
  private static let needsDecision: @Sendable (Model) -> String? = {
    ![.faults, .engine].contains($0.sync.pane) && $0.sync.picture.transitions.isEmpty
      ? "there is no decision" : nil
  }
  private static let needsFilter: @Sendable (Model) -> String? = {
    $0.filter.isEmpty ? "there is no filter" : nil
  }
  private static let needsAlert: @Sendable (Model) -> String? = {
    $0.live.content.survey.events.contains { $0.kind.isAlert } ? nil : "there is no alert"
  }
  private static let needsRejections: @Sendable (Model) -> String? = {
    $0.shown.status.rejections.isEmpty ? "no line was rejected" : nil
  }
  private static let needsPanes: @Sendable (Model) -> String? = {
    $0.paneCount > 1 ? nil : "there is one pane at this size"
  }
  private static let needsMarker: @Sendable (Model) -> String? = {
    $0.markers.isEmpty ? "there is no mark and no alert" : nil
  }
  static let needsHistory: @Sendable (Model) -> String? = {
    $0.history.isAvailable ? nil : "there is no history of this input"
  }
  private static let needsRow: @Sendable (Model) -> String? = {
    $0.selectedRow == nil ? "there is no sample" : nil
  }
}
