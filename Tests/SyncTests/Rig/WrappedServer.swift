import Platform

@testable import Sync

/// A server whose pushes, pages and lists a test can take over.
final class WrappedServer: SyncBackend {
  struct Hooks: Sendable {
    /// Called when a push arrives, before its answer.
    var onPush: (@Sendable () -> Void)?
    /// Refuses a request for the changes in it.
    var refusal: (@Sendable ([PushItem]) -> SyncError?)?
    /// The answer to a page of the feed.
    var changes: (@Sendable (SyncCursor) async throws -> ChangePage)?
    /// The answer to a page of a list.
    var entities: (@Sendable (EntityKind, String?) async throws -> EntityPage)?
  }

  private let base: ScriptedServer
  private let hooks = Locked(Hooks())

  init(_ base: ScriptedServer) {
    self.base = base
  }

  func set(_ change: (inout sending Hooks) -> Void) { hooks.withLock { change(&$0) } }

  /// Lets what a push starts come before its answer, which may be a refusal.
  private func arrive(_ items: [PushItem]) async throws {
    let hooks = hooks.withLock { $0 }
    if let onPush = hooks.onPush {
      onPush()
      await Task.yield()
    }
    if let error = hooks.refusal?(items) { throw error }
  }

  func probe() async throws { try await base.probe() }

  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
    try await arrive(batch)
    return try await base.push(batch: batch, of: kind)
  }

  func push(_ item: PushItem) async throws -> RemoteEntity? {
    try await arrive([item])
    return try await base.push(item)
  }

  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
    guard let answer = hooks.withLock({ $0.changes }) else {
      return try await base.changes(since: cursor, limit: limit)
    }
    return try await answer(cursor)
  }

  func latestCursor() async throws -> SyncCursor { try await base.latestCursor() }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
    -> EntityPage
  {
    guard let answer = hooks.withLock({ $0.entities }) else {
      return try await base.entities(of: kind, ownedBy: owner, page: page, limit: limit)
    }
    return try await answer(kind, page)
  }
}

extension EngineRig {
  /// A rig with its server behind a ``WrappedServer``.
  static func wrapped(
    configuration: SyncConfiguration = .onRequest, cursor: SyncCursor = 1
  ) throws -> (rig: EngineRig, server: WrappedServer) {
    let made = Locked<WrappedServer?>(nil)
    let rig = try EngineRig(
      configuration: configuration, cursor: cursor,
      backend: { base in
        let server = WrappedServer(base)
        made.withLock { $0 = server }
        return server
      })
    guard let server = made.withLock({ $0 }) else { throw SyncError(.other, detail: "no server") }
    return (rig, server)
  }
}
