import Codecs

extension SimulationSession {
  /// The session so far as a scenario: with the seed in use and the acts by hand among its acts, ending now.
  ///
  /// When played, it produces the same record apart from its own description. The end is rounded up to whole
  /// milliseconds.
  public var session: Script {
    let end = now.roundedUpToMilliseconds
    var session = script(with: actsByHand.map(\.act))
    session.duration = end
    session.acts.removeAll { $0.at > end }
    return session
  }

  /// Creates another branch: identical up to a step, followed by a different act.
  ///
  /// This branch is left unchanged, and the common part is not recorded again. The change is the only difference:
  /// acts by hand after that step are repeated at the same times in the new branch. Without a change, those acts are
  /// left out instead.
  ///
  /// - Parameters:
  ///   - step: The last common step.
  ///   - number: The number of the new branch.
  ///   - change: The different act.
  ///   - isLeftOut: Acts of the scenario that are left out as well.
  /// - Throws: The reason why the branch cannot be created.
  public func branched(
    at step: Int, as number: Int, change: Act? = nil,
    without isLeftOut: (DrivenTimedAct<Act>) -> Bool = { _ in false }
  ) throws(Failure) -> SimulationSession {
    try comingBranch(at: step, as: number, change: change, without: isLeftOut).begun()
  }

  /// Another branch, replayed in pieces for callers that must not block on a long past.
  ///
  /// The result equals that of ``branched(at:as:change:without:)``.
  package func comingBranch(
    at step: Int, as number: Int, change: Act? = nil,
    without isLeftOut: (DrivenTimedAct<Act>) -> Bool = { _ in false }
  ) throws(Failure) -> ComingBranch<World> {
    let step = min(max(0, step), steps)
    let acts = actsByHand.filter { $0.step <= step || change != nil }.map(\.act)
    var script = script(with: acts)
    script.acts.removeAll(where: isLeftOut)
    let other = SimulationSession(
      script, seed: seed, branch: number, parent: branch,
      in: try World(playing: script, seed: seed, branch: number))
    other.speed = speed
    other.isRunning = isRunning
    return ComingBranch(other, begins: step, change: change)
  }

  /// The scenario with the given acts by hand, which come first among acts at the same time.
  private func script(with acts: [DrivenTimedAct<Act>]) -> Script {
    var script = scenario
    script.seed = seed
    script.acts = (acts + scenario.acts).inOrder()
    script.expected = []
    script.expectedFrom = .zero
    return script
  }
}

/// A branch that replays its common part with another one, piece by piece, until it begins.
package final class ComingBranch<World: SimulationWorld> {
  private let simulation: SimulationSession<World>
  private let step: Int
  private let change: World.Act?

  init(_ simulation: SimulationSession<World>, begins step: Int, change: World.Act?) {
    self.simulation = simulation
    self.step = step
    self.change = change
    // Acts by hand may also happen after the end.
    simulation.end = nil
  }

  /// The number of the branch.
  package var branch: Int { simulation.branch }

  /// Replays a piece of the past.
  ///
  /// - Parameter limit: Maximum number of steps.
  /// - Returns: The branch, once it has begun; this object is then finished.
  package func advance(steps limit: Int) -> SimulationSession<World>? {
    var taken = 0
    while simulation.steps < step, taken < limit {
      guard simulation.step() else { break }
      taken += 1
    }
    guard simulation.steps >= step || taken < limit else {
      // The record of the replayed past is not needed, so it is dropped before the branch begins.
      simulation.forgetRecord()
      return nil
    }
    simulation.end = simulation.scenario.duration
    simulation.forgetRecord()
    simulation.recordStart()
    if let change { simulation.perform(byHand: change) }
    return simulation
  }

  /// Replays the whole past.
  package func begun() -> SimulationSession<World> {
    while true {
      if let simulation = advance(steps: .max) { return simulation }
    }
  }
}
