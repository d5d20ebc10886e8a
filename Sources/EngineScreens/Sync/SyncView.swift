import Codecs
import DashboardCore
package import Platform
import Sync
import SyncSimulation
package import TerminalUI

/// Draws the Sync screen: an engine as its record tells of it, and nothing else.
package struct SyncView: EngineView {
  package let screen: SyncScreen
  package let layout: EngineLayout<SyncPane>
  package let engine: EngineState
  /// The moment that the screen is of.
  package let now: Timestamp

  init(_ screen: SyncScreen) {
    self.screen = screen
    layout = screen.layout
    engine = screen.state.engine
    now = screen.engineTime
  }

  package var footerHints: [Footer.Hint] {
    let all: [(String, String)]
    if state.isOpen {
      all = [("Enter", "line in the file"), ("Esc", "close"), ("y", "copy"), ("q", "back")]
    } else if controls != .driven {
      all = [
        (signs.leftRight, "decision"), ("Enter", "open"), ("/", "filter"), ("Space", "freeze"), ("t", "time"),
        ("m", "mark"),
        ("[ ]", "trouble"), ("y", "copy"), ("W", "test"), ("q", "back"),
      ]
    } else if session.isFrozen {
      all = [
        (signs.leftRight, "decision"), ("F", "live"), ("B", "branch here"), ("Space", "run on from here"),
        ("Enter", "open"), ("/", "filter"), ("m", "mark"), ("W", "write as test"), ("q", "back"),
      ]
    } else {
      all = [
        ("Space", engine.simulation?.running == true ? "pause" : "run"), (".", "step"), ("f", "fault"),
        ("a", "act"), ("r", "sync"), ("B", "branch"), ("< >", "speed"), ("b", "breaker"), ("X", "offline"),
        (",", "back"), ("/", "filter"), ("S", "scenario"), ("W", "test"), ("q", "back"),
      ]
    }
    return (layout.step >= .narrow ? Array(all.prefix(4)) : all).map { Footer.Hint($0.0, $0.1) }
  }

  package func drawBody(into buffer: inout Buffer) {
    guard !engine.isEmpty else { return drawEmptiness(emptiness, into: &buffer) }
    drawSentence(in: layout[.sentence], into: &buffer)
    drawStory(into: &buffer)
    guard layout.step != .tiny || state.isOpen else { return drawTiny(into: &buffer) }
    if !layout[.engine].isEmpty { drawEngine(into: &buffer) }
    if !layout[.breaker].isEmpty { drawBreaker(into: &buffer) }
    if !layout[.queue].isEmpty { drawQueue(into: &buffer) }
    if !layout[.faults].isEmpty { drawFaults(into: &buffer) }
    if !layout[.timeline].isEmpty { drawTimeline(into: &buffer) }
    if !layout[.detail].isEmpty { drawDetail(into: &buffer) }
    if !layout[.branches].isEmpty { drawBranches(into: &buffer) }
    if !layout[.runs].isEmpty { drawRuns(into: &buffer) }
  }

  /// Why there is no engine to see, and what can be done.
  private var emptiness: (title: String, next: String) {
    if screen.backlog > 0 {
      return (
        "Reading what the sync engine recorded", "\(NumberFormat.count(screen.backlog)) entries to read"
      )
    }
    guard state.log.isEmpty else {
      return ("No sync engine yet at this moment", "F returns to the live end")
    }
    return (
      "No sync engine in this file",
      session.scenarios[.sync] == nil
        ? "An app that links Sync records one, and so does mistertop simulate" : "S plays a scenario"
    )
  }

  private func drawTiny(into buffer: inout Buffer) {
    let area = layout[.engine]
    guard !area.isEmpty else { return }
    write([stateLine, breakerLine, queueLine(width: area.width)], in: area, into: &buffer)
    let rest = area.inset(top: min(area.height, 3))
    if !rest.isEmpty { write(listed(in: rest), in: rest, into: &buffer) }
    buffer.write(
      session.keyText("?"), at: Position(x: frame.body.maxX - 1, y: frame.body.y), style: theme[.key])
  }

  /// The look of a state.
  func style(of state: SyncState.Kind) -> Style { theme[role(of: state)] }

  func role(of state: SyncState.Kind) -> Role {
    switch state {
    case .idle: .good
    case .syncing, .pulling: .accent
    case .rateLimited: .warning
    case .error: .alert
    }
  }
}
