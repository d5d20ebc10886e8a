import DashboardCore
import Platform
import SimulationKit
import TerminalUI

// Keys that turn into orders to the simulation.
extension EngineScreen {
  /// True if this program plays the shown simulation.
  var isDriven: Bool {
    session.scenarios[Simulated.kind] != nil && state.engine.simulation != nil
  }

  /// The reason why controls are unavailable here; `nil` if they are available.
  var driveRefusal: String? {
    guard session.scenarios[Simulated.kind] == nil else { return nil }
    return state.engine.simulation == nil
      ? "this \(Self.noun) runs in an app; mistertop demo has one you can control"
      : "another program runs this simulation; mistertop demo has one you can control"
  }

  /// The reason why acts are unavailable now; `nil` if they are available.
  var actRefusal: String? {
    driveRefusal ?? (isDriven ? nil : "no simulation is running yet; S starts one")
      ?? (session.isFrozen
        ? "the playhead is in the past; F returns, B or Space starts a branch here" : nil)
  }

  /// The reason why no branch can begin here; `nil` if one can.
  var branchRefusal: String? {
    driveRefusal ?? (isDriven ? nil : "no simulation is running at this moment")
  }

  /// The reason why no test can be written; `nil` if one can.
  var testRefusal: String? { canTestRecord && driveRefusal != nil ? nil : branchRefusal }

  // MARK: Time

  /// Runs or pauses the simulation; in the past, forks a branch there.
  ///
  /// Without a simulation of its own, the screen freezes like the other screens.
  mutating func toggleRunning() -> [Effect] {
    guard isDriven else {
      session.toggleFreeze()
      return []
    }
    guard session.isFrozen else { return [Self.order(.toggleRunning)] }
    state.awaited = state.log.branches.last ?? 0
    return branch(with: nil)
  }

  /// Executes one event; in the past, moves to the next decision.
  mutating func stepForward() -> [Effect] {
    guard !session.isFrozen else {
      moveAlong(by: 1)
      return []
    }
    return [Self.order(.step(branch: state.branch))]
  }

  // MARK: Acts

  func perform(_ act: Simulated.Act) -> [Effect] {
    [Self.order(.perform(act, branch: state.branch))]
  }

  /// Plays a scenario and shows its main branch.
  mutating func play(scenario: String) -> [Effect] {
    if session.isFrozen { session.goLive() }
    (state.branch, state.dropped) = (0, [])
    selectNewest()
    return [Self.order(.play(scenario: scenario))]
  }

  // MARK: Branches

  /// Forks a branch at the shown moment.
  mutating func branch(with change: Simulated.Act?) -> [Effect] {
    // Keys of the same burst may have moved the playhead.
    let effects = refresh()
    guard let simulation = state.engine.simulation else { return effects }
    // Before the start of the shown branch there is only its parent.
    var parent = state.branch
    while let origin = state.log.origin(of: parent), simulation.step <= origin.step { parent = origin.parent }
    let order = Self.order(.branch(from: parent, step: simulation.step, change: change))
    if session.isFrozen { session.goLive() }
    return effects + [order]
  }

  /// Shows the next branch.
  mutating func showNextBranch() {
    let all = state.branches
    guard let place = all.firstIndex(of: state.branch), all.count > 1 else { return }
    state.branch = all[(place + 1) % all.count]
    selectNewest()
    session.showToast("Showing \(BranchName.text(state.branch))")
  }

  /// Abandons the branch compared with the shown one; if that is the main branch, abandons the shown one instead.
  mutating func dropBranch() -> [Effect] {
    guard let other = state.other.map({ $0 == 0 ? state.branch : $0 }) else { return [] }
    state.dropped.insert(other)
    if state.branch == other { state.branch = 0 }
    session.showToast("Dropped \(BranchName.text(other))")
    return [Self.order(.drop(branch: other))]
  }

  // MARK: Faults

  /// Selects another fault.
  mutating func moveFault(by rows: Int) {
    let all = Array(Simulated.Fault.allCases)
    let place = all.firstIndex(of: state.fault) ?? 0
    state.fault = all[Session.moved(place, by: rows, count: all.count)]
  }

  /// Switches the selected fault on or off.
  mutating func toggleFault() -> [Effect] {
    if let reason = actRefusal {
      session.showToast("Faults: \(reason)")
      return []
    }
    return [Self.order(.toggleFault(state.fault, branch: state.branch))]
  }

  /// Selects the pressed fault if the pane lists faults; a double click switches it.
  mutating func pressFault(_ position: Position, in area: Rect) -> [Effect] {
    guard isDriven else { return [] }
    let grid = FaultGrid(Array(Simulated.Fault.allCases), in: area, selected: state.fault)
    guard let fault = grid.fault(at: position) else { return [] }
    state.fault = fault
    return session.isDoublePress ? toggleFault() : []
  }

  /// Handles the letter typed at a prompt.
  mutating func handleLetter(_ letter: Character, _ use: LetterUse) -> [Effect] {
    if use.isOfFault { return handleFaultKey(letter) }
    return use == Self.confirmed.use && letter == "y" ? perform(Self.confirmed.act) : []
  }

  /// Handles the key after `f`: a fault by its place, or 0 to switch all off.
  private mutating func handleFaultKey(_ key: Character) -> [Effect] {
    if key == "0" { return perform(.clearFaults) }
    guard let fault = Simulated.Fault.allCases.first(where: { $0.key == String(key) }) else {
      session.showToast(
        "No such fault: press 1-9 or a-\(Simulated.Fault.lastKey), or 0 to switch all off")
      return []
    }
    state.fault = fault
    if layout.panes.contains(.faults) { state.pane = .faults }
    return [Self.order(.toggleFault(fault, branch: state.branch))]
  }

  /// True if the left and right arrows change the selected fault.
  var arrowsChangeFault: Bool { state.pane == .faults && isDriven && !session.isFrozen }

  /// Handles the left or right arrow: changes the amount of the selected fault, or moves the playhead.
  mutating func moveSideways(_ direction: Int) -> [Effect] {
    guard arrowsChangeFault, session.overlay == nil else {
      moveAlong(by: direction)
      return []
    }
    guard state.fault.measure.step > 0 else {
      session.showToast("\(state.fault.words) has no amount")
      return []
    }
    return [Self.order(.adjustFault(state.fault, steps: direction, branch: state.branch))]
  }

  // MARK: Session as test

  /// Prompts for the name of a test that begins at the last mark of this session.
  mutating func startTest() -> [Effect] {
    let effects = refresh()
    state.testMark = lastMarkOfSession
    session.overlay = .typing(.test(since: state.testMark), Prompt())
    return effects
  }

  private var lastMarkOfSession: Character? {
    let start = state.log.start ?? .distantPast
    return session.notes.marks.filter { $0.value.time >= start && $0.value.time <= engineTime }
      .max { $0.value.time < $1.value.time }?.key
  }

  /// Handles the name, optionally followed by the letter of another mark.
  mutating func writeTest(_ text: String) -> [Effect] {
    let words = text.split(separator: " ")
    guard let name = words.first, words.count <= 2 else {
      session.showToast("Type a name such as ThreeLimits, then optionally a mark's letter")
      return []
    }
    var letter = state.testMark
    if words.count == 2 {
      guard words[1].count == 1, let wanted = words[1].first, session.notes.marks[wanted] != nil else {
        session.showToast("There is no mark \(words[1])")
        return []
      }
      letter = wanted
    }
    session.overlay = nil
    let since = letter.flatMap { session.notes.marks[$0]?.time }
    if driveRefusal != nil { return recordedTest(String(name), since: since) }
    return [Self.order(.writeTest(name: String(name), branch: state.branch, since: since))]
  }
}
