package import DashboardCore
import Essentials
package import Platform
import Sync
import SyncSimulation
package import TerminalUI

/// Draws the Sync screen: an engine according to its record alone.
package struct SyncView: EngineView {
  package let screen: SyncScreen
  package let session: Session
  package let state: SyncScreen.State
  package let theme: Theme
  package let layout: EngineLayout<SyncPane>
  package let texts: EngineTexts
  package let engine: EngineState
  /// The moment of the screen.
  package let now: Timestamp

  init(_ screen: SyncScreen) {
    self.screen = screen
    (session, state) = (screen.session, screen.state)
    theme = session.theme
    texts = screen.texts
    layout = screen.layout(below: texts)
    engine = state.engine
    now = screen.engineTime
  }

  package var hints: (recorded: [(String, String)], past: [(String, String)], driven: [(String, String)]) {
    (
      [
        (signs.leftRight, "decision"), ("Enter", "open"), ("/", "filter"), ("Space", "freeze"), ("t", "time"),
        ("m", "mark"), ("[ ]", "trouble"), ("y", "copy"), ("W", "test"), ("q", "back"),
      ],
      [
        (signs.leftRight, "decision"), ("F", "live"), ("B", "branch here"), ("Space", "run on from here"),
        ("Enter", "open"), ("/", "filter"), ("m", "mark"), ("W", "write as test"), ("q", "back"),
      ],
      [
        ("Space", engine.simulation?.running == true ? "pause" : "run"), (".", "step"), ("f", "fault"),
        ("a", "act"), ("r", "sync"), ("B", "branch"), ("< >", "speed"), ("b", "breaker"), ("X", "offline"),
        (",", "back"), ("/", "filter"), ("S", "scenario"), ("W", "test"), ("q", "back"),
      ]
    )
  }

  package var recorder: String { "An app that links Sync records one, and so does mistertop simulate" }

  package func drawOwn(into buffer: inout Buffer) {
    guard layout.step != .tiny || state.isOpen else { return drawTiny(into: &buffer) }
    if !layout[.engine].isEmpty { drawEngine(into: &buffer) }
    if !layout[.breaker].isEmpty { drawBreaker(into: &buffer) }
    if !layout[.queue].isEmpty { drawQueue(into: &buffer) }
    if !layout[.runs].isEmpty { drawRuns(into: &buffer) }
  }

  /// One line, or two where panes have boxes.
  package func controlsOffLines(width: Int) -> [String] {
    layout.hasBoxes ? controlsOff.components(separatedBy: "; ") : [controlsOff]
  }

  private func drawTiny(into buffer: inout Buffer) {
    let area = layout[.engine]
    guard !area.isEmpty else { return }
    write([stateLine, breakerLine, queueLine(width: area.width)], in: area, into: &buffer)
    let rest = area.inset(top: min(area.height, 3))
    if !rest.isEmpty { write(timelineLines(in: rest), in: rest, into: &buffer) }
    drawHelpKey(into: &buffer)
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
