import Essentials
import SimulationKit
import Sync

/// Generates values that a store must accept, from simple ones to the limits of their types.
struct StoreSamples {
  /// Ids; two are equal as Swift strings, and the last two sort differently in UTF-16.
  private static let ids = [
    "a", "b", "10", "9", "", "\u{E9}", "e\u{301}", "x\u{0}y", "\u{FF5E}", "\u{1F600}",
  ]
  private static let texts = [
    "", "a", "'; --", "\u{0}", "line\nline", "\u{E9}", "\u{1F469}\u{200D}\u{1F52C}", "null",
  ]
  private static let numbers = [0.5, -0.1, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3]
  private static let dates = [0.1, -1e12 - 1 / 3, 1e-9, 777_777_777.123456, 64_092_211_200]

  private let domain: SyncDomain
  private var random: SimulationRandom
  private var count = 0

  init(domain: SyncDomain, seed: UInt64) {
    self.domain = domain
    random = SimulationRandom(seed: seed)
  }

  mutating func chance(_ probability: Double) -> Bool { random.chance(probability) }

  /// A number in 0..<count.
  mutating func place(in count: Int) -> Int { random.place(in: count) }

  mutating func pick<Value>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values[random.place(in: values.count)]
  }

  private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
    chance(0.5) ? value(&self) : nil
  }

  // MARK: - Values

  /// The name of a kind, occasionally one that the domain does not know.
  mutating func kind() -> String { chance(0.08) ? "alien" : pick(domain.kinds)?.name ?? "alien" }

  /// One of few keys, so that they repeat.
  mutating func key() -> EntityKey { EntityKey(kind: kind(), id: id()) }

  private mutating func id() -> String { pick(Self.ids) ?? "" }

  private mutating func text() -> String { pick(Self.texts) ?? "" }

  private mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: pick(Self.dates) ?? 0) }

  private mutating func integer() -> Int64 { pick([0, -1, 1 << 53 + 1, .min, .max]) ?? 0 }

  private mutating func value(depth: Int = 0) -> SyncValue {
    switch random.place(in: depth < 2 ? 20 : 12) {
    case 0: return .null
    case 1: return .bool(chance(0.5))
    case 2...4: return .int(integer())
    case 5, 6: return .double(pick(Self.numbers) ?? 0.5)
    case 7...11: return .string(text())
    case 12...15: return .array((0..<random.place(in: 3)).map { _ in value(depth: depth + 1) })
    case 16...18: return .object(members(depth: depth + 1))
    // Deeper than is reasonable, yet well within the limits of JSON readers.
    default: return (0..<40).reduce(SyncValue.null) { value, _ in .array([value]) }
    }
  }

  private mutating func members(depth: Int = 0) -> [String: SyncValue] {
    var members: [String: SyncValue] = [:]
    for _ in 0..<random.place(in: 4) { members[text()] = value(depth: depth) }
    return members
  }

  private mutating func payload(of operation: Mutation.Operation) -> Data {
    guard operation != .delete else { return Data() }
    if chance(0.05) { return Data(0...255) }
    return MemberPayload.payload(of: members()) ?? Data()
  }

  /// A new mutation.
  mutating func mutation() -> Mutation {
    count += 1
    let operation = pick([Mutation.Operation.create, .create, .update, .update, .delete]) ?? .create
    return change(
      Mutation(
        id: "m\(count)", idempotencyKey: "key \(count)", entity: key(), operation: operation, payload: Data(),
        createdAt: date()), isFresh: chance(0.6))
  }

  /// A mutation with the same id and entity; everything else may differ.
  mutating func change(_ mutation: Mutation, isFresh: Bool = false) -> Mutation {
    let operation = isFresh || chance(0.7) ? mutation.operation : pick(Mutation.Operation.allCases) ?? .create
    guard !isFresh else {
      return Mutation(
        id: mutation.id, idempotencyKey: mutation.idempotencyKey, entity: mutation.entity,
        operation: operation,
        payload: payload(of: operation), createdAt: mutation.createdAt)
    }
    return Mutation(
      id: mutation.id, idempotencyKey: mutation.idempotencyKey + text(), entity: mutation.entity,
      operation: operation, payload: payload(of: operation), createdAt: date(),
      attempts: pick([0, 1, .max]) ?? 0, lastError: maybe { $0.text() }, lastAttempt: maybe { $0.date() },
      mayHaveBeenSent: chance(0.5), notBefore: maybe { $0.date() },
      batchLimit: pick([nil, 1, Int.max]) ?? nil,
      baseVersion: maybe { $0.text() }, editedAt: maybe { $0.date() },
      payloadVersion: pick([0, 1, .max]) ?? 0)
  }

  /// A row; if its kind has a link, linked or not.
  mutating func row() -> SyncEntity {
    let key = key()
    var row = SyncEntity(
      key: key, members: members(), status: pick([.pending, .pending, .synced, .failed]) ?? .synced,
      basis: basis())
    guard let link = domain[key.kind]?.link else { return row }
    let target = id()
    if chance(0.8) { row.members[link.member] = .string(target) }
    if row.members[link.member] == .string(target), chance(0.3) { row.linkedTo = target }
    return row
  }

  private mutating func basis() -> ServerBasis {
    guard chance(0.5) else { return ServerBasis() }
    return ServerBasis(
      version: maybe { $0.text() }, members: maybe { $0.members() },
      own: (0..<random.place(in: 4)).map { "v\($0)" }, awaitsDelete: chance(0.3),
      isLocalOnly: chance(0.3))
  }

  /// A change of the feed.
  mutating func remoteChange() -> RemoteChange {
    RemoteChange(
      entity: key(), operation: pick(Mutation.Operation.allCases) ?? .update, members: members(),
      version: maybe { $0.text() }, time: maybe { $0.date() })
  }

  mutating func cursor() -> SyncCursor? {
    pick([nil, .start, 1, SyncCursor(.max), SyncCursor(opaque: "7"), SyncCursor(opaque: "\u{0}'e\u{301}")])
      ?? nil
  }

  mutating func kinds() -> Set<String> {
    Set((domain.kinds.map(\.name) + ["alien", ""]).filter { _ in chance(0.4) })
  }
}
