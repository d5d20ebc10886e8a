import Dashboard
import Foundation
import Sync

extension SimulationStage {
  /// Futures that are played beside each other at most.
  private static let mostFutures = 8
  /// Steps that are repeated while all else waits, some milliseconds.
  private static let shortPast = 200

  /// Does what a person wants, at once.
  ///
  /// - Returns: What the record does not tell.
  func take(_ order: SimulationOrder, at now: Double) -> [String] {
    look(at: now)
    switch order {
    case .toggleRunning: setRunning(!clock.isRunning)
    case .changeSpeed(let places): setSpeed(places)
    case .play(let name): return play(name, at: now)
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
      return with(number) { future in
        let start = future.scenario.start.timeIntervalSinceReferenceDate
        let moment = since.map { min(max($0 - start, 0), 1e9) } ?? 0
        unwritten.append(UnwrittenTest(session: future.session, name: name, since: .seconds(moment)))
        return []
      }
    }
    return []
  }

  private func with(_ number: Int, _ body: (Simulation) -> [String]) -> [String] {
    guard let future = future(number) else { return ["There is no future \(number) any more"] }
    return body(future)
  }

  // MARK: - Time

  private func setRunning(_ isRunning: Bool) {
    clock.setRunning(isRunning)
    isCatchingUp = false
    for future in futures { comeUp(future) { $0.setRunning(isRunning) } }
  }

  private func setSpeed(_ places: Int) {
    let ladder = Simulation.speeds
    let place = ladder.firstIndex { $0 >= clock.speed } ?? ladder.count - 1
    let speed = ladder[min(max(place + min(max(places, -ladder.count), ladder.count), 0), ladder.count - 1)]
    guard speed != clock.speed else { return }
    clock.setSpeed(speed)
    for future in futures { comeUp(future) { $0.setSpeed(speed) } }
  }

  private func step(_ future: Simulation) -> [String] {
    if clock.isRunning || isCatchingUp { setRunning(false) }
    guard future.next != nil else { return ["Nothing is left to happen"] }
    record(future) { $0.step() }
    follow(future)
    return []
  }

  // MARK: - Acts

  private func perform(_ act: SimulationAct, in future: Simulation) -> [String] {
    comeUp(future) { $0.perform(byHand: act) }
    follow(future)
    return []
  }

  /// Sets a fault to something that depends on what it is set to.
  private func set(
    _ fault: SimulatedFault, in future: Simulation, to change: (FaultSetting) -> FaultSetting
  ) -> [String] {
    perform(.fault(change(future.faults[fault])), in: future)
  }

  private func undoFault(in future: Simulation) -> [String] {
    var undone: [FaultSetting] = []
    comeUp(future) { undone = $0.undoFault() }
    follow(future)
    return undone.isEmpty ? ["No fault was set by hand"] : []
  }

  /// Does something to a future at the moment that it is.
  private func comeUp(_ future: Simulation, _ body: (Simulation) -> Void) {
    record(future) {
      // What is far behind is acted upon where it is.
      if !isLate(future) { $0.run(until: clock.moment) }
      body($0)
    }
  }

  /// The moment is never before what has happened: a step or a leap takes all with it.
  private func follow(_ future: Simulation) {
    if future.now > clock.moment { clock.move(to: future.now) }
  }

  // MARK: - Plays and futures

  /// Begins a play, which replaces the one before.
  func play(_ scenario: Scenario, at now: Double) throws(Simulation.Failure) {
    let wholes = (now * 1_000).rounded(.down) / 1_000
    // What was played faster than our time went on into our future; times in a record go forward.
    let start = wholes > newest ? wholes : ((newest + 1) * 1_000).rounded() / 1_000
    var scenario = scenario
    scenario.start = Date(timeIntervalSinceReferenceDate: start)
    // After its script a person goes on.
    scenario.duration = nil
    let trunk = try Simulation(scenario)
    let speed = clock.speed
    clock = PlayClock(at: wholes)
    clock.setSpeed(speed)
    futures = [trunk]
    coming = []
    lastNumber = 0
    isCatchingUp = false
    record(trunk) { if speed != $0.speed { $0.setSpeed(speed) } }
  }

  private func play(_ name: String, at now: Double) -> [String] {
    guard let scenario = repertoire.scenario(name) else { return ["There is no scenario \(name)"] }
    do throws(Simulation.Failure) {
      try play(scenario, at: now)
      return []
    } catch {
      return [Self.words(error)]
    }
  }

  private func branch(from parent: Simulation, at step: Int, _ change: SimulationAct?) -> [String] {
    let count = futures.count + coming.count
    guard count < Self.mostFutures else { return ["\(count) futures are enough: drop one"] }
    do throws(Simulation.Failure) {
      let future = try parent.branching(at: step, as: lastNumber + 1, change: change)
      lastNumber += 1
      coming.append(future)
      // A short past is over at once.
      advance(future, steps: Self.shortPast)
      return []
    } catch {
      return [Self.words(error)]
    }
  }

  private func drop(_ future: Simulation) -> [String] {
    guard future.branch != 0 else { return ["The trunk stays"] }
    // For those who only read: it does not run on.
    record(future) { $0.setRunning(false) }
    futures.removeAll { $0 === future }
    return []
  }

  private static func words(_ failure: Simulation.Failure) -> String {
    switch failure {
    case .unavailable: "Simulations need macOS 15 or later"
    case .store(let text): "The simulation cannot be played: \(text)"
    }
  }
}
