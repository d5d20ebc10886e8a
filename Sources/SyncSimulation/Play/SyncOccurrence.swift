import Codecs
import SimulationKit
import Sync

/// Something besides the engine's own doing: an act of the script, a change that comes at random, or the app's habit of
/// asking for runs.
public struct SyncOccurrence: Sendable {
  let what: SyncWorld.Occurrence
}

/// Recurring events from outside.
enum SyncSource: CaseIterable, Hashable, Sendable {
  /// Changes on the device.
  case device
  /// Changes by others.
  case others
  /// The app asks for a run.
  case trigger
}

extension SyncWorld {
  typealias Occurrence = SimulationDirector<SimulationAct, SyncSource>.Occurrence
}

extension SyncWorld.Occurrence {
  /// The thing that is due, in a few words.
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
  /// The act in a few words.
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
  /// The change in a few words.
  var words: String { "\(operation.rawValue) \(count == 1 ? "" : "\(count) × ")\(kind)" }
}
