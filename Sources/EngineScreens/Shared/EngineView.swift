import Codecs
package import DashboardCore
package import Platform
package import TerminalUI

/// A drawable engine screen.
package protocol EngineView: ScreenView where Owner: EngineScreen {
  var layout: EngineLayout<Owner.Pane> { get }
  var texts: EngineTexts { get }
  /// The shown engine.
  var engine: Owner.Engine { get }
  /// The moment of the screen.
  var now: Timestamp { get }
  /// Key hints for the record of an app or another program, for the past of a simulation, and for its present.
  var hints: (recorded: [(String, String)], past: [(String, String)], driven: [(String, String)]) { get }
  /// The program that records such an engine, as the end of a sentence.
  var recorder: String { get }
  /// Draws the parts specific to this engine.
  func drawOwn(into buffer: inout Buffer)
  func drawBranches(into buffer: inout Buffer)
  /// The right end of the timeline's title.
  var timelineTrailing: String { get }
  func line(_ happening: EngineHappening<Owner.Engine.Entry>, isSelected: Bool, width: Int) -> Line
  /// The reason why the controls are off, in lines.
  func controlsOffLines(width: Int) -> [String]
}

extension EngineView {
  package var frame: ScreenFrame { layout.frame }
  package var shortSubject: String { Owner.title.title }
  package var hasOwnTime: Bool { engine.simulation != nil }
  package var subject: String { subjects.first ?? "" }
  package var shorterSubjects: [String] { Array(subjects.dropFirst()) }
  var controls: EngineControls { layout.controls }

  package var footerHints: [Footer.Hint] {
    let all =
      state.isOpen
      ? [("Enter", "line in the file"), ("Esc", "close"), ("y", "copy"), ("q", "back")]
      : controls != .driven ? hints.recorded : session.isFrozen ? hints.past : hints.driven
    return (layout.step >= .narrow ? Array(all.prefix(4)) : all).map { Footer.Hint($0.0, $0.1) }
  }

  package func drawBody(into buffer: inout Buffer) {
    guard !engine.isEmpty else { return drawEmptiness(emptiness, into: &buffer) }
    drawSentence(in: layout[.sentence], into: &buffer)
    drawStory(into: &buffer)
    drawOwn(into: &buffer)
    if !layout[.faults].isEmpty { drawFaults(into: &buffer) }
    if !layout[.branches].isEmpty { drawBranches(into: &buffer) }
    if !layout[.timeline].isEmpty { drawTimeline(into: &buffer) }
    if !layout[.detail].isEmpty { drawDetail(into: &buffer) }
  }

  /// The reason why there is no engine to show, and the next step.
  private var emptiness: (title: String, next: String) {
    let name = "\(Owner.title.name) \(Owner.noun)"
    if screen.backlog > 0 {
      return ("Reading what the \(name) recorded", "\(NumberFormat.count(screen.backlog)) entries to read")
    }
    guard state.log.isEmpty else { return ("No \(name) yet at this moment", "F returns to the live end") }
    return (
      "No \(name) in this file",
      session.scenarios[Owner.Simulated.kind] == nil ? recorder : "S plays a scenario"
    )
  }

  /// Draws the help key at the end of the smallest screen.
  func drawHelpKey(into buffer: inout Buffer) {
    buffer.write(
      session.keyText("?"), at: Position(x: frame.body.maxX - 1, y: frame.body.y), style: theme[.key])
  }

  /// The times at which the breaker opened and faults were switched on, over the whole shown branch.
  package var railSigns: [RailSign] {
    state.log.state(of: state.branch).incidents.map { incident in
      switch incident.value {
      case .breakerOpened: RailSign(text: "b", time: incident.time, style: theme[.alert])
      case .faultOn: RailSign(text: "F", time: incident.time, style: theme[.warning])
      }
    }
  }

  /// Draws the frame of a pane.
  ///
  /// - Parameter lesser: The right part of the title that is dropped first.
  func drawPanel(
    _ title: String, trailing: String = "", lesser: String = "", pane: Owner.Pane? = nil, in area: Rect,
    into buffer: inout Buffer
  ) {
    guard layout.step <= .stacked else { return }
    var panel = Panel(
      title, look: layout.step.paneLook, trailing: trailing,
      isFocused: pane == state.pane && layout.panes.count > 1, theme: theme)
    if !lesser.isEmpty { panel.trailing.append(Line(lesser, theme[.dim])) }
    panel.render(in: area, into: &buffer)
  }

  /// True if the simulation is visibly running, which it is not in the past, whatever it did then.
  func isRunning(_ simulation: some SimulationStatement) -> Bool { simulation.running && !session.isFrozen }

  /// `x5`.
  func speedText(_ simulation: some SimulationStatement) -> String {
    "x\(NumberFormat.text(simulation.speed, decimals: simulation.speed < 1 ? 2 : 0))"
  }

  /// `SIM ▸ x1 14:32:07 t1 step 22 rate-limit-storm seed 42`, and shorter forms, which drop seed, scenario, step and
  /// time in this order; empty for an app.
  private var subjects: [String] {
    guard let simulation = engine.simulation else { return [] }
    let branch = state.other == nil ? "" : " \(BranchName.text(state.branch))"
    let short = "SIM \(isRunning(simulation) ? signs.collapsed : signs.frozen) \(speedText(simulation))"
    let timed = "\(short) \(zone.time(now))\(branch)"
    let step = "\(timed) step \(simulation.step)"
    let named = "\(step) \(simulation.scenario ?? "")"
    return ["\(named) seed \(simulation.seed)", named, step, timed, short]
  }

  /// A value after its name.
  func fact(_ name: String, _ value: String, _ role: Role = .value, width: Int = 11) -> Line {
    [Span(name.padding(to: width), theme[.dim]), Span(value, theme[role])]
  }

  /// Writes lines from the top of an area, as many as fit.
  func write(_ lines: [Line], in area: Rect, into buffer: inout Buffer) {
    for (row, line) in lines.prefix(area.height).enumerated() {
      buffer.write(line, at: Position(x: area.x, y: area.y + row), limit: area.width, overflow: .ellipsis)
    }
  }

  // MARK: Breaker

  /// `OPEN 12s left`.
  var breakerState: Line {
    let (name, isOpen) = (engine.breakerName(at: now), engine.isBreakerOpen(at: now))
    var line = Line(
      isOpen ? name.uppercased() : name,
      theme[isOpen ? .alert : name == "closed" ? .good : .warning].adding(.bold))
    if let countdown = engine.countdown(at: now) {
      line.append(" \(DurationFormat.text(countdown)) left", theme[.value])
    }
    return line
  }

  /// The progress of an open breaker towards half-open; `nil` if it is unknown.
  func breakerBar(since began: Timestamp?, width: Int, _ precision: ClockZone.Precision) -> Line? {
    guard let countdown = engine.countdown(at: now), let began, let until = engine.openUntil, until > began
    else { return nil }
    let bar = theme.bar(max(0, min(1, 1 - countdown / (until - began))), width: width, .warning)
    return Line(bar.spans + [Span(" half-open at \(zone.time(until, precision))", theme[.text])])
  }

  // MARK: Faults

  /// Draws the faults with amount, likelihood and scope; without any, the reason.
  private func drawFaults(into buffer: inout Buffer) {
    let isDriven = controls == .driven
    let formatter = faultFormatter
    if layout.step >= .narrow { return write([faultLine], in: layout[.faults], into: &buffer) }
    drawPanel(
      isDriven ? "Faults  \(formatter.words(state.fault))" : "Faults",
      trailing: controls == .none ? "off" : formatter.onWords, pane: .faults, in: layout[.faults],
      into: &buffer)
    let area = layout.inner(of: layout[.faults])
    let lines = isDriven ? [] : controlsOffLines(width: area.width)
    if controls != .none { drawFaultGrid(in: area.inset(top: lines.count), into: &buffer) }
    write(lines.map { Line($0, theme[.dim]) }, in: area, into: &buffer)
  }

  /// All faults in one row.
  var faultLine: Line {
    faultFormatter.summary(selected: state.pane == .faults && screen.isDriven ? state.fault : nil)
  }

  var faultFormatter: FaultFormatter<Owner.Simulated.Fault> {
    FaultFormatter(recorded: engine.faults, theme: theme)
  }

  /// The reason why the controls are off.
  var controlsOff: String {
    "controls off: " + (screen.driveRefusal ?? "no simulation is running; S starts one")
  }

  func drawFaultGrid(in area: Rect, into buffer: inout Buffer) {
    let isDriven = controls == .driven
    let formatter = faultFormatter
    // Faults set by another program are listed if they were ever recorded.
    let listed = Owner.Simulated.Fault.allCases.filter { isDriven || formatter.isRecorded($0) }
    let grid = FaultGrid(listed, in: area, selected: isDriven ? state.fault : nil)
    for (fault, rect) in grid.places {
      let line = formatter.line(
        fault, isSelected: isDriven && fault == state.fault, isDriven: isDriven, isAlone: grid.columns == 1)
      buffer.write(line, at: rect.origin, limit: rect.width - 1, overflow: .ellipsis)
    }
  }
}
