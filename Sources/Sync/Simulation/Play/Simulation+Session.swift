import Codecs

extension Simulation {
  /// What was played so far as a scenario of its own: with the seed in force, what people did among its acts, and up to
  /// now.
  ///
  /// Played, it records the same but for what it says of itself. A part of a millisecond is played on at its end.
  public var session: Scenario {
    let end = now.roundedUpToMilliseconds
    var session = script(with: actsByHand.map(\.act))
    session.duration = end
    session.acts.removeAll { $0.at > end }
    return session
  }

  /// Another future: the same up to a step, then something else by hand.
  ///
  /// This one stays as it is. What the two have in common is not recorded again. The change is the only one: what
  /// people did after that step in this future so far, they do at the same moments in the other one. Without a change
  /// it is that which is left out.
  ///
  /// - Parameters:
  ///   - step: The last step that both have.
  ///   - number: The number of the new future.
  ///   - change: What is different.
  /// - Throws: ``Failure``.
  public func branched(at step: Int, as number: Int, change: SimulationAct? = nil) throws(Failure)
    -> Simulation
  {
    let coming = try branching(at: step, as: number, change: change)
    while true {
      if let other = coming.advance(steps: .max) { return other }
    }
  }

  /// Another future on its way to where it begins, for those who cannot wait for a long past; as
  /// ``branched(at:as:change:)``.
  ///
  /// - Throws: ``Failure``.
  public func branching(at step: Int, as number: Int, change: SimulationAct? = nil) throws(Failure)
    -> ComingFuture
  {
    let step = min(max(0, step), steps)
    let acts = actsByHand.filter { $0.step <= step || change != nil }.map(\.act)
    let other = try Simulation(script(with: acts), seed: seed, branch: number, parent: branch)
    other.speed = speed
    other.isRunning = isRunning
    return ComingFuture(other, begins: step, change: change)
  }

  /// The scenario with some of what people did; of two acts at one moment theirs comes first.
  private func script(with acts: [TimedAct]) -> Scenario {
    var script = scenario
    script.seed = seed
    script.acts = (acts + scenario.acts).inOrder
    script.expected = []
    script.expectedFrom = .zero
    return script
  }
}

/// A future that repeats what it has in common with another one, a piece at a time, until it begins.
public final class ComingFuture {
  private let simulation: Simulation
  private let step: Int
  private let change: SimulationAct?

  init(_ simulation: Simulation, begins step: Int, change: SimulationAct?) {
    self.simulation = simulation
    self.step = step
    self.change = change
    // People go on behind the end, too.
    simulation.end = nil
  }

  /// Its number.
  public var branch: Int { simulation.branch }

  /// Repeats a piece of the past.
  ///
  /// - Parameter limit: How many steps at most.
  /// - Returns: The future, once it has begun; then this is done with.
  public func advance(steps limit: Int) -> Simulation? {
    var taken = 0
    while simulation.steps < step, taken < limit {
      guard simulation.step() else { break }
      taken += 1
    }
    guard simulation.steps >= step || taken < limit else { return nil }
    simulation.end = simulation.scenario.duration
    simulation.forgetRecord()
    simulation.begin()
    if let change { simulation.perform(byHand: change) }
    return simulation
  }
}
