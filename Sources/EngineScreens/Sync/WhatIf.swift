import Essentials
package import MisterMetricsCore
import Platform
import Sync
package import SyncSimulation

/// A second branch of a simulation that runs without a screen, and how it compares with the main branch.
package struct WhatIf {
  /// Why there is no second branch.
  package enum Failure: Error, Hashable {
    /// The words describe no change.
    case unknown
    /// The event to be left out does not come.
    case absent
    /// The scenario is over by then, after that time.
    case over(Duration)
  }

  /// The difference, and the moment it starts.
  package struct Plan: Hashable, Sendable {
    /// The last step that both branches have.
    package let step: Int
    /// The act at that moment.
    package let act: SimulationAct?
    /// The faults that are not set any more.
    package let leftOut: Set<SimulatedFault>
    /// When the branches part.
    package let moment: Duration
  }

  /// The change, in words.
  package let change: String
  /// When the second branch starts, from the start of the scenario.
  package let moment: Duration
  private var reading = SyncReading()
  private var log: SyncLog { reading.log }

  package init(change: String, at moment: Duration) {
    self.change = change
    self.moment = moment
  }

  /// Adds recorded entries.
  package mutating func add(_ entries: [MetricEntry]) { reading.add(entries) }

  /// The meaning of the words for a scenario, tried on a simulation that no one sees.
  ///
  /// - Throws: ``Failure``, and what a simulation throws.
  package func plan(for scenario: Scenario, seed: UInt64?) throws -> Plan {
    if let end = scenario.duration, moment >= end { throw Failure.over(end) }
    let rehearsal = try Simulation(scenario, seed: seed)
    rehearsal.run(until: moment)
    var past = self
    past.add(rehearsal.takeEntries())
    let engine = past.log.state(of: 0)
    let act = SyncActs.all.change(change, of: engine)
    let faults = SyncActs.faultsLeftOut(by: change)
    if act == nil, !scenario.acts.contains(where: { $0.sets(faults, after: moment) }) {
      throw faults.isEmpty ? Failure.unknown : Failure.absent
    }
    return Plan(step: rehearsal.steps, act: act, leftOut: faults, moment: moment)
  }

  /// The second branch, at its first step.
  package func branch(of simulation: Simulation, by plan: Plan) throws -> Simulation {
    try simulation.branched(at: plan.step, as: simulation.branch + 1, change: plan.act) {
      $0.sets(plan.leftOut, after: plan.moment)
    }
  }

  /// The difference, in one line.
  package func summary(of plan: Plan) -> String {
    let comparison = SyncComparison(log: log, of: 0, and: 1, columns: 1)
    // The record knows what was done, not what did not happen.
    let change = plan.leftOut.isEmpty ? log.change(of: 1) : change
    return "\(change): \(comparison?.difference ?? "no difference so far")"
  }
}

extension TimedAct {
  /// True if it switches one of these faults on, or answers as one of them does, after a moment.
  fileprivate func sets(_ faults: Set<SimulatedFault>, after moment: Duration) -> Bool {
    guard at > moment else { return false }
    return switch act {
    case .fault(let setting): setting.isOn && faults.contains(setting.fault)
    case .answer(let answer): faults.contains { answer.isLike($0) }
    default: false
    }
  }
}
