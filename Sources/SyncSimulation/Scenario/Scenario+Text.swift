import Codecs
import Essentials
import SimulationKit
import Sync

extension Scenario {
  /// The scenario as JSON5, as people would write it; ``init(json5:)`` reads it back to the same value.
  ///
  /// Only what a file cannot say is lost: parts of milliseconds, and a length without an end, which the reader misses.
  public var json5: String {
    let head = ScenarioHead(
      name: name, title: title, story: story, seed: seed, start: start, duration: duration)
    var lines = head.lines("A scenario of the simulator; `mistertop simulate FILE` plays it.")
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
    lines += ScenarioText.list("acts", acts.map { $0.json5($0.members) })
    if expectedFrom != .zero { lines.append("  expectedFrom: \(ScenarioText.seconds(expectedFrom)),") }
    lines += ScenarioText.list("expected", expected.map(JSON5Text.quoted))
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }
}

extension Scenario.Content {
  fileprivate var json5: String {
    let what = ids.isEmpty ? "count: \(count)" : "ids: [\(ids.map(JSON5Text.quoted).joined(separator: ", "))]"
    return "{ kind: \(JSON5Text.quoted(kind)), \(what) }"
  }
}

extension SyncConfiguration {
  /// The constants that are not the defaults; `nil` when there are none.
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

extension TimedAct {
  fileprivate var members: [String] {
    act.members + (caption.map { ["caption: \(JSON5Text.quoted($0))"] } ?? [])
  }
}

extension SimulationAct {
  /// The members of the act, in the words of the reader.
  fileprivate var members: [String] {
    switch self {
    case .fault(FaultSetting(.offline)): Self.members("offline")
    case .fault(FaultSetting(.offline, isOn: false)): Self.members("online")
    case .fault(let setting): Self.members("fault", setting.members)
    case .clearFaults: Self.members("clearFaults")
    case .change(let change): Self.members(change.operation.rawValue, change.members)
    case .remoteChange(let change):
      Self.members("remote" + change.operation.rawValue.capitalized, change.members)
    case .generate(let isRemote, let perMinute):
      Self.members(
        isRemote ? "generateRemote" : "generate", ["perMinute: \(Decimals.text(perMinute))"])
    case .trigger(let period, let afterChanges):
      Self.members(
        "trigger", period.map { ["every: \(ScenarioText.seconds($0))"] } ?? [],
        afterChanges ? ["afterChanges: true"] : [])
    case .requestSync: Self.members("sync")
    case .resetBreaker: Self.members("resetBreaker")
    case .clearPending: Self.members("clearPending")
    case .forceResync: Self.members("forceResync")
    case .skipToLatest: Self.members("skipToLatest")
    case .resetStore: Self.members("resetStore")
    case .signIn: Self.members("signIn")
    case .powerCut: Self.members("powerCut")
    case .leap(let duration): Self.members("leap", ["seconds: \(ScenarioText.seconds(duration))"])
    case .answer(let answer): Self.members("answer", answer.members)
    case .configure(let configuration):
      Self.members("configure", configuration.json5.map { ["configuration: \($0)"] } ?? [])
    }
  }

  private static func members(_ verb: String, _ others: [String]...) -> [String] {
    ["do: \(JSON5Text.quoted(verb))"] + others.joined()
  }
}

extension SimulatedChange {
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
