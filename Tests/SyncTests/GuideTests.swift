import Foundation
import Sync
import Testing

// An app as its author writes it from docs/library.md and the articles of Sync alone, with a server of its own. The lines
// of `Guide` stand in docs/library.md.

private enum Guide {
  struct Todo: Codable, Equatable {
    var text: String
    var done = false
    var due: Date?
  }

  static func add(_ todo: Todo, id: String, to engine: SyncEngine) async throws {
    let row = try SyncEntity(id: id, kind: "todo", encoding: todo)
    try await engine.queueMutation(.create, of: row.key, members: row.members)
  }

  static func change(_ id: String, in engine: SyncEngine, _ edit: (inout Todo) -> Void) async throws {
    guard let row = try await engine.entity(EntityKey(kind: "todo", id: id)) else { return }
    var todo = try row.decode(Todo.self)
    edit(&todo)
    try await engine.queueMutation(.update, of: row.key, members: row.edits(to: todo))
  }

  static func show(_ engine: SyncEngine) async throws {
    for try await rows in await engine.rows(of: "todo", where: { $0.members["done"] == false }) {
      for todo in try rows.map({ try $0.decode(Todo.self) }) { print(todo.text) }
    }
  }
}

/// A server in memory that has versions, knows the keys that it has seen, and can be gone.
private actor TodoServer: SyncBackend {
  private var rows: [String: RemoteEntity] = [:]
  private var feed: [RemoteChange] = []
  private var seen: [String: RemoteEntity?] = [:]
  var isGone = false

  func go(_ isGone: Bool) { self.isGone = isGone }

  func probe() throws { try check() }

  func push(_ item: PushItem) throws -> RemoteEntity? {
    try check()
    if let answer = seen[item.idempotencyKey] { return answer }
    let old = rows[item.entity.id]
    switch item.operation {
    case .create: if let old { throw SyncError(httpStatus: 409, current: old) }
    case .update, .delete:
      guard let old else { throw SyncError(httpStatus: 404) }
      guard item.baseVersion == old.version else { throw SyncError(httpStatus: 412, current: old) }
    }
    let version = String(feed.count + 1)
    let members = (old?.members ?? [:]).merging(item.members) { $1 }.filter { $0.value != .null }
    let new =
      item.operation == .delete ? nil : RemoteEntity(id: item.entity.id, members: members, version: version)
    rows[item.entity.id] = new
    seen[item.idempotencyKey] = .some(new)
    feed.append(
      RemoteChange(
        entity: item.entity, operation: item.operation, members: item.members, version: version,
        idempotencyKey: item.idempotencyKey))
    return new
  }

  func push(batch: [PushItem], of kind: EntityKind) throws -> BatchAnswer {
    throw SyncError(.other, detail: "the kinds of this app go one by one")
  }

  func changes(since cursor: SyncCursor, limit: Int) throws -> ChangePage {
    try check()
    let rest = feed.dropFirst(Int(cursor.number) - 1)
    return ChangePage(
      changes: Array(rest.prefix(limit)), cursor: SyncCursor(cursor.number + Int64(min(limit, rest.count))),
      hasMore: rest.count > limit)
  }

  // One more than there are changes: 0 would say that nothing was ever fetched.
  func latestCursor() throws -> SyncCursor {
    try check()
    return SyncCursor(Int64(feed.count) + 1)
  }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) throws -> EntityPage {
    try check()
    return EntityPage(entities: rows.values.sorted { $0.id < $1.id })
  }

  private func check() throws {
    if isGone { throw SyncError(.noConnection) }
  }
}

private struct LongerTextWins: ConflictResolver {
  func resolve(_ conflict: SyncConflict) -> ConflictResolution {
    guard case .string(let mine) = conflict.local?["text"],
      case .string(let theirs) = conflict.remote?["text"]
    else { return LocalMembersWin().resolve(conflict) }
    return mine.count >= theirs.count ? .keepLocal : .takeRemote
  }
}

@Suite("An app written from the documentation")
struct GuideTests {
  private let server = TodoServer()

  private func device() -> SyncEngine {
    let domain = SyncDomain(kinds: [EntityKind(name: "todo", rank: 0)])
    var environment = SyncEnvironment(
      domain: domain, backend: server, stores: InMemorySyncStoreFactory(domain: domain),
      preferences: InMemoryPreferences())
    environment.conflicts = LongerTextWins()
    var configuration = SyncConfiguration()
    // The tests say when.
    configuration.queueDelay = nil
    return SyncEngine(environment, configuration: configuration)
  }

  private func todo(_ id: String, on engine: SyncEngine) async throws -> Guide.Todo? {
    try await engine.entity(EntityKey(kind: "todo", id: id))?.decode()
  }

  @Test func `Two devices edit one row, and the app decides whose text stays`() async throws {
    let (phone, tablet) = (device(), device())
    try await Guide.add(
      Guide.Todo(text: "milk", due: Date(timeIntervalSince1970: 1_795_248_000)), id: "t1", to: phone)
    for engine in [phone, tablet] { await engine.requestSync() }
    #expect(try await todo("t1", on: tablet) == todo("t1", on: phone))
    try await Guide.change("t1", in: phone) { ($0.text, $0.due) = ("milk and bread", nil) }
    try await Guide.change("t1", in: tablet) { ($0.text, $0.done) = ("oat milk", true) }
    var notices = await tablet.notices().makeAsyncIterator()
    for engine in [phone, tablet, phone] { await engine.requestSync() }
    let wanted = Guide.Todo(text: "milk and bread", done: true)
    #expect(try await todo("t1", on: tablet) == wanted)
    #expect(try await todo("t1", on: phone) == wanted)
    var cause: SyncConflict.Cause?
    while cause == nil, let notice = await notices.next() {
      if case .conflict(let conflict, .takeRemote) = notice { cause = conflict.cause }
    }
    #expect(cause == .refusedEdit)
  }

  @Test func `Changes wait while the server is gone, and go when it is back`() async throws {
    let engine = device()
    await server.go(true)
    try await Guide.add(Guide.Todo(text: "milk"), id: "t1", to: engine)
    await engine.requestSync()
    #expect(try await engine.pendingCount() == 1)
    #expect(try await engine.deadLetters().isEmpty)
    #expect(try await engine.entities(of: "todo").map(\.status) == [.pending])
    await server.go(false)
    // The engine may be trying by itself at the same time.
    while try await engine.pendingCount() > 0 { await engine.requestSync() }
    #expect(try await engine.entities(of: "todo").map(\.status) == [.synced])
  }

  @Test func `What is shown follows the rows, ends at sign-out, and comes back at sign-in`() async throws {
    let engine = device()
    var open = await engine.rows(of: "todo", where: { $0.members["done"] == false }).makeAsyncIterator()
    #expect(try await open.next()?.isEmpty == true)
    try await Guide.add(Guide.Todo(text: "milk"), id: "t1", to: engine)
    try await Guide.add(Guide.Todo(text: "bread"), id: "t2", to: engine)
    #expect(try await open.next()?.map(\.key.id) == ["t1", "t2"])
    try await Guide.change("t1", in: engine) { $0.done = true }
    #expect(try await open.next()?.map(\.key.id) == ["t2"])
    await engine.requestSync()
    try await engine.erase()
    while try await open.next() != nil {}
    #expect(try await engine.entities(of: "todo").isEmpty)
    #expect(try await engine.pendingCount() == 0)
    await engine.requestSync()
    #expect(try await engine.entities(of: "todo").map(\.key.id) == ["t1", "t2"])
    await engine.stop()
    try await Guide.show(engine)
  }
}
