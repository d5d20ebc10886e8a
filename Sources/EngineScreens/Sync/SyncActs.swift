import Codecs
import Sync
import SyncSimulation
import TerminalUI

/// Acts that a person can choose, and possible differences in another branch.
enum SyncActs {
  /// Maximum number of changes at once.
  static let largestCount = 100_000

  /// Everything that can be done by hand.
  ///
  /// - Parameter query: What is typed; a number in it is how many changes are made at once.
  static func choices(_ query: String) -> [(title: String, act: SimulationAct)] {
    let count = query.split(separator: " ").lazy.compactMap { Int($0) }.first
    let many = count.map { max(1, min(largestCount, $0)) } ?? 1
    var acts: [(String, SimulationAct)] = []
    func add(_ act: SimulationAct, _ more: String = "") { acts.append((act.words + more, act)) }
    // By name, so that what is typed finds "event" before "eventType".
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

  /// The first of the changes that words and a number describe, such as `base 5` or `without 429`; `nil` for none.
  ///
  /// - Parameter engine: The engine at the moment at which the other branch begins.
  static func change(_ words: String, of engine: EngineState) -> SimulationAct? {
    changes(of: engine, words).first { $0.act != nil && ActionList.Entry("", $0.title).matches(words) }?.act
  }

  /// Possible differences in another branch of an engine.
  ///
  /// - Parameter query: What is typed; a number in it is another value for the constants.
  static func changes(of engine: EngineState, _ query: String) -> [(title: String, act: SimulationAct?)] {
    var changes: [(String, SimulationAct?)] = [("nothing; later manual acts are left out", nil)]
    let typed = query.split(separator: " ").compactMap { Double($0) }
    let active = engine.faults.filter(\.on).compactMap { SimulatedFault(rawValue: $0.fault) }
    for fault in active {
      changes.append(("without \(fault.words)", .fault(FaultSetting(fault, isOn: false))))
    }
    for constant in SyncTuning.allCases {
      let value = constant.value(in: engine.configuration)
      // Typed values come first; a listed value may be typed, too.
      let values = typed + constant.alternatives.filter { !typed.contains($0) }
      for other in values where constant.accepts(other) && other != value {
        changes.append(
          (
            "\(constant.name) \(constant.text(value)) -> \(constant.text(other))",
            .configure(constant.setting(other, in: engine.configuration))
          ))
      }
    }
    for act in [SimulationAct.requestSync, .resetBreaker, .clearPending, .forceResync] {
      changes.append((act.words, act))
    }
    for fault in SimulatedFault.allCases where !active.contains(fault) {
      let setting = FaultSetting(fault)
      let amount =
        fault.measure.unit.isEmpty ? "" : " \(NumberFormat.significant(setting.amount)) \(fault.measure.unit)"
      changes.append(("with \(fault.words)\(amount)", .fault(setting)))
    }
    return changes
  }
}

extension SimulatedChange {
  /// The same, refused by the server however often it is sent.
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
