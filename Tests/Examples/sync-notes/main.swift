import Foundation
import MisterMetrics
import Sync

struct NotesBackend: SyncBackend {
  let server: NotesServer

  func probe() async throws { _ = try await call("GET", "/notes", as: [NotesServer.Note].self) }

  func push(_ item: PushItem) async throws -> RemoteEntity? {
    switch item.operation {
    case .create, .update:
      let note = NotesServer.Note(id: item.entity.id, members: item.members)
      try await send("POST", "/notes", key: item.idempotencyKey, body: JSONEncoder().encode(note))
    case .delete: try await send("DELETE", "/notes/\(item.entity.id)", key: item.idempotencyKey)
    }
    return nil
  }

  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
    for item in batch { _ = try await push(item) }
    return BatchAnswer(created: batch.map { RemoteEntity(id: $0.entity.id, members: $0.members) })
  }

  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
    let changes = try await call("GET", "/changes/\(cursor)", as: [RemoteChange].self)
    return ChangePage(
      changes: Array(changes.prefix(limit)),
      cursor: SyncCursor(cursor.number + Int64(min(limit, changes.count))),
      hasMore: changes.count > limit)
  }

  func latestCursor() async throws -> SyncCursor { try await call("GET", "/cursor", as: SyncCursor.self) }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
    -> EntityPage
  {
    let notes = try await call("GET", "/notes", as: [NotesServer.Note].self)
    return EntityPage(entities: notes.map { RemoteEntity(id: $0.id, members: $0.members) })
  }

  private func call<Answer: Decodable>(_ method: String, _ path: String, as type: Answer.Type) async throws
    -> Answer
  {
    let body = try await send(method, path)
    do { return try JSONDecoder().decode(type, from: body) } catch {
      throw SyncError(.undecodable, status: 200)
    }
  }

  @discardableResult
  private func send(_ method: String, _ path: String, key: String = "", body: Data = Data()) async throws
    -> Data
  {
    let answer = await server.answer(method, path, key: key, body: body)
    guard 200..<300 ~= answer.status else {
      throw SyncError(httpStatus: answer.status, detail: String(decoding: answer.body, as: UTF8.self))
    }
    return answer.body
  }
}

let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".")
let domain = SyncDomain(kinds: [EntityKind(name: "note", rank: 0)])
let server = NotesServer()
_ = await server.answer(
  "POST", "/notes", key: "1", body: Data(#"{"id":"n1","members":{"text":"buy milk"}}"#.utf8))

let engine = SyncEngine(
  SyncEnvironment(
    domain: domain, backend: NotesBackend(server: server),
    stores: FileSyncStoreFactory(file: folder.appendingPathComponent("notes.sqlite"), domain: domain),
    preferences: FilePreferences(file: folder.appendingPathComponent("notes.json")),
    metrics: try MetricFileStore(file: folder.appendingPathComponent("metrics.jsonl"))))

try await engine.queueMutation(.create, of: EntityKey(kind: "note", id: "n2"), members: ["text": "call Ada"])
let outcome = await engine.requestSync()
let notes = try await engine.entities(of: "note")
for note in notes { print(note.key.id, note.members["text"] ?? .null, note.status) }
if case .finished(let run) = outcome { print("pushed \(run.pushed), pulled \(run.pulled): \(run.status)") }
// The program ends here; the last decisions are on their way to the file.
await engine.recordsWritten()
