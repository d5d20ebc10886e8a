import Essentials
package import MisterMetricsCore
package import Platform
package import SimulationKit
import TerminalUI

/// A world whose branches can be compared without a screen.
package protocol ComparedWorld: ScenarioWorld where Act.Fault: EngineFault {
  /// Its engine, folded from the record.
  associatedtype Folded: FoldedEngine

  /// The first change that matches words and a number, such as `batch 5`; `nil` for none.
  static func change(_ words: String, of engine: Folded) -> Act?
  /// True if an act makes calls fail in the same way as a fault, without setting it.
  static func act(_ act: Act, isLike fault: Act.Fault) -> Bool
  /// The engine's activity and the reason for it, in one sentence.
  static func sentence(of engine: Folded, at moment: Timestamp) -> String
}

/// A second branch of a simulation that runs without a screen, and its comparison with the main branch.
package struct WhatIf<World: ComparedWorld> {
  /// The change, and the moment of the fork.
  package struct Plan: Hashable, Sendable {
    /// The last common step of both branches.
    package let step: Int
    /// The act at that moment.
    package let act: World.Act?
    /// The faults that are no longer set.
    package let leftOut: Set<World.Act.Fault>
    /// The moment of the fork.
    package let moment: Duration
  }

  /// A description of the change.
  package let change: String
  /// The start of the second branch, relative to the start of the scenario.
  package let moment: Duration
  private var reading = EngineReading<World>()

  package init(change: String, at moment: Duration) {
    self.change = change
    self.moment = moment
  }

  /// Adds recorded entries.
  package mutating func add(_ entries: [MetricEntry]) { reading.add(entries) }

  /// Interprets the words for a scenario, by running a hidden simulation up to the fork.
  ///
  /// - Throws: ``WhatIfFailure``, and any error of a simulation.
  package func plan(for scenario: DrivenScenario<World>, seed: UInt64?) throws -> Plan {
    if let end = scenario.duration, moment >= end { throw WhatIfFailure.over(end) }
    let rehearsal = try SimulationSession(scenario, seed: seed)
    rehearsal.run(until: moment)
    var past = EngineReading<World>()
    past.add(rehearsal.takeEntries())
    let act = World.change(change, of: past.engine)
    let faults = faultsLeftOut
    if act == nil, !scenario.acts.contains(where: { $0.sets(faults, in: World.self, after: moment) }) {
      throw faults.isEmpty ? WhatIfFailure.unknown : WhatIfFailure.absent
    }
    return Plan(step: rehearsal.steps, act: act, leftOut: faults, moment: moment)
  }

  /// The faults that the words leave out, such as `without 429`, regardless of their setting.
  private var faultsLeftOut: Set<World.Act.Fault> {
    guard change.split(separator: " ").first == "without" else { return [] }
    return Set(
      World.Act.Fault.allCases.filter { ActionList.Entry("", "without \($0.words)").matches(change) })
  }

  /// The second branch, at its first step.
  package func branch(
    of simulation: SimulationSession<World>, by plan: Plan
  ) throws(World.Failure) -> SimulationSession<World> {
    try simulation.branched(at: plan.step, as: simulation.branch + 1, change: plan.act) {
      $0.sets(plan.leftOut, in: World.self, after: plan.moment)
    }
  }

  /// The difference in one line.
  package func summary(of plan: Plan) -> String {
    let comparison = EngineComparison(log: reading.log, of: 0, and: 1, columns: 1)
    // The record shows which acts happened, but not which were left out.
    let change = plan.leftOut.isEmpty ? reading.log.change(of: 1) : change
    return "\(change): \(comparison?.difference ?? "no difference so far")"
  }
}

/// The reason why there is no second branch.
package enum WhatIfFailure: Error, Hashable {
  /// The words describe no change.
  case unknown
  /// The event to be left out does not occur.
  case absent
  /// The scenario ends before that moment, after this time.
  case over(Duration)
}

extension DrivenTimedAct {
  /// True if it switches one of these faults on, or answers as one of them does, after a moment.
  fileprivate func sets<World: ComparedWorld>(
    _ faults: Set<Act.Fault>, in world: World.Type, after moment: Duration
  ) -> Bool where World.Act == Act {
    guard at > moment else { return false }
    if let setting = act.faultSetting { return setting.isOn && faults.contains(setting.fault) }
    return faults.contains { World.act(act, isLike: $0) }
  }
}
