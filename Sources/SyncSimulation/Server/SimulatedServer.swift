public import Essentials
public import Sync

/// A server as a value: its entities, its change feed and the idempotency keys it has seen.
///
/// It knows no time, faults or network; ``SimulatedBackend`` adds them between the server and the engine.
///
/// - A create, update or delete appears in the feed under a cursor of its own; cursors have 64 bits and only grow.
/// - The key of an executed change gets the same answer again, without a second effect.
/// - A create is a duplicate if its id exists, or another entity has its natural key (`naturalKey` of ``EntityKind``).
/// - With versions, an update or a delete of an older version is refused with 412 and the current entity.
/// - An entity that is linked to a missing one, or has an empty text, is refused with 422.
public struct SimulatedServer: Sendable {
  /// The known kinds.
  public let domain: SyncDomain
  /// The cursor of the newest change.
  public private(set) var latest: Int64
  /// True if it has versions and refuses changes to older ones.
  public let hasVersions: Bool
  /// True if its cursors are opaque strings.
  public let hasOpaqueCursors: Bool
  /// True if feed entries carry the idempotency keys of their pushes.
  package var hasKeys = true
  /// The server's calendar time for feed entries; `nil` to leave it out.
  public var time: Date?

  private var entities: [String: [String: [String: SyncValue]]] = [:]
  /// The ids of each kind, sorted.
  private var sortedIDs: [String: [String]] = [:]
  private var owners: [NaturalKey: String] = [:]
  private var feed: [(cursor: Int64, change: RemoteChange)] = []
  private var answers: [String: RemoteEntity] = [:]
  /// The cursor of the last change to each entity.
  private var changed: [EntityKey: Int64] = [:]

  /// The key that distinguishes entities of one kind, regardless of their ids.
  private struct NaturalKey: Hashable {
    let kind: String
    let values: [SyncValue]
  }

  /// An empty server.
  ///
  /// - Parameters:
  ///   - domain: The known kinds.
  ///   - cursor: Start of its feed; a negative one counts as 0.
  ///   - hasVersions: True for entities with versions.
  ///   - hasOpaqueCursors: True for opaque string cursors.
  public init(
    domain: SyncDomain, cursor: Int64 = 0, hasVersions: Bool = false, hasOpaqueCursors: Bool = false
  ) {
    self.domain = domain
    self.hasVersions = hasVersions
    self.hasOpaqueCursors = hasOpaqueCursors
    latest = max(0, cursor)
  }

  /// The members of an entity; `nil` if it does not exist.
  public subscript(_ key: EntityKey) -> [String: SyncValue]? { entities[key.kind]?[key.id] }

  /// The entity with its version; `nil` if it does not exist.
  public func entity(_ key: EntityKey) -> RemoteEntity? {
    self[key].map { RemoteEntity(id: key.id, members: $0, version: version(of: key)) }
  }

  private func version(of key: EntityKey) -> String? {
    hasVersions ? changed[key].map { "v\($0)" } : nil
  }

  /// The cursor of the newest change in its external form.
  public var latestCursor: SyncCursor { cursor(latest) }

  private func cursor(_ number: Int64) -> SyncCursor {
    hasOpaqueCursors ? SyncCursor(opaque: "at-" + String(number, radix: 36)) : SyncCursor(number)
  }

  private func number(of cursor: SyncCursor) -> Int64 {
    cursor.text.flatMap { Int64($0.dropFirst(3), radix: 36) } ?? cursor.number
  }

  /// The ids of a kind's entities, sorted.
  public func ids(of kind: String) -> [String] { sortedIDs[kind] ?? [] }

  /// Number of executed creates, not counting repeats of a key.
  public private(set) var creates = 0

  // MARK: - Pushes

  /// Executes one change with its idempotency key.
  ///
  /// - Returns: The entity after the change, or before a delete.
  /// - Throws: 404, 409, 412 or 422.
  @discardableResult
  public mutating func push(_ item: PushItem) throws(SyncError) -> RemoteEntity {
    if let answer = answers[item.idempotencyKey] { return answer }
    let answer = try carryOut(item).get()
    answers[item.idempotencyKey] = answer
    return answer
  }

  /// Executes changes of one kind, each with its own key.
  public mutating func push(batch: [PushItem]) -> BatchAnswer {
    var answer = BatchAnswer()
    for (position, item) in batch.enumerated() { push(item, at: position, in: &answer) }
    return answer
  }

  /// Executes one item of a batch.
  mutating func push(_ item: PushItem, at position: Int, in answer: inout BatchAnswer) {
    var (created, failures, taken) = (answer.created, answer.failures, answer.taken)
    do throws(SyncError) {
      let entity = try push(item)
      if item.operation == .delete { taken.append(position) } else { created.append(entity) }
    } catch {
      failures.append(
        .init(
          position: position, code: Self.code(of: error), message: error.detail, status: error.status,
          current: error.current))
    }
    answer = BatchAnswer(created: created, failures: failures, taken: taken)
  }

  /// The code of an error in a batch answer.
  static func code(of error: SyncError) -> String {
    switch error.code {
    case .duplicate: "duplicate"
    case .conflict: "conflict"
    default: "invalid"
    }
  }

  private mutating func carryOut(_ item: PushItem) -> Result<RemoteEntity, SyncError> {
    switch item.operation {
    case .create: create(item)
    case .update: update(item)
    case .delete: delete(item)
    }
  }

  private mutating func create(_ item: PushItem) -> Result<RemoteEntity, SyncError> {
    if let refusal = refusal(of: item.members, kind: item.entity.kind) { return .failure(refusal) }
    guard self[item.entity] == nil, owner(of: item.members, kind: item.entity.kind) == nil else {
      return .failure(
        SyncError(
          .duplicate, status: 409, detail: "\(item.entity.kind) exists already",
          current: hasVersions ? entity(item.entity) : nil))
    }
    creates += 1
    change(item, item.members)
    return .success(
      RemoteEntity(id: item.entity.id, members: item.members, version: version(of: item.entity)))
  }

  /// A 412 for a change to another version.
  private func conflict(_ item: PushItem) -> SyncError? {
    guard hasVersions, let base = item.baseVersion, base != version(of: item.entity) else { return nil }
    return SyncError(
      .conflict, status: 412, detail: "\(item.entity.kind) was changed by someone else",
      current: entity(item.entity))
  }

  private mutating func update(_ item: PushItem) -> Result<RemoteEntity, SyncError> {
    guard self[item.entity] != nil else { return .failure(Self.missing(item.entity)) }
    if let conflict = conflict(item) { return .failure(conflict) }
    if let refusal = refusal(of: item.members, kind: item.entity.kind) { return .failure(refusal) }
    if let owner = owner(of: merged(item), kind: item.entity.kind), owner != item.entity.id {
      return .failure(SyncError(.duplicate, status: 409, detail: "\(item.entity.kind) exists already"))
    }
    change(item, item.members)
    return .success(
      RemoteEntity(id: item.entity.id, members: self[item.entity] ?? [:], version: version(of: item.entity)))
  }

  private mutating func delete(_ item: PushItem) -> Result<RemoteEntity, SyncError> {
    guard let members = self[item.entity] else { return .failure(Self.missing(item.entity)) }
    if let conflict = conflict(item) { return .failure(conflict) }
    change(item, [:])
    return .success(RemoteEntity(id: item.entity.id, members: members))
  }

  private static func missing(_ entity: EntityKey) -> SyncError {
    SyncError(.notFound, status: 404, detail: "there is no such \(entity.kind)")
  }

  private func refusal(of members: [String: SyncValue], kind: String) -> SyncError? {
    if let empty = members.filter({ $0.value == .string("") }).keys.min() {
      return SyncError(.http, status: 422, detail: "\(empty) must not be empty")
    }
    guard let link = domain[kind]?.link, case .string(let id) = members[link.member] else { return nil }
    guard self[EntityKey(kind: link.kind, id: id)] == nil else { return nil }
    return SyncError(.http, status: 422, detail: "\(link.member) names no \(link.kind)")
  }

  private func merged(_ item: PushItem) -> [String: SyncValue] {
    (self[item.entity] ?? [:]).merging(item.members) { _, new in new }
  }

  private func owner(of members: [String: SyncValue], kind: String) -> String? {
    naturalKey(of: members, kind: kind).flatMap { owners[$0] }
  }

  private func naturalKey(of members: [String: SyncValue], kind: String) -> NaturalKey? {
    guard let names = domain[kind]?.naturalKey, !names.isEmpty else { return nil }
    let values = names.compactMap { members[$0] }
    return values.count == names.count ? NaturalKey(kind: kind, values: values) : nil
  }

  // MARK: - Changes

  private mutating func change(_ item: PushItem, _ members: [String: SyncValue]) {
    change(
      RemoteChange(
        entity: item.entity, operation: item.operation, members: members, idempotencyKey: item.idempotencyKey)
    )
  }

  /// Makes a change, from any origin, and adds it to the feed.
  public mutating func change(_ change: RemoteChange) {
    apply(change)
    pass()
    changed[change.entity] = latest
    feed.append(
      (
        latest,
        RemoteChange(
          entity: change.entity, operation: change.operation, members: change.members,
          version: version(of: change.entity), time: hasVersions ? time : nil,
          idempotencyKey: hasKeys ? change.idempotencyKey : nil)
      ))
  }

  /// A change to something that apps do not request: the feed advances by one.
  mutating func pass() { latest = latest == .max ? latest : latest + 1 }

  private mutating func apply(_ change: RemoteChange) {
    let key = change.entity
    let before = self[key]
    if let before, let natural = naturalKey(of: before, kind: key.kind), owners[natural] == key.id {
      owners[natural] = nil
    }
    let place = place(of: key)
    guard change.operation != .delete else {
      entities[key.kind]?[key.id] = nil
      if before != nil { sortedIDs[key.kind]?.remove(at: place) }
      return
    }
    if before == nil { sortedIDs[key.kind, default: []].insert(key.id, at: place) }
    var members = before ?? [:]
    for (name, value) in change.members { members[name] = value == .null ? nil : value }
    entities[key.kind, default: [:]][key.id] = members
    if let natural = naturalKey(of: members, kind: key.kind) { owners[natural] = key.id }
  }

  /// The index of an id among the sorted ones, or where to insert it.
  private func place(of key: EntityKey) -> Int {
    let ids = sortedIDs[key.kind] ?? []
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < key.id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Reads

  /// The changes after a cursor, oldest first.
  public func changes(since start: SyncCursor, limit: Int) -> ChangePage {
    let cursor = number(of: start)
    var (low, high) = (0, feed.count)
    while low < high {
      let middle = (low + high) / 2
      if feed[middle].cursor <= cursor { low = middle + 1 } else { high = middle }
    }
    let page = feed[low...].prefix(max(1, limit))
    return ChangePage(
      changes: page.map(\.change), cursor: self.cursor(page.last?.cursor ?? max(cursor, latest)),
      hasMore: page.endIndex < feed.endIndex)
  }

  /// One page of a kind's entities ordered by id, limited to one owner if the kind is fetched per owner.
  public func entities(of kind: String, ownedBy owner: String?, page: String?, limit: Int) -> EntityPage {
    let all = entities[kind] ?? [:]
    let member = domain[kind]?.link?.member
    let ids = ids(of: kind).filter { id in
      guard let owner, let member else { return true }
      return all[id]?[member] == .string(owner)
    }
    let rest = ids.drop { id in page.map { id <= $0 } ?? false }
    let shown = rest.prefix(max(1, limit))
    return EntityPage(
      entities: shown.map {
        RemoteEntity(id: $0, members: all[$0] ?? [:], version: version(of: EntityKey(kind: kind, id: $0)))
      },
      next: shown.endIndex < rest.endIndex ? shown.last : nil)
  }
}
