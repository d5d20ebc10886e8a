import Codecs
import Sync
import SyncSimulation
import TerminalUI

/// The acts a user can perform, and the possible changes in another branch.
enum SyncActs {
  static let all = EngineActs<EngineState, SimulationAct>(
    all: choices, tunings: SyncTuning.all, of: \.configuration, configure: { .configure($0) },
    first: [.requestSync, .resetBreaker, .clearPending, .forceResync],
    amount: { fault in
      let unit = fault.measure.unit
      return unit.isEmpty ? "" : "\(NumberFormat.significant(FaultSetting(fault).amount)) \(unit)"
    })

  @Sendable private static func choices(_ many: Int) -> [(title: String, act: SimulationAct)] {
    var acts: [(String, SimulationAct)] = []
    func add(_ act: SimulationAct, _ more: String = "") { acts.append((act.words + more, act)) }
    // Sorted by name, so that typing "event" matches it before "eventType".
    let changes = SyncDomain.sample.kinds.sorted { $0.name < $1.name }.flatMap { kind in
      [Mutation.Operation.create, .update, .delete].map {
        SimulatedChange($0, kind: kind.name, count: many)
      }
    }
    for change in changes { add(.change(change)) }
    for change in changes where change.operation == .create {
      add(.change(change.poisoned), ", which the server refuses")
    }
    for change in changes { add(.remoteChange(change)) }
    let others: [SimulationAct] = [
      .requestSync, .resetBreaker, .forceResync, .skipToLatest, .resetStore, .clearPending, .clearFaults,
      .signIn,
      .powerCut,
      .leap(.seconds(600)), .leap(.seconds(8 * 3600)),
      .trigger(every: .seconds(5), afterChanges: true), .trigger(every: .seconds(30), afterChanges: false),
      .trigger(every: nil, afterChanges: false),
    ]
    for act in others { add(act, act.asksAfterChanges ? ", and after each change" : "") }
    for isRemote in [false, true] {
      for rate in [6.0, 60, 600, 0] { add(.generate(isRemote: isRemote, perMinute: rate)) }
    }
    return acts
  }
}

extension SimulatedChange {
  /// The change, made such that the server refuses it every time.
  fileprivate var poisoned: SimulatedChange {
    SimulatedChange(operation, kind: kind, count: count, isPoison: true)
  }
}

extension SimulationAct {
  fileprivate var asksAfterChanges: Bool {
    if case .trigger(_, afterChanges: true) = self { return true }
    return false
  }
}
