import Foundation
import MisterMetricsCore
import Platform

@testable import Sync
@testable import SyncSimulation

/// A server that answers what it is told, at once or after a wait, and remembers what it was asked.
final class ScriptedServer: SyncBackend {
  /// A call.
  enum Call: Hashable, Sendable {
    case probe
    case batch([PushItem])
    case single(PushItem)
    case changes(since: SyncCursor)
    case latestCursor
    case entities(kind: String, owner: String?)
  }

  struct Script: Sendable {
    var calls: [Call] = []
    /// The entities of the changes that were accepted.
    var taken: [EntityKey] = []
    /// The answers to the next probes; then they succeed.
    var probes: [SyncError?] = []
    /// The answers to the next pushes, batches and single ones alike; then they succeed.
    var pushes: [SyncError?] = []
    /// The answers to the next batches; then everything is created.
    var batches: [BatchAnswer] = []
    /// The server's versions in the next single pushes that succeed.
    var answers: [RemoteEntity?] = []
    /// The next pages of the feed; then there is nothing new.
    var pages: [Result<ChangePage, SyncError>] = []
    var latestCursor: Result<SyncCursor, SyncError> = .success(1)
    /// The entities a bootstrap finds, by kind.
    var entities: [String: [RemoteEntity]] = [:]
    /// Which kinds cannot be fetched.
    var failures: [String: SyncError] = [:]
    /// How long every answer takes.
    var delay = Duration.zero
  }

  private let script = Locked(Script())
  private let clock: SimulationClock

  init(clock: SimulationClock) {
    self.clock = clock
  }

  /// Changes what the server says from now on.
  func set(_ change: (inout sending Script) -> Void) {
    script.withLock { change(&$0) }
  }

  var calls: [Call] { script.withLock { $0.calls } }

  /// The entities of the changes that were accepted.
  var taken: [EntityKey] { script.withLock { $0.taken } }

  var probes: Int { calls.count { $0 == .probe } }

  /// The batches, as what was in them.
  var batches: [[PushItem]] {
    calls.compactMap { if case .batch(let items) = $0 { items } else { nil } }
  }

  /// The changes that were sent by themselves.
  var singles: [PushItem] {
    calls.compactMap { if case .single(let item) = $0 { item } else { nil } }
  }

  /// The cursors that the feed was asked for.
  var cursors: [SyncCursor] {
    calls.compactMap { if case .changes(let cursor) = $0 { cursor } else { nil } }
  }

  /// How many calls of a full fetch there were.
  var fetches: Int {
    calls.count { if case .entities = $0 { true } else { false } }
  }

  private func note(_ call: Call) async throws {
    let delay = script.withLock { script in
      script.calls.append(call)
      return script.delay
    }
    if delay > .zero { try await clock.sleep(until: clock.now + delay, for: "answer") }
  }

  func probe() async throws {
    try await note(.probe)
    let error = script.withLock { $0.probes.isEmpty ? nil : $0.probes.removeFirst() }
    if let error { throw error }
  }

  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
    try await note(.batch(batch))
    if let error = nextPushError() { throw error }
    let answer = script.withLock { $0.batches.isEmpty ? nil : $0.batches.removeFirst() }
    if let answer { return answer }
    script.withLock { $0.taken += batch.map(\.entity) }
    return BatchAnswer(created: batch.map { RemoteEntity(id: $0.entity.id, members: $0.members) })
  }

  func push(_ item: PushItem) async throws -> RemoteEntity? {
    try await note(.single(item))
    if let error = nextPushError() { throw error }
    return script.withLock { script in
      script.taken.append(item.entity)
      return script.answers.isEmpty ? nil : script.answers.removeFirst()
    }
  }

  private func nextPushError() -> SyncError? {
    script.withLock { $0.pushes.isEmpty ? nil : $0.pushes.removeFirst() }
  }

  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
    try await note(.changes(since: cursor))
    let page = script.withLock { $0.pages.isEmpty ? nil : $0.pages.removeFirst() }
    return try page?.get() ?? ChangePage(changes: [], cursor: cursor, hasMore: false)
  }

  func latestCursor() async throws -> SyncCursor {
    try await note(.latestCursor)
    return try script.withLock { $0.latestCursor }.get()
  }

  func entities(
    of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int
  ) async throws -> EntityPage {
    try await note(.entities(kind: kind.name, owner: owner))
    let (found, failure) = script.withLock { ($0.entities[kind.name] ?? [], $0.failures[kind.name]) }
    if let failure { throw failure }
    guard let owner, let member = kind.link?.member else { return EntityPage(entities: found) }
    return EntityPage(entities: found.filter { $0.members[member] == .string(owner) })
  }
}
