package import DashboardCore
import DeliverySimulation
package import Platform
package import TerminalUI

/// Draws the Delivery screen: a client according to its record alone.
package struct DeliveryView: EngineView {
  package let screen: DeliveryScreen
  package let session: Session
  package let state: DeliveryScreen.State
  package let theme: Theme
  package let layout: EngineLayout<DeliveryPane>
  package let texts: EngineTexts
  package let engine: ClientState
  /// The moment of the screen.
  package let now: Timestamp

  init(_ screen: DeliveryScreen) {
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
        (signs.leftRight, "entry"), ("[ ]", "failure"), ("Enter", "open"), ("/", "filter"),
        ("Space", "freeze"), ("t", "time"), ("m", "mark"), ("y", "copy"), ("Y", "command"), ("q", "back"),
      ],
      [
        (signs.leftRight, "entry"), ("F", "live"), ("[ ]", "failure"), ("B", "branch here"),
        ("Space", "run on from here"), ("Enter", "open"), ("m", "mark"), ("W", "write as test"),
        ("q", "back"),
      ],
      [
        ("Space", engine.simulation?.running == true ? "pause" : "run"), (".", "step"), ("f", "fault"),
        ("a", "act"), ("r", "flush"), ("X", "offline"), ("K", screen.isAlive ? "kill" : "start"),
        ("B", "branch"), ("< >", "speed"), ("[ ]", "failure"), ("/", "filter"), ("S", "scenario"),
        ("W", "test"), ("q", "back"),
      ]
    )
  }

  package var recorder: String {
    "Apps that link Delivery record one, and so does mistertop simulate --delivery"
  }

  package func drawOwn(into buffer: inout Buffer) {
    if !layout[.card(0)].isEmpty { drawCards(into: &buffer) }
    if !layout[.lines].isEmpty { drawLines(into: &buffer) }
    if layout.step == .tiny { drawHelpKey(into: &buffer) }
  }

  package func drawBranches(into buffer: inout Buffer) { drawComparison(into: &buffer) }

  /// The reason comes first; the remedy follows if it fits.
  package func controlsOffLines(width: Int) -> [String] {
    [controlsOff.count <= width ? controlsOff : String(controlsOff.prefix { $0 != ";" })]
  }
}
