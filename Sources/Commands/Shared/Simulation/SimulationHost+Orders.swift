import Dashboard
import Essentials
import Platform
import SimulationKit

extension SimulationHost {
  /// The most branches at a time.
  private static var mostFutures: Int { 8 }
  /// Steps that are repeated at once, which takes some milliseconds.
  private static var shortPast: Int { 200 }

  /// Follows an order at once.
  ///
  /// - Returns: Messages for the user about what the record does not show.
  func handle(_ order: SimulationOrder<Simulated.Engine>, at now: Timestamp) -> [String] {
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
          PendingTest(session: simulation.playedScenario, name: name, since: .seconds(moment)))
        return []
      }
    }
    return []
  }

  private func with(_ number: Int, _ body: (Simulated) -> [String]) -> [String] {
    guard let simulation = simulation(number) else { return ["Branch \(number) no longer exists"] }
    return body(simulation)
  }

  // MARK: - Time

  private func setRunning(_ isRunning: Bool) {
    clock.setRunning(isRunning)
    isCatchingUp = false
    for simulation in branches { atPresent(simulation) { $0.change(isRunning: isRunning) } }
  }

  private func setSpeed(_ places: Int) {
    let ladder = SimulationSpeed.ladder
    let place = ladder.firstIndex { $0 >= clock.speed } ?? ladder.count - 1
    let speed = ladder[min(max(place + min(max(places, -ladder.count), ladder.count), 0), ladder.count - 1)]
    guard speed != clock.speed else { return }
    clock.setSpeed(speed)
    for simulation in branches { atPresent(simulation) { $0.change(speed: speed) } }
  }

  private func step(_ simulation: Simulated) -> [String] {
    if clock.isRunning || isCatchingUp { setRunning(false) }
    guard simulation.next != nil else { return ["Nothing is left to simulate"] }
    record(simulation) { $0.step() }
    follow(simulation)
    return []
  }

  // MARK: - Acts

  private func perform(_ act: Simulated.Act, in simulation: Simulated) -> [String] {
    atPresent(simulation) { $0.doByHand(act) }
    follow(simulation)
    return []
  }

  /// Changes the setting of a fault.
  private func set(
    _ fault: Simulated.Engine.Fault, in simulation: Simulated,
    to change: (Simulated.Setting) -> Simulated.Setting
  ) -> [String] {
    perform(.fault(change(simulation.setting(of: fault))), in: simulation)
  }

  private func undoFault(in simulation: Simulated) -> [String] {
    var undone: [Simulated.Setting] = []
    atPresent(simulation) { undone = $0.takeBackFault() }
    follow(simulation)
    return undone.isEmpty ? ["No fault was set by hand"] : []
  }

  /// Does something to a branch at the present moment.
  private func atPresent(_ simulation: Simulated, _ body: (Simulated) -> Void) {
    record(simulation) {
      // A branch that is far behind is changed where it is.
      if !isLate(simulation) { $0.play(until: clock.moment) }
      body($0)
    }
  }

  /// Moves the clock to a branch that a step or a leap took ahead: the moment is never before what has happened.
  private func follow(_ simulation: Simulated) {
    if simulation.now > clock.moment { clock.move(to: simulation.now) }
  }

  // MARK: - Sessions and branches

  /// Starts a session, which replaces the one before.
  func start(_ scenario: Simulated.Script, at now: Timestamp) throws(Simulated.Failure) {
    let wholes = Timestamp((now.seconds * 1_000).rounded(.down) / 1_000)
    // A session faster than real time has recorded times ahead of now; times in a record only increase.
    let start = wholes > newest ? wholes : Timestamp(((newest.seconds + 1) * 1_000).rounded() / 1_000)
    var scenario = scenario
    scenario.start = start.date
    // After its script the user continues.
    scenario.duration = nil
    let main = try Simulated.playing(scenario)
    let speed = clock.speed
    clock = SessionClock(at: wholes)
    clock.setSpeed(speed)
    branches = [main]
    coming = []
    lastNumber = 0
    isCatchingUp = false
    record(main) { if speed != $0.speed { $0.change(speed: speed) } }
  }

  private func start(_ name: String, at now: Timestamp) -> [String] {
    guard let scenario = catalog.scenario(name) else { return ["There is no scenario \(name)"] }
    do throws(Simulated.Failure) {
      try start(scenario, at: now)
      return []
    } catch {
      return [Simulated.message(error)]
    }
  }

  private func branch(from parent: Simulated, at step: Int, _ change: Simulated.Act?) -> [String] {
    let count = branches.count + coming.count
    guard count < Self.mostFutures else { return ["\(count) branches are the limit: drop one"] }
    do throws(Simulated.Failure) {
      let branch = try parent.comingBranch(at: step, as: lastNumber + 1, change: change)
      lastNumber += 1
      coming.append(branch)
      // A short past is repeated at once.
      advance(branch, steps: Self.shortPast)
      return []
    } catch {
      return [Simulated.message(error)]
    }
  }

  private func drop(_ simulation: Simulated) -> [String] {
    guard simulation.branch != 0 else { return ["The main branch cannot be dropped"] }
    // Tells readers of the record that it does not continue.
    record(simulation) { $0.change(isRunning: false) }
    branches.removeAll { $0 === simulation }
    return []
  }
}
