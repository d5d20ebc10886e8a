import SimulationKit
import Sync

extension SyncWorld: ScenarioWorld {
  package static let engine = ScenarioEngine(
    name: "sync", title: "sync engine", isWritten: false,
    comment: "A scenario of the simulator; `mistertop simulate FILE` plays it.", hasCaptions: true,
    module: "SyncSimulation", scenario: "Scenario", line: "transition", lines: "transitions")

  package typealias Formatter = TransitionFormatter

  /// The names of acts in scenarios.
  package enum Verb: String, CaseIterable {
    case fault, clearFaults, offline, online
    case create, update, delete, remoteCreate, remoteUpdate, remoteDelete
    case generate, generateRemote, trigger
    case sync, resetBreaker, clearPending, forceResync, skipToLatest, resetStore, signIn, powerCut, leap,
      configure, answer
  }

  package static func setup(_ reader: inout ScenarioReader) throws(ScenarioError) -> SyncSetup {
    try SyncSetup(&reader)
  }

  package static func lines(of setup: SyncSetup) -> [String] { setup.lines }

  package static func act(
    _ verb: Verb, _ reader: inout ScenarioReader, in setup: SyncSetup
  ) throws(ScenarioError) -> SimulationAct {
    switch verb {
    case .fault: return .fault(try FaultSetting(&reader))
    case .clearFaults: return .clearFaults
    case .offline: return .fault(FaultSetting(.offline))
    case .online: return .fault(FaultSetting(.offline, isOn: false))
    case .create: return .change(try SimulatedChange(.create, &reader, setup.domain))
    case .update: return .change(try SimulatedChange(.update, &reader, setup.domain))
    case .delete: return .change(try SimulatedChange(.delete, &reader, setup.domain))
    case .remoteCreate: return .remoteChange(try SimulatedChange(.create, &reader, setup.domain))
    case .remoteUpdate: return .remoteChange(try SimulatedChange(.update, &reader, setup.domain))
    case .remoteDelete: return .remoteChange(try SimulatedChange(.delete, &reader, setup.domain))
    case .generate, .generateRemote:
      return .generate(
        isRemote: verb == .generateRemote,
        perMinute: try reader.number("perMinute", in: SimulationAct.rates) ?? 6)
    case .trigger:
      return .trigger(
        every: try reader.seconds("every", in: SimulationAct.periods),
        afterChanges: try reader.bool("afterChanges", else: false))
    case .sync: return .requestSync
    case .resetBreaker: return .resetBreaker
    case .clearPending: return .clearPending
    case .forceResync: return .forceResync
    case .skipToLatest: return .skipToLatest
    case .resetStore: return .resetStore
    case .signIn: return .signIn
    case .powerCut: return .powerCut
    case .leap: return .leap(try reader.seconds("seconds", in: SimulationAct.leaps) ?? .seconds(3_600))
    case .answer: return .answer(try SimulatedAnswer(&reader))
    case .configure:
      return .configure(
        try SyncSetup.configuration(
          reader.value("configuration"), at: reader.place(of: "configuration")))
    }
  }

  package static func members(of act: SimulationAct) -> (verb: Verb, others: [String]) { act.members }

  package var outcome: String? { nil }
}

extension SimulatedChange {
  fileprivate init(_ operation: Mutation.Operation, _ reader: inout ScenarioReader, _ domain: SyncDomain)
    throws(ScenarioError)
  {
    let (count, id) = (try reader.count(), try reader.optionalText("id"))
    if count != nil, id != nil { throw reader.fault("count", "an id names one entity") }
    self.init(
      operation, kind: try reader.knownKind(of: domain), count: count ?? 1,
      isPoison: try reader.bool("poison", else: false), id: id, owner: try reader.optionalText("owner"),
      localWins: try reader.optionalBool("localWins"))
  }
}
