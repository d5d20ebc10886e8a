import SimulationKit
import Sync

extension TimedAct {
  /// Reads an act from an element of a scenario's list.
  init(_ value: JSON5Value, of domain: SyncDomain, at place: String) throws(ScenarioError) {
    var reader = try ScenarioReader(value, at: place)
    let (moment, verb) = try reader.act(Verb.self)
    let act = try verb.act(&reader, domain)
    let caption = try reader.optionalText("caption")
    if let caption, caption.count > Self.longestCaption {
      throw reader.fault(
        "caption", "has \(caption.count) characters; at most \(Self.longestCaption) fit the screen")
    }
    self = TimedAct(at: moment, act, isByHand: try reader.bool("byHand", else: false)).captioned(caption)
    try reader.finish()
  }

  /// The acts as scenarios name them.
  private enum Verb: String, CaseIterable {
    case fault, clearFaults, offline, online
    case create, update, delete, remoteCreate, remoteUpdate, remoteDelete
    case generate, generateRemote, trigger
    case sync, resetBreaker, clearPending, forceResync, skipToLatest, resetStore, signIn, powerCut, leap,
      configure, answer

    func act(_ reader: inout ScenarioReader, _ domain: SyncDomain) throws(ScenarioError) -> SimulationAct {
      switch self {
      case .fault: return .fault(try FaultSetting(&reader))
      case .clearFaults: return .clearFaults
      case .offline: return .fault(FaultSetting(.offline))
      case .online: return .fault(FaultSetting(.offline, isOn: false))
      case .create: return .change(try SimulatedChange(.create, &reader, domain))
      case .update: return .change(try SimulatedChange(.update, &reader, domain))
      case .delete: return .change(try SimulatedChange(.delete, &reader, domain))
      case .remoteCreate: return .remoteChange(try SimulatedChange(.create, &reader, domain))
      case .remoteUpdate: return .remoteChange(try SimulatedChange(.update, &reader, domain))
      case .remoteDelete: return .remoteChange(try SimulatedChange(.delete, &reader, domain))
      case .generate, .generateRemote:
        return .generate(
          isRemote: self == .generateRemote,
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
          try Scenario.configuration(
            reader.value("configuration"), at: reader.place(of: "configuration")))
      }
    }
  }
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
