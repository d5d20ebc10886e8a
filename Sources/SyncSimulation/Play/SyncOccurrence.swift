import Codecs
import SimulationKit
import Sync

/// An event from outside the engine: an act of the script, a random change, or a periodic request of the app for a run.
public struct SyncOccurrence: Sendable {
  let what: SyncWorld.Occurrence
}

/// Recurring events from outside the engine.
enum SyncSource: CaseIterable, Hashable, Sendable {
  /// Changes on the device.
  case device
  /// Changes by other users.
  case others
  /// The app requests a run.
  case trigger
}

extension SyncWorld {
  typealias Occurrence = SimulationDirector<SimulationAct, SyncSource>.Occurrence
}

extension SyncWorld.Occurrence {
  /// A short description of the event.
  var words: String {
    switch self {
    case .script(let timed): timed.act.words
    case .recurring(.device): "a change"
    case .recurring(.others): "a change by others"
    case .recurring(.trigger): EngineForecast.appAsks
    }
  }
}

extension SimulationAct {
  /// A short description of the act.
  public var words: String {
    switch self {
    case .fault(let setting): "fault \(setting.fault.words) \(setting.isOn ? "on" : "off")"
    case .clearFaults: "all faults off"
    case .change(let change): change.words
    case .remoteChange(let change): change.words + " by others"
    case .generate(let isRemote, let perMinute):
      "changes\(isRemote ? " by others" : ""): \(Decimals.text(perMinute)) a minute"
    case .trigger(let period, _):
      period.map { "a run every \(Decimals.text($0 / .seconds(1))) s" } ?? "no more regular runs"
    case .requestSync: EngineForecast.sync
    case .resetBreaker: "reset the breaker"
    case .clearPending: "clear the queue"
    case .forceResync: EngineForecast.resync
    case .skipToLatest: "skip to the latest cursor"
    case .resetStore: "reset the store"
    case .signIn: "sign in"
    case .powerCut: "the power is cut"
    case .leap(let duration): "asleep for \(Decimals.text(duration / .seconds(1))) s"
    case .configure: "other constants"
    case .answer(let answer): answer.words
    }
  }
}

extension SimulatedChange {
  /// A short description of the change.
  var words: String { "\(operation.rawValue) \(count == 1 ? "" : "\(count) × ")\(kind)" }
}
