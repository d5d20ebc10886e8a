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

  /// Another future: the same up to a step, then, if wanted, something else by hand.
  ///
  /// This one stays as it is. What the two have in common is not recorded again.
  ///
  /// - Parameters:
  ///   - step: The last step that both have.
  ///   - number: The number of the new future.
  ///   - change: What is different.
  /// - Throws: ``Failure``.
  public func branched(at step: Int, as number: Int, change: SimulationAct? = nil) throws(Failure)
    -> Simulation
  {
    let step = min(max(0, step), steps)
    let acts = actsByHand.filter { $0.step <= step }.map(\.act)
    let other = try Simulation(script(with: acts), seed: seed, branch: number, parent: branch)
    other.speed = speed
    other.isRunning = isRunning
    // People go on behind the end, too.
    other.end = nil
    while other.steps < step, other.step() {}
    other.end = scenario.duration
    other.forgetRecord()
    other.begin()
    if let change { other.perform(byHand: change) }
    return other
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
