import Codecs

extension SimulationSession {
  /// The session so far as a scenario of its own: with the seed in force, people's acts among its acts, and up to
  /// now.
  ///
  /// Played, it records the same but for what it says of itself. A part of a millisecond is played on at its end.
  public var session: Script {
    let end = now.roundedUpToMilliseconds
    var session = script(with: actsByHand.map(\.act))
    session.duration = end
    session.acts.removeAll { $0.at > end }
    return session
  }

  /// Another branch: the same up to a step, then something else by hand.
  ///
  /// This one stays as it is. What the two have in common is not recorded again. The change is the only one: what
  /// people did after that step in this branch so far, they do at the same moments in the other one. Without a change
  /// it is that which is left out.
  ///
  /// - Parameters:
  ///   - step: The last step that both have.
  ///   - number: The number of the new branch.
  ///   - change: What is different.
  ///   - isLeftOut: Which acts of the scenario after that step do not happen either.
  /// - Throws: Why there is none.
  public func branched(
    at step: Int, as number: Int, change: Act? = nil,
    without isLeftOut: (DrivenTimedAct<Act>) -> Bool = { _ in false }
  ) throws(Failure) -> SimulationSession {
    try comingBranch(at: step, as: number, change: change, without: isLeftOut).begun()
  }

  /// Another branch on its way to where it begins, for those who cannot wait for a long past.
  ///
  /// It is that of ``branched(at:as:change:without:)``.
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

  /// The scenario with some of what people did; of two acts at one moment theirs comes first.
  private func script(with acts: [DrivenTimedAct<Act>]) -> Script {
    var script = scenario
    script.seed = seed
    script.acts = (acts + scenario.acts).inOrder()
    script.expected = []
    script.expectedFrom = .zero
    return script
  }
}

/// A branch that repeats what it has in common with another one, a piece at a time, until it begins.
package final class ComingBranch<World: SimulationWorld> {
  private let simulation: SimulationSession<World>
  private let step: Int
  private let change: World.Act?

  init(_ simulation: SimulationSession<World>, begins step: Int, change: World.Act?) {
    self.simulation = simulation
    self.step = step
    self.change = change
    // People go on behind the end, too.
    simulation.end = nil
  }

  /// Its number.
  package var branch: Int { simulation.branch }

  /// Repeats a piece of the past.
  ///
  /// - Parameter limit: How many steps at most.
  /// - Returns: The branch, once it has begun; then this is done with.
  package func advance(steps limit: Int) -> SimulationSession<World>? {
    var taken = 0
    while simulation.steps < step, taken < limit {
      guard simulation.step() else { break }
      taken += 1
    }
    guard simulation.steps >= step || taken < limit else {
      // No one wants the record of a long past, so it need not be kept until the branch begins.
      simulation.forgetRecord()
      return nil
    }
    simulation.end = simulation.scenario.duration
    simulation.forgetRecord()
    simulation.recordStart()
    if let change { simulation.perform(byHand: change) }
    return simulation
  }

  /// Repeats all of the past.
  package func begun() -> SimulationSession<World> {
    while true {
      if let simulation = advance(steps: .max) { return simulation }
    }
  }
}
