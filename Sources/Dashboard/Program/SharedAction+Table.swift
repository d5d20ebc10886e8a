import Aggregation
import TerminalUI

// What can be done on every screen, unless the screen uses the key itself.
extension SharedAction {
  static func shared(screens: [ScreenTitle]) -> [SharedAction] {
    tabs(screens) + time + cursor + rows + alerts + limits + travel + looking + settings + leaving
  }

  private static func tabs(_ screens: [ScreenTitle]) -> [SharedAction] {
    screens.enumerated().map { place, screen in
      SharedAction(
        "The \(screen.title) screen", .screens, name: "\(screen.name)-screen",
        keys: [KeyPress(ScreenTabs.key(of: place))],
        refusal: { $0.shownPlace == place && !$0.session.history.isGivenUp ? "it is shown" : nil },
        effects: { $0.show(place: place) })
    }
  }

  private static let time: [SharedAction] = [
    SharedAction(
      "Ten steps back; in the history's chart: select a range", .time, keys: [KeyPress(.left, .shift)],
      refusal: needsSamples, effects: { $0.tell(.movePlayheadFar(-1)) }),
    SharedAction(
      "Ten steps forward; in the history's chart: select a range", .time, keys: [KeyPress(.right, .shift)],
      refusal: { $0.session.isFrozen ? nil : "it is at the live end" },
      effects: { $0.tell(.movePlayheadFar(1)) }),
    SharedAction(
      "Return to the live end", .time, keys: [KeyPress("F")],
      refusal: { $0.session.isFrozen ? nil : "it is at the live end" }
    ) { $0.goLive() },
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
      "Next alert: the worst first, then older ones", .alerts, keys: [KeyPress("e")], refusal: needsAlert,
      effects: { $0.nextAlert(1) }),
    SharedAction(
      "Alert before: back to newer ones", .alerts, keys: [KeyPress("E")], refusal: needsAlert,
      effects: { $0.nextAlert(-1) }),
  ]

  private static let limits: [SharedAction] = [
    SharedAction(
      "Set a limit of the metric", .alerts, keys: [KeyPress("#")],
      refusal: { $0.limitedMetric == nil ? "there is no metric with numbers" : nil },
      effects: { $0.askForLimit() })
  ]

  private static let travel: [SharedAction] = [
    SharedAction("Go to a time", .travel, keys: [KeyPress("t")], refusal: needsSamples) {
      $0.overlay = .typing(.time, Prompt())
    },
    SharedAction(
      "Mark or alert before", .travel, keys: [KeyPress("["), KeyPress(.left, .alt)], refusal: needsMarker,
      effects: { $0.nextMarker(-1) }),
    SharedAction(
      "Next mark or alert", .travel, keys: [KeyPress("]"), KeyPress(.right, .alt)], refusal: needsMarker,
      effects: { $0.nextMarker(1) }),
    SharedAction("Mark this moment with a letter", .travel, keys: [KeyPress("m")], refusal: needsSamples) {
      $0.startLetter(.setMark)
    },
    SharedAction(
      "Go to the mark of a letter", .travel, keys: [KeyPress("'")],
      refusal: { $0.session.notes.marks.isEmpty ? "there is no mark" : nil }
    ) { $0.startLetter(.goToMark) },
  ]

  private static let looking: [SharedAction] = [
    SharedAction(
      "Next pane", .looking, keys: [KeyPress(.tab)], refusal: needsPanes, effects: { $0.tell(.nextPane(1)) }),
    SharedAction(
      "Pane before", .looking, keys: [KeyPress(.backTab)], refusal: needsPanes,
      effects: { $0.tell(.nextPane(-1)) }),
    SharedAction(
      "This pane alone, or all", .looking, keys: [KeyPress("z")], refusal: needsPanes,
      effects: { $0.tell(.toggleMaximised) }),
    SharedAction(
      "Copy the row, or what is listed", .looking, keys: [KeyPress("y")],
      refusal: { $0.copiedLines == nil ? "there is no row" : nil }, effects: { $0.copy() }),
    SharedAction(
      "Copy the command that draws this", .looking, keys: [KeyPress("Y")], effects: { $0.copyCommand() }),
    SharedAction(
      "Rejected lines", .lines, keys: [KeyPress("!")],
      refusal: { $0.session.shown.status.rejections.isEmpty ? "no line was rejected" : nil }
    ) { $0.showRejections() },
    SharedAction(
      "Say in words what this pane shows", .looking, keys: [KeyPress("D")], effects: { $0.describe() }),
    SharedAction("Type a command", .looking, keys: [KeyPress(":")], effects: { $0.startCommandLine() }),
    SharedAction("Draw everything again", .looking, keys: [.control("l")], effects: { _ in [.redraw] }),
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
      "Close what lies on top, or give up what is under way", .leaving, keys: [KeyPress(.escape)],
      effects: { $0.close() }),
    SharedAction(
      "Back", .leaving, keys: [KeyPress(.backspace)],
      refusal: { $0.canGoBack ? nil : "nothing lies before this" }, effects: { $0.back() }),
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
    $0.session.alerts.events.contains { $0.kind.isAlert } ? nil : "there is no alert"
  }
  private static let needsPanes: @Sendable (Model) -> String? = {
    $0.facts.paneCount > 1 ? nil : "there is one pane at this size"
  }
  private static let needsMarker: @Sendable (Model) -> String? = {
    $0.session.markers.isEmpty ? "there is no mark and no alert" : nil
  }
}
