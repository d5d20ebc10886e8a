import Codecs
import DashboardCore
import DeliverySimulation
package import Platform
package import TerminalUI

/// Draws the Delivery screen: a client as its record tells of it, and nothing else.
package struct DeliveryView: EngineView {
  package let screen: DeliveryScreen
  package let layout: EngineLayout<DeliveryPane>
  package let engine: ClientState
  /// The moment that the screen is of.
  package let now: Timestamp

  init(_ screen: DeliveryScreen) {
    self.screen = screen
    layout = screen.layout
    engine = screen.state.engine
    now = screen.engineTime
  }

  var formatter: TimelineFormatter { TimelineFormatter(zone: zone) }

  package var footerHints: [Footer.Hint] {
    let all: [(String, String)]
    if state.isOpen {
      all = [("Enter", "line in the file"), ("Esc", "close"), ("y", "copy"), ("q", "back")]
    } else if controls != .driven {
      all = [
        (signs.leftRight, "entry"), ("[ ]", "failure"), ("Enter", "open"), ("/", "filter"),
        ("Space", "freeze"),
        ("t", "time"), ("m", "mark"), ("y", "copy"), ("Y", "command"), ("q", "back"),
      ]
    } else if session.isFrozen {
      all = [
        (signs.leftRight, "entry"), ("F", "live"), ("[ ]", "failure"), ("B", "branch here"),
        ("Space", "run on from here"), ("Enter", "open"), ("m", "mark"), ("W", "write as test"),
        ("q", "back"),
      ]
    } else {
      all = [
        ("Space", engine.simulation?.running == true ? "pause" : "run"), (".", "step"), ("f", "fault"),
        ("a", "act"), ("r", "flush"), ("X", "offline"), ("K", screen.isAlive ? "kill" : "start"),
        ("B", "branch"), ("< >", "speed"), ("[ ]", "failure"), ("/", "filter"), ("S", "scenario"),
        ("W", "test"), ("q", "back"),
      ]
    }
    return (layout.step >= .narrow ? Array(all.prefix(4)) : all).map { Footer.Hint($0.0, $0.1) }
  }

  // MARK: The body

  package func drawBody(into buffer: inout Buffer) {
    guard !engine.isEmpty else { return drawEmptiness(emptiness, into: &buffer) }
    drawSentence(in: layout[.sentence], into: &buffer)
    if !layout[.card(0)].isEmpty { drawCards(into: &buffer) }
    if !layout[.lines].isEmpty { drawLines(into: &buffer) }
    if !layout[.faults].isEmpty { drawFaults(into: &buffer) }
    if !layout[.branches].isEmpty { drawBranches(into: &buffer) }
    if !layout[.timeline].isEmpty { drawTimeline(into: &buffer) }
    if !layout[.detail].isEmpty { drawDetail(into: &buffer) }
    if layout.step == .tiny {
      buffer.write(
        session.keyText("?"), at: Position(x: frame.body.maxX - 1, y: frame.body.y), style: theme[.key])
    }
  }

  /// Why there is no client to see, and what can be done.
  private var emptiness: (title: String, next: String) {
    if screen.backlog > 0 {
      return (
        "Reading what the delivery client recorded", "\(NumberFormat.count(screen.backlog)) entries to read"
      )
    }
    guard state.log.isEmpty else {
      return ("No delivery client yet at this moment", "F returns to the live end")
    }
    return (
      "No delivery client in this file",
      session.scenarios[.delivery] == nil
        ? "Apps that link Delivery record one, and so does mistertop simulate --delivery"
        : "S plays a scenario"
    )
  }

  // MARK: What drives

  private func drawFaults(into buffer: inout Buffer) {
    let isDriven = controls == .driven
    let formatter = faultFormatter
    if layout.step >= .narrow {
      let selected = state.pane == .faults && screen.isDriven ? state.fault : nil
      return write([formatter.summary(selected: selected)], in: layout[.faults], into: &buffer)
    }
    drawPanel(
      isDriven ? "Faults  \(formatter.words(formatter.setting(state.fault)))" : "Faults",
      trailing: formatter.onWords,
      pane: .faults, in: layout[.faults], into: &buffer)
    let area = layout.inner(of: layout[.faults])
    if isDriven { return drawFaultGrid(in: area, into: &buffer) }
    drawFaultGrid(in: area.inset(top: 1), into: &buffer)
    // The reason comes first; what to do is behind it where there is room.
    let words = [controlsOff, String(controlsOff.prefix { $0 != ";" })]
    write([Line(words.first { $0.count <= area.width } ?? words[1], theme[.dim])], in: area, into: &buffer)
  }

  private func drawBranches(into buffer: inout Buffer) {
    let area = layout.inner(of: layout[.branches])
    guard let (comparison, branches) = comparison(width: area.width) else { return }
    guard layout[.branches].height > 1 else {
      return write([comparisonLine(comparison)], in: area, into: &buffer)
    }
    drawPanel(
      "What if  \(state.log.change(of: branches.1))", pane: .branches, in: layout[.branches], into: &buffer)
    drawComparison(comparison, of: branches, in: area, into: &buffer)
  }
}
