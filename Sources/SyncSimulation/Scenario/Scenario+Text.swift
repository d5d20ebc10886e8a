import Codecs
import Essentials
import SimulationKit
import Sync

extension SyncSetup {
  /// The setup as lines of a file.
  var lines: [String] {
    var lines: [String] = []
    if let text = configuration.json5 { lines.append("  configuration: \(text),") }
    if isSettled { lines.append("  settled: true,") }
    if hasVersions { lines.append("  versions: true,") }
    if hasOpaqueCursors { lines.append("  opaqueCursors: true,") }
    if let session { lines.append("  session: \(ScenarioText.seconds(session)),") }
    if domain != .sample { lines += ScenarioText.list("kinds", domain.kinds.map(\.json5)) }
    if !content.isEmpty {
      let parts = content.map(\.json5)
      lines.append("  server: [\(parts.joined(separator: ", "))],")
    }
    if !chance.isEmpty {
      lines.append("  chance: [\(chance.map(Decimals.text).joined(separator: ", "))],")
    }
    return lines
  }
}

extension SyncSetup.Content {
  fileprivate var json5: String {
    let what = ids.isEmpty ? "count: \(count)" : "ids: [\(ids.map(JSON5Text.quoted).joined(separator: ", "))]"
    return "{ kind: \(JSON5Text.quoted(kind)), \(what) }"
  }
}

extension SyncConfiguration {
  /// The constants that differ from the defaults; `nil` if none does.
  fileprivate var json5: String? {
    guard let mine = members, let standard = SyncConfiguration().members else { return nil }
    let parts = mine.filter { standard[$0.key] != $0.value }.sorted { $0.key < $1.key }
    return parts.isEmpty
      ? nil : "{ " + parts.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + " }"
  }

  private var members: [String: SyncValue]? {
    try? JSONDecoder().decode([String: SyncValue].self, from: JSONEncoder().encode(self))
  }
}

extension SimulationAct {
  /// The members of the act in scenario syntax.
  var members: (verb: SyncWorld.Verb, others: [String]) {
    switch self {
    case .fault(FaultSetting(.offline)): (.offline, [])
    case .fault(FaultSetting(.offline, isOn: false)): (.online, [])
    case .fault(let setting): (.fault, setting.members)
    case .clearFaults: (.clearFaults, [])
    case .change(let change): (change.verb(byOthers: false), change.members)
    case .remoteChange(let change): (change.verb(byOthers: true), change.members)
    case .generate(let isRemote, let perMinute):
      (isRemote ? .generateRemote : .generate, ["perMinute: \(Decimals.text(perMinute))"])
    case .trigger(let period, let afterChanges):
      (
        .trigger,
        (period.map { ["every: \(ScenarioText.seconds($0))"] } ?? [])
          + (afterChanges ? ["afterChanges: true"] : [])
      )
    case .requestSync: (.sync, [])
    case .resetBreaker: (.resetBreaker, [])
    case .clearPending: (.clearPending, [])
    case .forceResync: (.forceResync, [])
    case .skipToLatest: (.skipToLatest, [])
    case .resetStore: (.resetStore, [])
    case .signIn: (.signIn, [])
    case .powerCut: (.powerCut, [])
    case .leap(let duration): (.leap, ["seconds: \(ScenarioText.seconds(duration))"])
    case .answer(let answer): (.answer, answer.members)
    case .configure(let configuration):
      (.configure, configuration.json5.map { ["configuration: \($0)"] } ?? [])
    }
  }
}

extension SimulatedChange {
  fileprivate func verb(byOthers isRemote: Bool) -> SyncWorld.Verb {
    switch operation {
    case .create: isRemote ? .remoteCreate : .create
    case .update: isRemote ? .remoteUpdate : .update
    case .delete: isRemote ? .remoteDelete : .delete
    }
  }

  fileprivate var members: [String] {
    var members = ["kind: \(JSON5Text.quoted(kind))"]
    if count != 1 { members.append("count: \(count)") }
    if isPoison { members.append("poison: true") }
    if let id { members.append("id: \(JSON5Text.quoted(id))") }
    if let owner { members.append("owner: \(JSON5Text.quoted(owner))") }
    if let localWins { members.append("localWins: \(localWins)") }
    return members
  }
}
