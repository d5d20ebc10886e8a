import Codecs
import Platform
import Sync
package import TerminalUI

/// Draws the Sync screen: an engine as its record tells of it, and nothing else.
package struct SyncView: EngineView {
  package let model: ScreenModel<SyncScreen>
  let layout: SyncLayout
  let engine: EngineState
  /// The moment that the screen is of.
  let now: Timestamp

  init(model: ScreenModel<SyncScreen>) {
    self.model = model
    layout = model.layout
    engine = model.state.engine
    now = model.engineTime
  }

  package var frame: ScreenFrame { layout.frame }
  package var shortSubject: String { SyncScreen.title.title }
  package var hasOwnTime: Bool { engine.simulation != nil }

  /// When the breaker opened and when faults were switched on, in all of the shown branch.
  package var railSigns: [RailSign] {
    state.log.state(of: state.branch).incidents.map { incident in
      switch incident.value {
      case .breakerOpened: RailSign(text: "b", time: incident.time, style: theme[.alert])
      case .faultOn: RailSign(text: "F", time: incident.time, style: theme[.warning])
      }
    }
  }

  package var subject: String { simulationSubject }
  package var shorterSubjects: [String] { shorterSimulationSubjects }
  var controls: EngineControls { layout.needs.controls }

  package var footerHints: [Footer.Hint] {
    let all: [(String, String)]
    if layout.needs.controls != .driven {
      all = [
        (signs.leftRight, "decision"), ("Enter", "go there"), ("Space", "freeze"), ("t", "time"),
        ("m", "mark"),
        ("[ ]", "marker"), ("y", "copy"), ("q", "back"),
      ]
    } else if session.isFrozen {
      all = [
        (signs.leftRight, "decision"), ("F", "live"), ("B", "branch here"), ("Space", "run on from here"),
        ("Enter", "go there"), ("m", "mark"), ("W", "write as test"), ("q", "back"),
      ]
    } else {
      all = [
        ("Space", engine.simulation?.running == true ? "pause" : "run"), (".", "step"), ("f", "fault"),
        ("a", "act"), ("r", "sync"), ("B", "branch"), ("< >", "speed"), ("b", "breaker"), ("o", "offline"),
        (",", "back"), ("S", "scenario"), ("W", "test"), ("q", "back"),
      ]
    }
    return (layout.step >= .narrow ? Array(all.prefix(4)) : all).map { Footer.Hint($0.0, $0.1) }
  }

  package func drawBody(into buffer: inout Buffer) {
    guard !engine.isEmpty else { return drawEmptiness(emptiness, into: &buffer) }
    guard layout.step != .tiny else { return drawTiny(into: &buffer) }
    if !layout.engine.isEmpty { drawEngine(into: &buffer) }
    if !layout.breaker.isEmpty { drawBreaker(into: &buffer) }
    if !layout.queue.isEmpty { drawQueue(into: &buffer) }
    if !layout.faults.isEmpty { drawFaults(into: &buffer) }
    if !layout.transitions.isEmpty { drawTransitions(into: &buffer) }
    if !layout.branches.isEmpty { drawBranches(into: &buffer) }
    if !layout.runs.isEmpty { drawRuns(into: &buffer) }
  }

  /// Why there is no engine to see, and what can be done.
  private var emptiness: (title: String, next: String) {
    if model.backlog > 0 {
      return ("Reading what the sync engine recorded", "\(NumberFormat.count(model.backlog)) entries to read")
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
    let area = frame.body
    guard !area.isEmpty else { return }
    let lines =
      [stateLine, breakerLine, queueLine]
      + transitionLines(from: 0, count: max(0, area.height - 3), width: area.width)
    write(lines, in: area, into: &buffer)
    buffer.write("?", at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
  }

  /// Draws what stands around a pane.
  func drawPanel(
    _ title: String, trailing: String = "", footer: String = "", footerTrailing: String = "",
    pane: SyncPane? = nil, in area: Rect, into buffer: inout Buffer
  ) {
    guard layout.step <= .stacked else { return }
    Panel(
      title, look: layout.hasBoxes ? .box : .rule, trailing: trailing, footer: layout.hasBoxes ? footer : "",
      footerTrailing: layout.hasBoxes ? footerTrailing : "",
      isFocused: pane == state.pane && layout.panes.count > 1, theme: theme
    )
    .render(in: area, into: &buffer)
  }

  /// The look of a state.
  func style(of state: SyncState.Kind) -> Style {
    switch state {
    case .idle: theme[.good]
    case .syncing, .pulling: theme[.accent]
    case .rateLimited: theme[.warning]
    case .error: theme[.alert]
    }
  }
}
