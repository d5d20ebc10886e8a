import Foundation
import Platform
import Sync
import SyncSimulation

/// A backend's faults.
enum BackendDefect: String, CaseIterable, Sendable {
  // Changes
  case forgetsKeys, dropsMembers, takesUpdatesOfNothing, takesDeletesOfNothing, overwrites, replacesOnUpdate
  case takesDuplicates, wrongStatusForMissing, hidesDeletes, keepsDeleted
  // Versions
  case ignoresBaseVersion, saysNothingOfConflict, conflictsAsServerError, answersOldVersion
  // Pages
  case ignoresLimit, endsEarly, cursorStandsStill, repeatsLast, listsFirstPageForEver, losesOnPage,
    latestIsOld
  // Batches
  case forgetsToAnswer, countsFromOne, refusesWhole

  /// The check's complaint.
  var sign: String {
    switch self {
    case .forgetsKeys: "the same key is taken again and again"
    case .dropsMembers: "the feed tells the members that were sent"
    case .takesUpdatesOfNothing: "an update of what was never there is refused"
    case .takesDeletesOfNothing, .wrongStatusForMissing: "a delete of what was never there is refused"
    case .overwrites, .answersOldVersion: "a push answers with the version that the list has"
    case .replacesOnUpdate: "an update sets its members and leaves the others"
    case .takesDuplicates: "a create of an id that is taken"
    case .hidesDeletes: "the same key makes one deletion"
    case .keepsDeleted: "what was deleted is not listed"
    case .ignoresBaseVersion, .conflictsAsServerError:
      "an update that was made on an older version is refused"
    case .saysNothingOfConflict: "a conflict says what the server has"
    case .ignoresLimit: "a page of changes has at most limit"
    case .endsEarly: "small pages have the same changes"
    case .cursorStandsStill: "the cursor moves on"
    case .repeatsLast: "nothing twice"
    case .listsFirstPageForEver: "the continuation of a list moves on"
    case .losesOnPage: "small pages of a list have each entity once"
    case .latestIsOld: "nothing comes after the newest cursor"
    case .forgetsToAnswer: "a batch answers each item"
    case .countsFromOne: "an item of a batch whose id is taken"
    case .refusesWhole: "a batch is answered"
    }
  }
}

/// A server without a way to it, at most with one defect.
final class ServerBackend: SyncBackend {
  private let server: Locked<SimulatedServer>
  private let defect: BackendDefect?

  init(_ server: SimulatedServer, defect: BackendDefect? = nil) {
    self.server = Locked(server)
    self.defect = defect
  }

  func probe() async throws {}

  // MARK: - Changes

  func push(_ item: PushItem) async throws -> RemoteEntity? {
    do {
      return try server.withLock { server in
        try self.prepare(for: item, &server)
        let entity = try server.push(self.altered(item))
        return server.hasVersions && item.operation != .delete ? self.answer(entity, to: item) : nil
      }
    } catch let error as SyncError {
      if let answer = try answer(error, to: item) { return answer.entity }
      throw error
    }
  }

  private func prepare(for item: PushItem, _ server: inout SimulatedServer) throws {
    let isThere = server[item.entity] != nil
    switch (defect, item.operation) {
    case (.overwrites, .create) where isThere:
      server.change(RemoteChange(entity: item.entity, operation: .update, members: item.members))
    case (.replacesOnUpdate, .update):
      let cleared = (server[item.entity] ?? [:]).mapValues { _ in SyncValue.null }
      guard isThere else { return }
      server.change(RemoteChange(entity: item.entity, operation: .update, members: cleared))
    case (.takesUpdatesOfNothing, .update) where !isThere:
      server.change(RemoteChange(entity: item.entity, operation: .create, members: item.members))
    default: break
    }
  }

  private func altered(_ item: PushItem) -> PushItem {
    var (key, members, base) = (item.idempotencyKey, item.members, item.baseVersion)
    if defect == .forgetsKeys { key += UUID().uuidString }
    if defect == .dropsMembers { members = members.filter { $0.key != "note" } }
    if defect == .ignoresBaseVersion || defect == .replacesOnUpdate { base = nil }
    return PushItem(
      idempotencyKey: key, entity: item.entity, operation: item.operation, members: members, baseVersion: base
    )
  }

  private func answer(_ entity: RemoteEntity, to item: PushItem) -> RemoteEntity {
    defect == .answersOldVersion
      ? RemoteEntity(id: entity.id, members: entity.members, version: "v0") : entity
  }

  /// The fate of a refusal: an answer after all, or another error, or nothing.
  private func answer(_ error: SyncError, to item: PushItem) throws -> (entity: RemoteEntity?, Void)? {
    switch (defect, error.code) {
    case (.takesDeletesOfNothing, .notFound) where item.operation == .delete: return (nil, ())
    case (.takesDuplicates, .duplicate): return (nil, ())
    case (.wrongStatusForMissing, .notFound): throw SyncError(httpStatus: 400, detail: "bad request")
    case (.saysNothingOfConflict, .conflict): throw SyncError(httpStatus: 412)
    case (.conflictsAsServerError, .conflict): throw SyncError(httpStatus: 500)
    default: return nil
    }
  }

  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
    if defect == .refusesWhole, batch.contains(where: { item in server.withLock { $0[item.entity] != nil } })
    {
      throw SyncError(httpStatus: 400, detail: "one of them is there")
    }
    let answer = server.withLock { $0.push(batch: batch.map(self.altered)) }
    switch defect {
    case .forgetsToAnswer:
      return BatchAnswer(created: Array(answer.created.dropLast()), failures: answer.failures)
    case .countsFromOne:
      return BatchAnswer(
        created: answer.created,
        failures: answer.failures.map { .init(position: $0.position + 1, code: $0.code, message: $0.message) }
      )
    default: return answer
    }
  }

  // MARK: - Pages

  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
    let page = server.withLock {
      $0.changes(since: cursor, limit: self.defect == .ignoresLimit ? 1000 : limit)
    }
    switch defect {
    case .endsEarly: return ChangePage(changes: page.changes, cursor: page.cursor, hasMore: false)
    case .cursorStandsStill where page.hasMore:
      return ChangePage(changes: page.changes, cursor: cursor, hasMore: true)
    case .repeatsLast where page.hasMore:
      return ChangePage(changes: page.changes + page.changes.suffix(1), cursor: page.cursor, hasMore: true)
    case .hidesDeletes:
      return ChangePage(
        changes: page.changes.filter { $0.operation != .delete }, cursor: page.cursor, hasMore: page.hasMore)
    default: return page
    }
  }

  func latestCursor() async throws -> SyncCursor {
    defect == .latestIsOld ? SyncCursor(1) : server.withLock { $0.latestCursor }
  }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
    -> EntityPage
  {
    let found = server.withLock { $0.entities(of: kind.name, ownedBy: owner, page: page, limit: limit) }
    switch defect {
    case .listsFirstPageForEver where found.next != nil || page != nil:
      let first = server.withLock { $0.entities(of: kind.name, ownedBy: owner, page: nil, limit: limit) }
      return EntityPage(entities: first.entities, next: "first")
    case .losesOnPage where page != nil:
      return EntityPage(entities: Array(found.entities.dropFirst()), next: found.next)
    case .keepsDeleted:
      let deleted = server.withLock { $0.changes(since: .start, limit: .max).changes }.filter {
        $0.operation == .delete
      }
      let old = deleted.map { RemoteEntity(id: $0.entity.id, members: [:]) }
      return EntityPage(entities: found.entities + (found.next == nil ? old : []), next: found.next)
    default: return found
    }
  }
}
