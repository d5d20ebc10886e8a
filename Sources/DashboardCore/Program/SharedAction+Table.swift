import Aggregation
import TerminalUI

// Actions available on every screen, unless the screen uses the key itself.
extension SharedAction {
  static func shared(screens: [ScreenTitle]) -> [SharedAction] {
    tabs(screens) + time + cursor + rows + alerts + limits + travel + looking + settings + leaving
  }

  private static func tabs(_ screens: [ScreenTitle]) -> [SharedAction] {
    screens.enumerated().map { tab, screen in
      SharedAction(
        "The \(screen.title) screen", .screens, name: "\(screen.name)-screen",
        keys: [KeyPress(ScreenTabs.key(of: tab))],
        refusal: {
          $0.session.tabs.selection == tab && !$0.session.history.isGivenUp ? "it is already shown" : nil
        },
        effects: { $0.show(tab: tab) })
    }
  }

  private static let time: [SharedAction] = [
    SharedAction(
      "Ten steps back; in the History chart: extend the selection", .time, keys: [KeyPress(.left, .shift)],
      refusal: needsSamples, effects: { $0.tell(.movePlayheadFar(-1)) }),
    SharedAction(
      "Ten steps forward; in the History chart: extend the selection", .time,
      keys: [KeyPress(.right, .shift)],
      refusal: { $0.session.isFrozen ? nil : "this is the live end" },
      effects: { $0.tell(.movePlayheadFar(1)) }),
    SharedAction(
      "Return to the live end", .time, keys: [KeyPress("F")],
      refusal: { $0.session.isFrozen ? nil : "this is the live end" }
    ) { $0.goLive() },
    SharedAction(
      "Draw sources with another clock by arrival, or by their stamps", .time, name: "align-to-arrival",
      keys: [KeyPress("@")],
      refusal: { $0.session.shown.status.skews.isEmpty ? "no source has another clock" : nil }
    ) { $0.toggleAlignment() },
  ]

  private static let cursor: [SharedAction] = [
    SharedAction("Up", .cursor, keys: [KeyPress(.up), KeyPress("k")], effects: { $0.moveCursor(by: -1) }),
    SharedAction("Down", .cursor, keys: [KeyPress(.down), KeyPress("j")], effects: { $0.moveCursor(by: 1) }),
    SharedAction(
      "A page up", .cursor, keys: [KeyPress(.pageUp), .control("b")],
      effects: { $0.moveCursor(by: -$0.page) }),
    SharedAction(
      "A page down", .cursor, keys: [KeyPress(.pageDown), .control("f")],
      effects: { $0.moveCursor(by: $0.page) }),
    SharedAction(
      "Half a page up", .cursor, keys: [.control("u")], effects: { $0.moveCursor(by: -max(1, $0.page / 2)) }),
    SharedAction(
      "Half a page down", .cursor, keys: [.control("d")], effects: { $0.moveCursor(by: max(1, $0.page / 2)) }),
    SharedAction(
      "First row", .cursor, keys: [KeyPress("g"), KeyPress(.home)], effects: { $0.moveCursor(by: -.max) }),
    SharedAction(
      "Last row, and the live end", .cursor, keys: [KeyPress("G"), KeyPress(.end)], effects: { $0.goToEnd() }),
  ]

  private static let rows: [SharedAction] = [
    SharedAction("Open what is selected", .rows, keys: [KeyPress(.enter)], effects: { $0.tell(.enter) })
  ]

  private static let alerts: [SharedAction] = [
    SharedAction(
      "Next alert: the start of the worst, its worst moment, then older ones", .alerts, keys: [KeyPress("e")],
      refusal: needsAlert,
      effects: { $0.nextAlert(1) }),
    SharedAction(
      "Previous alert: back to newer ones", .alerts, name: "alert-before", keys: [KeyPress("E")],
      refusal: needsAlert,
      effects: { $0.nextAlert(-1) }),
    SharedAction(
      "Acknowledge the incident of the first line, or take it back", .alerts, name: "acknowledge",
      keys: [KeyPress("x")],
      refusal: { $0.namedProblem == nil ? "the first line names no incident" : nil },
      effects: { model in model.namedProblem.map { model.session.toggleAcknowledgement(of: $0) } ?? [] }),
    SharedAction(
      "Ignore a metric or a kind of change in this file, or show it again", .alerts, name: "ignore",
      keys: [KeyPress("X")],
      refusal: { $0.ignorable.isEmpty ? "no metric is selected" : nil },
      change: { $0.startPicker(.ignored) }),
    SharedAction(
      "Sensitivity of the search for incidents: low, normal or high", .alerts, name: "next-sensitivity",
      keys: [KeyPress("$")],
      refusal: { $0.session.history.isAvailable ? nil : "this input has no incidents" },
      effects: { $0.session.setNextSensitivity() }),
  ]

  private static let limits: [SharedAction] = [
    SharedAction(
      "Set a limit for this metric", .alerts, name: "set-a-limit-of-the-metric", keys: [KeyPress("#")],
      refusal: { $0.limitedMetric == nil ? "no numeric metric is selected" : nil },
      effects: { $0.askForLimit() })
  ]

  private static let travel: [SharedAction] = [
    SharedAction("Go to a time", .travel, keys: [KeyPress("t")], refusal: needsSamples) {
      $0.overlay = .typing(.time, Prompt())
    },
    SharedAction(
      "Previous mark or alert", .travel, name: "mark-or-alert-before",
      keys: [KeyPress("["), KeyPress(.left, .alt)], refusal: needsMarker,
      effects: { $0.nextMarker(-1) }),
    SharedAction(
      "Next mark or alert", .travel, keys: [KeyPress("]"), KeyPress(.right, .alt)], refusal: needsMarker,
      effects: { $0.nextMarker(1) }),
    SharedAction("Mark this moment with a letter", .travel, keys: [KeyPress("m")], refusal: needsSamples) {
      $0.startLetter(.setMark)
    },
    SharedAction(
      "Go to a mark by its letter", .travel, name: "go-to-the-mark-of-a-letter", keys: [KeyPress("'")],
      refusal: { $0.session.notes.marks.isEmpty ? "there are no marks" : nil }
    ) { $0.startLetter(.goToMark) },
  ]

  private static let looking: [SharedAction] = [
    SharedAction(
      "Next pane", .looking, keys: [KeyPress(.tab)], refusal: needsPanes, effects: { $0.tell(.nextPane(1)) }),
    SharedAction(
      "Previous pane", .looking, name: "pane-before", keys: [KeyPress(.backTab)], refusal: needsPanes,
      effects: { $0.tell(.nextPane(-1)) }),
    SharedAction(
      "Maximise this pane, or show all panes", .looking, name: "this-pane-alone", keys: [KeyPress("z")],
      refusal: needsPanes,
      effects: { $0.tell(.toggleMaximised) }),
    SharedAction(
      "Copy the selected row, or the list", .looking, name: "copy-the-row", keys: [KeyPress("y")],
      refusal: { $0.copiedLines == nil ? "nothing is selected" : nil }, effects: { $0.copy() }),
    SharedAction(
      "Copy the command that draws this screen", .looking, name: "copy-the-command-that-draws-this",
      keys: [KeyPress("Y")], effects: { $0.copyCommand() }),
    SharedAction(
      "Rejected lines", .lines, keys: [KeyPress("!")],
      refusal: { $0.session.rejections.isEmpty ? "no line was rejected" : nil }
    ) { $0.showRejections() },
    SharedAction(
      "Describe this pane in words", .looking, name: "say-in-words-what-this-pane-shows",
      keys: [KeyPress("D")], effects: { $0.describe() }),
    SharedAction("Type a command", .looking, keys: [KeyPress(":")], effects: { $0.startCommandLine() }),
    SharedAction(
      "Redraw the screen", .looking, name: "draw-everything-again", keys: [.control("l")],
      effects: { _ in [.redraw] }),
    SharedAction(
      "All keys", .looking, keys: [KeyPress("?"), KeyPress(.function(1))], keyText: "? F1",
      effects: { $0.showHelp() }),
  ]

  private static let settings: [SharedAction] = [
    SharedAction(
      "Settings", .settings, keys: [KeyPress(.function(2)), KeyPress("&")], effects: { $0.showSettings() }),
    SharedAction("Next theme", .settings, keys: [.control("t")]) { $0.showNextTheme() },
    SharedAction("Mouse on or off", .settings, keys: [KeyPress("M")], effects: { $0.toggleMouse() }),
  ]

  private static let leaving: [SharedAction] = [
    SharedAction(
      "Go back one step, or cancel what is running", .leaving, name: "close-what-lies-on-top",
      keys: [KeyPress(.escape)],
      effects: { $0.close() }),
    SharedAction(
      "Back", .leaving, keys: [KeyPress(.backspace)],
      refusal: { $0.canGoBack ? nil : "there is nothing to go back to" }, effects: { $0.back() }),
    SharedAction(
      "Back, or quit", .leaving, name: "back-or-quit", keys: [KeyPress("q"), KeyPress(.function(10))],
      keyText: "q F10",
      effects: { $0.back() }),
    SharedAction("Quit now", .leaving, keys: [KeyPress("Q"), .control("c")], effects: { _ in [.quit] }),
    SharedAction("Suspend", .leaving, keys: [.control("z")], effects: { _ in [.suspend] }),
  ]
}

extension SharedAction {
  private static let needsSamples: @Sendable (Model) -> String? = {
    $0.session.knownRange == nil ? "there are no samples" : nil
  }
  private static let needsAlert: @Sendable (Model) -> String? = {
    $0.session.alerts.events.contains { $0.kind.isAlert } ? nil : "there are no alerts"
  }
  private static let needsPanes: @Sendable (Model) -> String? = {
    $0.front.paneCount > 1 ? nil : "there is only one pane at this size"
  }
  private static let needsMarker: @Sendable (Model) -> String? = {
    $0.session.markers.isEmpty ? "there are no marks and no alerts" : nil
  }
}
