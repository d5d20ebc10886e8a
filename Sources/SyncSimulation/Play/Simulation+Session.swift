import SimulationKit
import Sync

extension Simulation {
  /// The session so far as a scenario of its own: with the seed in force, people's acts among its acts, and up to
  /// now.
  ///
  /// Played, it records the same but for what it says of itself. A part of a millisecond is played on at its end.
  public var session: Scenario { playedScenario }

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
  /// - Throws: ``Failure``.
  public func branched(at step: Int, as number: Int, change: SimulationAct? = nil) throws(Failure)
    -> Simulation
  {
    try comingBranch(at: step, as: number, change: change).begun()
  }

  /// Another branch in which some acts of the scenario do not happen: they must come after the step.
  package func branched(
    at step: Int, as number: Int, change: SimulationAct?, without isLeftOut: (TimedAct) -> Bool
  ) throws(Failure) -> Simulation {
    try comingBranch(at: step, as: number, change: change, without: isLeftOut).begun()
  }
}

extension Simulation: DrivenSimulation {
  package static func playing(_ scenario: Scenario) throws(Failure) -> Simulation {
    try Simulation(scenario)
  }

  package func sibling(playing scenario: Scenario, as number: Int) throws(Failure) -> Simulation {
    try Simulation(scenario, seed: seed, branch: number, parent: branch)
  }

  package var due: Duration? { earliest?.moment }

  package func takeDue() { if let earliest { take(earliest) } }

  package func carryOut(_ timed: TimedAct) {
    clock.advance(to: timed.at)
    happen(.script(timed))
    settleDown()
  }

  package func setting(of fault: SimulatedFault) -> FaultSetting { faults[fault] }

  package func settings(changedBy act: SimulationAct) -> [FaultSetting]? {
    switch act {
    case .fault(let setting): [faults[setting.fault]]
    case .clearFaults: faults.active
    default: nil
    }
  }
}
