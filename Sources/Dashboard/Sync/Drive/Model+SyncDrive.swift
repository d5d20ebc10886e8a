import Sync
import TerminalUI

// Keys that become orders to the simulation.
extension Model {
  /// The simulation that is shown is played by this program.
  var isDriven: Bool { scenarios != nil && sync.picture.simulation != nil }

  /// Why nothing can be driven here; `nil` where it can.
  var driveRefusal: String? {
    if scenarios == nil {
      return sync.picture.simulation == nil
        ? "this engine runs in an app; mistertop demo plays one that can be driven"
        : "another program plays this simulation; mistertop demo plays one that can be driven"
    }
    return nil
  }

  /// Why nothing can be done to the simulation now; `nil` where it can.
  var actRefusal: String? {
    driveRefusal ?? (isDriven ? nil : "no simulation is played yet; S plays one")
      ?? (isFrozen ? "the playhead is in the past; F returns, B or Space begins another future here" : nil)
  }

  /// Why no future can begin here; `nil` where one can.
  var branchRefusal: String? {
    driveRefusal ?? (isDriven ? nil : "no simulation is played at this moment")
  }

  // MARK: Time

  /// Runs or pauses the simulation; in the past another future begins there.
  ///
  /// Without a simulation of one's own the picture freezes, as on the other screens.
  mutating func toggleRunning() -> [Effect] {
    guard isDriven else {
      toggleFreeze()
      return []
    }
    guard isFrozen else { return [.simulate(.toggleRunning)] }
    sync.awaited = sync.log.branches.last ?? 0
    return branch(with: nil)
  }

  /// Lets one thing happen; in the past the next decision is shown.
  mutating func stepForward() -> [Effect] {
    guard !isFrozen else {
      moveAlongTransitions(by: 1)
      return []
    }
    return [.simulate(.step(branch: sync.branch))]
  }

  // MARK: Acts

  func perform(_ act: SimulationAct) -> [Effect] { [.simulate(.perform(act, branch: sync.branch))] }

  func clearQueue() -> [Effect] { perform(SimulationAct.clearPending) }

  /// Begins another future at the moment that is shown.
  mutating func branch(with change: SimulationAct?) -> [Effect] {
    // Keys of one burst may have moved the playhead.
    refresh()
    guard let simulation = sync.picture.simulation else { return [] }
    // Before the shown future began there is only the one that it came from.
    var parent = sync.branch
    while let origin = sync.log.origin(of: parent), simulation.step <= origin.step { parent = origin.parent }
    let order = SimulationOrder.branch(from: parent, step: simulation.step, change: change)
    if isFrozen { goLive() }
    return [.simulate(order)]
  }

  /// Shows the next of the futures.
  mutating func showNextFuture() {
    let all = sync.futures
    guard let place = all.firstIndex(of: sync.branch), all.count > 1 else { return }
    sync.branch = all[(place + 1) % all.count]
    sync.selection = nil
    say("Shown is \(SyncComparison.name(of: sync.branch))")
  }

  /// Gives up the future that the shown one is compared with; the trunk stays, then the shown one goes.
  mutating func dropFuture() -> [Effect] {
    guard let other = sync.other.map({ $0 == 0 ? sync.branch : $0 }) else { return [] }
    sync.dropped.insert(other)
    if sync.branch == other { sync.branch = 0 }
    say("\(SyncComparison.name(of: other)) is given up")
    return [.simulate(.drop(branch: other))]
  }

  // MARK: Faults

  /// The key of a fault: 1 to 9, then a to f.
  static func faultKey(of fault: SimulatedFault) -> String {
    String((SimulatedFault.allCases.firstIndex(of: fault) ?? 0) + 1, radix: 16)
  }

  /// Takes the key behind `f`: the place of a fault, or 0 for none at all.
  mutating func takeFaultKey(_ key: Character) -> [Effect] {
    if key == "0" { return perform(.clearFaults) }
    guard let fault = SimulatedFault.allCases.first(where: { Self.faultKey(of: $0) == String(key) }) else {
      say("A fault has a key from 1 to 9 or a to f; 0 is all off")
      return []
    }
    sync.fault = fault
    if syncLayout.panes.contains(.faults) { sync.pane = .faults }
    return [.simulate(.toggleFault(sync.fault, branch: sync.branch))]
  }

  /// Whether the arrows to the sides change the selected fault.
  var arrowsChangeFault: Bool { screen == .sync && sync.pane == .faults && isDriven && !isFrozen }

  /// An arrow to the side: the amount of the selected fault, or the playhead.
  mutating func moveSideways(_ direction: Int) -> [Effect] {
    guard arrowsChangeFault, overlay == nil else {
      movePlayhead(by: direction)
      return []
    }
    guard sync.fault.measure.step > 0 else {
      say("\(sync.fault.words) has no amount")
      return []
    }
    return [.simulate(.adjustFault(sync.fault, steps: direction, branch: sync.branch))]
  }

  // MARK: Session as test

  /// Asks for the name of a test; it begins at the last mark of this play.
  mutating func startTest() {
    refresh()
    overlay = .typing(.test(since: lastMarkOfPlay), Prompt())
  }

  private var lastMarkOfPlay: Character? {
    let start = sync.log.start ?? -.infinity
    return notes.marks.filter { $0.value.time >= start && $0.value.time <= syncNow }
      .max { $0.value.time < $1.value.time }?.key
  }

  /// Takes the name, and behind it perhaps the letter of another mark.
  mutating func writeTest(_ text: String, since mark: Character?) -> [Effect] {
    let words = text.split(separator: " ")
    guard let name = words.first, words.count <= 2 else {
      say("A name is wanted, such as ThreeLimits, and perhaps the letter of a mark")
      return []
    }
    var letter = mark
    if words.count == 2 {
      guard words[1].count == 1, let wanted = words[1].first, notes.marks[wanted] != nil else {
        say("There is no mark \(words[1])")
        return []
      }
      letter = wanted
    }
    overlay = nil
    let since = letter.flatMap { notes.marks[$0]?.time }
    return [.simulate(.writeTest(name: String(name), branch: sync.branch, since: since))]
  }
}
