import SimulationKit
import Sync

/// Generates content for the sample domain's entities.
struct SimulatedContent: Sendable {
  private var random: SimulationRandom
  private var counts: [String: Int] = [:]

  init(random: SimulationRandom) {
    self.random = random
  }

  private static let words = [
    "walk", "coffee", "call", "reading", "swim", "lunch", "train", "garden", "rest", "music", "shift",
    "meeting",
  ]

  /// The members of a new entity.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - owners: The ids of possible owners.
  ///   - isPoison: True if the server should refuse it every time.
  mutating func members(
    of kind: EntityKind, owners: [String], isPoison: Bool = false
  ) -> [String: SyncValue] {
    let number = counts[kind.name, default: 0] + 1
    counts[kind.name] = number
    var members: [String: SyncValue] = ["note": .string(word())]
    for name in kind.naturalKey where name != kind.link?.member {
      members[name] = .string("\(word()) \(number)")
    }
    if kind.naturalKey.isEmpty { members["title"] = .string(word()) }
    if let link = kind.link, !owners.isEmpty {
      members[link.member] = .string(owners[random.place(in: owners.count)])
    }
    if isPoison { members["note"] = "" }
    return members
  }

  /// The members of an update.
  mutating func edit(isPoison: Bool = false) -> [String: SyncValue] {
    ["note": .string(isPoison ? "" : word() + " " + word())]
  }

  /// The members set by a change that names its entity by id.
  mutating func members(of change: SimulatedChange, _ kind: EntityKind) -> [String: SyncValue] {
    switch change.operation {
    case .create:
      members(of: kind, owners: change.owner.map { [$0] } ?? [], isPoison: change.isPoison)
    case .update: edit(isPoison: change.isPoison)
    case .delete: [:]
    }
  }

  /// A random change, by anyone: mostly new events.
  mutating func pick(_ domain: SyncDomain) -> SimulatedChange? {
    let linked = domain.kinds.filter { $0.link != nil && $0.fetchedPer == nil }
    let kinds = random.chance(0.85) && !linked.isEmpty ? linked : domain.kinds
    guard !kinds.isEmpty else { return nil }
    let kind = kinds[random.place(in: kinds.count)]
    let draw = random.unit()
    let operation: Mutation.Operation = draw < 0.6 ? .create : draw < 0.9 ? .update : .delete
    // Owners are never deleted, which would complicate the scenario.
    let isOwner = domain.kinds.contains { $0.link?.kind == kind.name }
    return SimulatedChange(operation == .delete && isOwner ? .update : operation, kind: kind.name)
  }

  /// One of several ids; `nil` if there are none.
  mutating func choose(_ ids: [String]) -> String? {
    ids.isEmpty ? nil : ids[random.place(in: ids.count)]
  }

  private mutating func word() -> String { Self.words[random.place(in: Self.words.count)] }
}
