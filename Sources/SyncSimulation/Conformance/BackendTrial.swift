import Essentials
import Sync

/// A backend under test, with the entities created and the violations found.
struct BackendTrial {
  let backend: any SyncBackend
  let kind: EntityKind
  /// The newest cursor before anything was created.
  let start: SyncCursor
  private let makeMembers: (Int) -> [String: SyncValue]
  private(set) var violations: [String] = []
  private var count = 0

  init(
    _ backend: any SyncBackend, kind: EntityKind, start: SyncCursor,
    makeMembers: @escaping (Int) -> [String: SyncValue]
  ) {
    (self.backend, self.kind, self.start, self.makeMembers) = (backend, kind, start, makeMembers)
  }

  // MARK: - Requests

  /// The members of the next entity.
  mutating func members() -> [String: SyncValue] {
    count += 1
    return makeMembers(count)
  }

  /// A create with an unused id.
  mutating func create() -> PushItem {
    let key = EntityKey(kind: kind.name, id: UUID().uuidString.lowercased())
    return item(.create, key, members())
  }

  /// A change with its own idempotency key.
  func item(
    _ operation: Mutation.Operation, _ key: EntityKey, _ members: [String: SyncValue] = [:],
    madeOn base: String? = nil
  ) -> PushItem {
    PushItem(
      idempotencyKey: UUID().uuidString.lowercased(), entity: key, operation: operation, members: members,
      baseVersion: base)
  }

  // MARK: - Results

  /// Records a broken promise.
  mutating func note(_ rule: String, _ detail: String) { violations.append("\(rule): \(detail)") }

  mutating func expect(_ isKept: Bool, _ rule: String, _ detail: @autoclosure () -> String) {
    if !isKept { note(rule, detail()) }
  }

  /// Makes a call that must succeed.
  mutating func attempt<Value: Sendable>(
    _ rule: String, _ call: @Sendable (any SyncBackend) async throws -> Value
  ) async -> Value? {
    do { return try await call(backend) } catch {
      note(rule, "it threw \(ConformanceText.of(error))")
      return nil
    }
  }

  /// Pushes a change that must be accepted.
  ///
  /// - Returns: True if it was accepted, and the entity that the backend answered with.
  @discardableResult
  mutating func push(_ item: PushItem, _ rule: String) async -> (isTaken: Bool, answer: RemoteEntity?) {
    let result = await attempt(rule) { try await [$0.push(item)] }
    return (result != nil, result?.first ?? nil)
  }

  /// Pushes a change that must be refused.
  mutating func refusal(of item: PushItem, _ rule: String) async -> SyncError? {
    do {
      _ = try await backend.push(item)
      note(rule, "it was taken")
    } catch let error as SyncError {
      return error
    } catch {
      note(rule, "it threw \(ConformanceText.of(error))")
    }
    return nil
  }

  // MARK: - Reads

  /// All changes after a cursor, page by page.
  mutating func feed(since cursor: SyncCursor, limit: Int = 100) async -> [RemoteChange] {
    await pages(since: cursor, limit: limit).flatMap(\.changes)
  }

  /// The pages after a cursor, each checked against the contract of pages.
  mutating func pages(since cursor: SyncCursor, limit: Int) async -> [ChangePage] {
    var (pages, cursor) = ([ChangePage](), cursor)
    while true {
      let since = cursor
      let called = await attempt("changes are told") { try await $0.changes(since: since, limit: limit) }
      guard let page = called else { return pages }
      pages.append(page)
      expect(
        page.changes.count <= limit, "a page of changes has at most limit",
        "\(page.changes.count) came for \(limit)")
      if !page.changes.isEmpty || page.hasMore, !page.cursor.isBeyond(cursor) {
        note(
          "the cursor moves on with every page that has something or promises more",
          "it stays at \(page.cursor)")
        return pages
      }
      guard page.hasMore else { return pages }
      cursor = page.cursor
    }
  }

  /// All entities of the kind, page by page.
  mutating func entities(limit: Int = 100) async -> [RemoteEntity] {
    let (kind, owner) = (kind, kind.link.flatMap { link in ownerID(link.member) })
    var (entities, page, seen) = ([RemoteEntity](), String?.none, Set<String>())
    repeat {
      let next = page
      let called = await attempt("entities are listed") {
        try await $0.entities(of: kind, ownedBy: owner, page: next, limit: limit)
      }
      guard let called else { return entities }
      expect(
        called.entities.count <= limit, "a page of entities has at most limit",
        "\(called.entities.count) came for \(limit)")
      entities += called.entities
      page = called.next
      if let page, !seen.insert(page).inserted {
        note("the continuation of a list moves on", "it is \(page) twice")
        return entities
      }
    } while page != nil
    return entities
  }

  /// The listed entity with an id.
  mutating func entity(_ key: EntityKey) async -> RemoteEntity? {
    await entities().first { $0.id.utf8.elementsEqual(key.id.utf8) }
  }

  private func ownerID(_ member: String) -> String? {
    guard kind.fetchedPer != nil, case .string(let id) = makeMembers(1)[member] else { return nil }
    return id
  }
}

extension [String: SyncValue] {
  /// True if these include all the other members; a server may add some.
  func has(_ members: [String: SyncValue]) -> Bool {
    members.allSatisfy { (self[$0.key] ?? .null) == $0.value }
  }
}
