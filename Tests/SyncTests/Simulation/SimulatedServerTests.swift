import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Simulated server")
struct SimulatedServerTests {
  private func create(_ id: String, kind: String = "eventType", key: String? = nil, name: String? = nil)
    -> PushItem
  {
    PushItem(
      idempotencyKey: key ?? "key-" + id, entity: EntityKey(kind: kind, id: id), operation: .create,
      members: ["name": .string(name ?? id)])
  }

  private func code(_ server: inout SimulatedServer, _ item: PushItem) -> Int? {
    do throws(SyncError) {
      try server.push(item)
      return nil
    } catch {
      return error.status
    }
  }

  @Test func `The same key twice gets the same answer and creates nothing more`() throws {
    var server = SimulatedServer(domain: .sample)
    let first = try server.push(create("a"))
    #expect(try server.push(create("a")) == first)
    #expect(server.creates == 1 && server.latest == 1)
  }

  @Test func `A create of what is there, by id or by natural key, is a duplicate`() throws {
    var server = SimulatedServer(domain: .sample)
    try server.push(create("a"))
    #expect(code(&server, create("a", key: "other")) == 409)
    #expect(code(&server, create("b", name: "a")) == 409)
    #expect(code(&server, create("c")) == nil)
    let answer = server.push(batch: [create("d"), create("e", name: "a")])
    #expect(answer.created.map(\.id) == ["d"])
    #expect(answer.failures.map(\.position) == [1] && answer.failures[0].code == "duplicate")
  }

  @Test func `A natural key is free again when its owner is gone or renamed`() throws {
    var server = SimulatedServer(domain: .sample)
    try server.push(create("a"))
    let key = EntityKey(kind: "eventType", id: "a")
    server.change(RemoteChange(entity: key, operation: .update, members: ["name": "b"]))
    #expect(code(&server, create("c", name: "a")) == nil)
    server.change(RemoteChange(entity: key, operation: .delete, members: [:]))
    #expect(code(&server, create("d", name: "b")) == nil)
  }

  @Test func `What is missing is 404, what is unlinked or empty is 422, and a refusal is not remembered`()
    throws
  {
    var server = SimulatedServer(domain: .sample)
    let key = EntityKey(kind: "event", id: "e")
    let delete = PushItem(idempotencyKey: "k", entity: key, operation: .delete, members: [:])
    #expect(code(&server, delete) == 404)
    let event = PushItem(
      idempotencyKey: "e", entity: key, operation: .create, members: ["eventTypeId": "a", "title": "x"])
    #expect(code(&server, event) == 422)
    try server.push(create("a"))
    #expect(code(&server, event) == nil)
    let empty = PushItem(idempotencyKey: "u", entity: key, operation: .update, members: ["title": ""])
    #expect(code(&server, empty) == 422)
  }

  @Test func `The feed has every change once, in pages, under cursors that only grow`() throws {
    var server = SimulatedServer(domain: .sample, cursor: 1 << 40)
    for name in ["a", "b", "c", "d", "e"] { try server.push(create(name)) }
    var seen: [String] = []
    var cursor = SyncCursor(1 << 40)
    while true {
      let page = server.changes(since: cursor, limit: 2)
      #expect(page.cursor == cursor || page.cursor.isBeyond(cursor))
      seen += page.changes.map(\.entity.id)
      cursor = page.cursor
      guard page.hasMore else { break }
    }
    #expect(seen == ["a", "b", "c", "d", "e"] && cursor.number == server.latest)
    #expect(
      server.changes(since: cursor, limit: 2) == ChangePage(changes: [], cursor: cursor, hasMore: false))
  }

  @Test func `Lists come in pages, and by owner where a kind is asked for so`() throws {
    var server = SimulatedServer(domain: .sample)
    for name in ["a", "b", "c"] { try server.push(create(name)) }
    for (id, owner) in [("p", "a"), ("q", "b"), ("r", "a")] {
      let members: [String: SyncValue] = ["eventTypeId": .string(owner), "key": .string(id)]
      let entity = EntityKey(kind: "propertyDefinition", id: id)
      try server.push(PushItem(idempotencyKey: id, entity: entity, operation: .create, members: members))
    }
    let first = server.entities(of: "eventType", ownedBy: nil, page: nil, limit: 2)
    #expect(first.entities.map(\.id) == ["a", "b"])
    let second = server.entities(of: "eventType", ownedBy: nil, page: first.next, limit: 2)
    #expect(second.entities.map(\.id) == ["c"] && second.next == nil)
    let owned = server.entities(of: "propertyDefinition", ownedBy: "a", page: nil, limit: 9)
    #expect(owned.entities.map(\.id) == ["p", "r"])
  }
}
