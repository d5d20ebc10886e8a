import Codecs
package import DashboardCore
package import Platform
import TerminalUI

/// A screen of an engine that draws itself.
package protocol EngineView: ScreenView where Owner: EngineScreen {
  var layout: EngineLayout<Owner.State.Pane> { get }
  /// The engine that is shown.
  var engine: Owner.State.Engine { get }
  /// The moment that the screen is of.
  var now: Timestamp { get }
}

extension EngineView {
  package var frame: ScreenFrame { layout.frame }
  package var shortSubject: String { Owner.title.title }
  package var hasOwnTime: Bool { engine.simulation != nil }
  package var subject: String { simulationSubject }
  package var shorterSubjects: [String] { shorterSimulationSubjects }
  var controls: EngineControls { layout.controls }

  /// When the breaker opened and when faults were switched on, in all of the shown branch.
  package var railSigns: [RailSign] {
    state.log.state(of: state.branch).incidents.map { incident in
      switch incident.value {
      case .breakerOpened: RailSign(text: "b", time: incident.time, style: theme[.alert])
      case .faultOn: RailSign(text: "F", time: incident.time, style: theme[.warning])
      }
    }
  }

  /// Draws what stands around a pane.
  ///
  /// - Parameter lesser: What leaves the right of the title first.
  func drawPanel(
    _ title: String, trailing: String = "", lesser: String = "", pane: Owner.State.Pane? = nil, in area: Rect,
    into buffer: inout Buffer
  ) {
    guard layout.step <= .stacked else { return }
    var panel = Panel(
      title, look: layout.step.paneLook, trailing: trailing,
      isFocused: pane == state.pane && layout.panes.count > 1, theme: theme)
    if !lesser.isEmpty { panel.trailing.append(Line(lesser, theme[.dim])) }
    panel.render(in: area, into: &buffer)
  }

  /// True if it runs on as one looks: not in the past, whatever it did then.
  func isRunning(_ simulation: some SimulationStatement) -> Bool { simulation.running && !session.isFrozen }

  /// `x5`.
  func speedText(_ simulation: some SimulationStatement) -> String {
    "x\(NumberFormat.text(simulation.speed, decimals: simulation.speed < 1 ? 2 : 0))"
  }

  /// `SIM ▸ x1 t1 step 22 rate-limit-storm seed 42`, or nothing for an app.
  var simulationSubject: String {
    guard let simulation = engine.simulation else { return "" }
    let branch = state.other == nil ? "" : " \(BranchName.text(state.branch))"
    return "SIM \(isRunning(simulation) ? signs.collapsed : signs.frozen) \(speedText(simulation)) "
      + "\(zone.time(now))\(branch) step \(simulation.step) \(simulation.scenario ?? "") seed \(simulation.seed)"
  }

  /// The same without seed, then without the scenario, then as little as tells that it is one.
  var shorterSimulationSubjects: [String] {
    guard let simulation = engine.simulation else { return [] }
    let branch = state.other == nil ? "" : " \(BranchName.text(state.branch))"
    let short = "SIM \(isRunning(simulation) ? signs.collapsed : signs.frozen) \(speedText(simulation))"
    let timed = "\(short) \(zone.time(now))\(branch)"
    return [
      "\(timed) step \(simulation.step) \(simulation.scenario ?? "")", "\(timed) step \(simulation.step)",
      timed, short,
    ]
  }

  /// Writes lines from the top of an area, as many as fit.
  func write(_ lines: [Line], in area: Rect, into buffer: inout Buffer) {
    for (row, line) in lines.prefix(area.height).enumerated() {
      buffer.write(line, at: Position(x: area.x, y: area.y + row), limit: area.width, overflow: .ellipsis)
    }
  }

  // MARK: Faults

  var faultFormatter: FaultFormatter<Owner.State.Simulated.Fault> {
    FaultFormatter(recorded: engine.faultSettings, theme: theme)
  }

  /// Why the controls are off.
  var controlsOff: String {
    "controls off: " + (screen.driveRefusal ?? "no simulation is running; S starts one")
  }

  func drawFaultGrid(in area: Rect, into buffer: inout Buffer) {
    let isDriven = controls == .driven
    let formatter = faultFormatter
    // Faults set by another program are listed if they were ever recorded.
    let listed = Owner.State.Simulated.Fault.allCases.filter { isDriven || formatter.isRecorded($0) }
    let grid = FaultGrid(listed, in: area, selected: isDriven ? state.fault : nil)
    for (fault, rect) in grid.places {
      let line = formatter.line(
        fault, isSelected: isDriven && fault == state.fault, isDriven: isDriven, isAlone: grid.columns == 1)
      buffer.write(line, at: rect.origin, limit: rect.width - 1, overflow: .ellipsis)
    }
  }
}
