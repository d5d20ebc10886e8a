import SimulationKit

extension DeliverySimulation {
  /// The session so far as a scenario of its own: with the seed in force, people's acts among its acts, and up to
  /// now.
  ///
  /// Played, it records the same but for what it says of itself. A part of a millisecond is played on at its end.
  package var session: DeliveryScenario { playedScenario }

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
  package func branched(
    at step: Int, as number: Int, change: DeliverySimulationAct? = nil
  ) -> DeliverySimulation {
    comingBranch(at: step, as: number, change: change).begun()
  }
}

extension DeliverySimulation: DrivenSimulation {
  package static func playing(_ scenario: DeliveryScenario) -> DeliverySimulation {
    DeliverySimulation(scenario)
  }

  package func sibling(playing scenario: DeliveryScenario, as number: Int) -> DeliverySimulation {
    DeliverySimulation(scenario, seed: seed, branch: number, parent: branch)
  }

  package var due: Duration? { earliest?.moment }

  package func takeDue() { if let earliest { take(earliest) } }

  package func carryOut(_ timed: DeliveryTimedAct) {
    clock.advance(to: timed.at)
    settleArrival()
    happen(.script(timed))
    settleDown()
  }

  package func setting(of fault: EndpointFault) -> EndpointFaultSetting { faults[fault] }

  package func settings(changedBy act: DeliverySimulationAct) -> [EndpointFaultSetting]? {
    switch act {
    case .fault(let setting): [faults[setting.fault]]
    case .clearFaults: faults.active
    default: nil
    }
  }
}
