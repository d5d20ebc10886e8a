import DashboardCore
import Essentials
import Platform
import SimulationKit

extension SimulationHost {
  /// Maximum number of simultaneous branches.
  private static var mostFutures: Int { 8 }
  /// Maximum number of steps repeated synchronously, which takes a few milliseconds.
  private static var shortPast: Int { 200 }

  /// Executes an order at once.
  ///
  /// - Returns: Messages for the user that the record does not contain.
  func handle(_ order: SimulationOrder<World.Engine>, at now: Timestamp) -> [String] {
    update(at: now)
    switch order {
    case .toggleRunning: setRunning(!clock.isRunning)
    case .changeSpeed(let places): setSpeed(places)
    case .play(let name): return start(name, at: now)
    case .step(let number): return with(number, step)
    case .perform(let act, let number): return with(number) { perform(act, in: $0) }
    case .toggleFault(let fault, let number):
      return with(number) { set(fault, in: $0, to: \.toggled) }
    case .adjustFault(let fault, let steps, let number):
      return with(number) { set(fault, in: $0) { $0.adjusted(by: steps) } }
    case .changeLikelihood(let fault, let number):
      return with(number) { set(fault, in: $0, to: \.withNextLikelihood) }
    case .changeScope(let fault, let number):
      return with(number) { set(fault, in: $0, to: \.withNextScope) }
    case .undoFault(let number): return with(number, undoFault)
    case .branch(let number, let step, let change):
      return with(number) { branch(from: $0, at: step, change) }
    case .drop(let number) where coming.contains { $0.branch == number }:
      coming.removeAll { $0.branch == number }
    case .drop(let number): return with(number, drop)
    case .writeTest(let name, let number, let since):
      return with(number) { simulation in
        let start = Timestamp(simulation.scenario.start)
        let moment = since.map { min(max($0 - start, 0), 1e9) } ?? 0
        pendingTests.append(
          PendingTest(session: simulation.session, name: name, since: .seconds(moment)))
        return []
      }
    }
    return []
  }

  private func with(_ number: Int, _ body: (SimulationSession<World>) -> [String]) -> [String] {
    guard let simulation = simulation(number) else { return ["Branch \(number) no longer exists"] }
    return body(simulation)
  }

  // MARK: - Time

  private func setRunning(_ isRunning: Bool) {
    clock.setRunning(isRunning)
    isCatchingUp = false
    for simulation in branches { atPresent(simulation) { $0.setRunning(isRunning) } }
  }

  private func setSpeed(_ places: Int) {
    let ladder = SimulationSpeed.ladder
    let place = ladder.firstIndex { $0 >= clock.speed } ?? ladder.count - 1
    let speed = ladder[min(max(place + min(max(places, -ladder.count), ladder.count), 0), ladder.count - 1)]
    guard speed != clock.speed else { return }
    clock.setSpeed(speed)
    for simulation in branches { atPresent(simulation) { $0.setSpeed(speed) } }
  }

  private func step(_ simulation: SimulationSession<World>) -> [String] {
    if clock.isRunning || isCatchingUp { setRunning(false) }
    guard simulation.next != nil else { return ["Nothing is left to simulate"] }
    record(simulation) { $0.step() }
    follow(simulation)
    return []
  }

  // MARK: - Acts

  private func perform(_ act: World.Act, in simulation: SimulationSession<World>) -> [String] {
    atPresent(simulation) { $0.perform(byHand: act) }
    follow(simulation)
    return []
  }

  /// Changes the setting of a fault.
  private func set(
    _ fault: World.Engine.Fault, in simulation: SimulationSession<World>,
    to change: (DrivenFaultSetting<World.Act.Fault>) -> DrivenFaultSetting<World.Act.Fault>
  ) -> [String] {
    perform(.fault(change(simulation.faults[fault])), in: simulation)
  }

  private func undoFault(in simulation: SimulationSession<World>) -> [String] {
    var undone: [DrivenFaultSetting<World.Act.Fault>] = []
    atPresent(simulation) { undone = $0.undoFault() }
    follow(simulation)
    return undone.isEmpty ? ["No fault was set by hand"] : []
  }

  /// Performs an action on a branch at the present moment.
  private func atPresent(_ simulation: SimulationSession<World>, _ body: (SimulationSession<World>) -> Void) {
    record(simulation) {
      // A branch that is far behind is changed at its own moment.
      if !isLate(simulation) { $0.run(until: clock.moment) }
      body($0)
    }
  }

  /// Moves the clock to a branch that a step or a leap took ahead: the present is never before an executed event.
  private func follow(_ simulation: SimulationSession<World>) {
    if simulation.now > clock.moment { clock.move(to: simulation.now) }
  }

  // MARK: - Sessions and branches

  /// Starts a session, which replaces the previous one.
  func start(_ scenario: DrivenScenario<World>, at now: Timestamp) throws(World.Failure) {
    let wholes = Timestamp((now.seconds * 1_000).rounded(.down) / 1_000)
    // A session faster than real time has recorded times ahead of now, and times in a record only increase.
    let start = wholes > newest ? wholes : Timestamp(((newest.seconds + 1) * 1_000).rounded() / 1_000)
    var scenario = scenario
    scenario.start = start.date
    // After the script the user continues.
    scenario.duration = nil
    let main = try SimulationSession<World>(scenario)
    let speed = clock.speed
    clock = SessionClock(at: wholes)
    clock.setSpeed(speed)
    branches = [main]
    coming = []
    lastNumber = 0
    isCatchingUp = false
    record(main) { if speed != $0.speed { $0.setSpeed(speed) } }
  }

  private func start(_ name: String, at now: Timestamp) -> [String] {
    guard let scenario = catalog.scenario(name) else { return ["There is no scenario \(name)"] }
    do throws(World.Failure) {
      try start(scenario, at: now)
      return []
    } catch {
      return [World.message(error)]
    }
  }

  private func branch(from parent: SimulationSession<World>, at step: Int, _ change: World.Act?) -> [String] {
    let count = branches.count + coming.count
    guard count < Self.mostFutures else { return ["\(count) branches are the limit: drop one"] }
    do throws(World.Failure) {
      let branch = try parent.comingBranch(at: step, as: lastNumber + 1, change: change)
      lastNumber += 1
      coming.append(branch)
      // A short past is repeated at once.
      advance(branch, steps: Self.shortPast)
      return []
    } catch {
      return [World.message(error)]
    }
  }

  private func drop(_ simulation: SimulationSession<World>) -> [String] {
    guard simulation.branch != 0 else { return ["The main branch cannot be dropped"] }
    // Shows readers of the record that the branch does not continue.
    record(simulation) { $0.setRunning(false) }
    branches.removeAll { $0 === simulation }
    return []
  }
}
