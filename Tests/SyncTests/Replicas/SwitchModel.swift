import Foundation
import Platform
import TestSupport

@testable import Sync
@testable import SyncSimulation

/// A server with one switch, which may lose the answer to a push, and two devices that set and unset it.
final class SwitchModel {
  /// The fate of the push of an edit.
  enum Failure: CaseIterable {
    case none, lostAnswer, refused, refusedThoughTaken
  }

  enum Step: Hashable {
    /// An edit and its push, while the feed has nothing new to tell.
    case edit(device: Int, isOn: Bool, Failure)
    /// A run that reads the feed.
    case feed(device: Int)
  }

  /// The facts that the server tells of a change besides its members.
  struct Server: Hashable {
    let hasVersions: Bool
    let hasKeys: Bool
    /// True if the feed puts the key of a refused push on another change to the same value.
    var confusesKeys = false
  }

  private static let key = EntityKey(kind: "switch", id: "s")
  private static let domain = SyncDomain(kinds: [EntityKind(name: "switch", rank: 0)])

  private let clock = SimulationClock(start: Date(timeIntervalSinceReferenceDate: 800_000_000))
  private let work: SimulationTasks
  private let backend: Backend
  private var engines: [SyncEngine] = []
  private var stores: [InMemorySyncStoreFactory] = []
  private let conflicts = Locked(0)
  private let server: Server

  init(_ server: Server) throws {
    guard let work = SimulationTasks.make() else {
      throw SyncError(.other, detail: "no executor for tasks here")
    }
    (self.work, self.server) = (work, server)
    var world = SimulatedServer(domain: Self.domain, cursor: 7, hasVersions: server.hasVersions)
    world.hasKeys = server.hasKeys
    world.change(RemoteChange(entity: Self.key, operation: .create, members: ["on": false]))
    backend = Backend(world, confusesKeys: server.confusesKeys)
    for number in 0..<2 {
      let stores = InMemorySyncStoreFactory(domain: Self.domain)
      let store = stores.makeStore()
      let basis = ServerBasis(version: world.entity(Self.key)?.version)
      try store.upsert(SyncEntity(key: Self.key, members: ["on": false], basis: basis))
      try store.setCursor(world.latestCursor)
      try store.save()
      var environment = SyncEnvironment(
        domain: Self.domain, backend: backend, stores: stores, preferences: InMemoryPreferences())
      environment.clock = clock
      environment.tasks = work.tasks
      environment.generator = SeededGenerator(seed: UInt64(number))
      environment.conflicts = CountingResolver(count: conflicts)
      self.stores.append(stores)
      engines.append(SyncEngine(environment, configuration: .onRequest))
    }
  }

  private struct CountingResolver: ConflictResolver {
    let count: Locked<Int>
    func resolve(_ conflict: SyncConflict) -> ConflictResolution {
      count.withLock { $0 += 1 }
      return LocalMembersWin().resolve(conflict)
    }
  }

  /// Plays the steps, then runs without failures until all is quiet.
  ///
  /// - Returns: The fault, or `nil`.
  func play(_ steps: [Step]) throws -> String? {
    var last: [Int: Bool] = [:]
    for step in steps {
      switch step {
      case .edit(let device, let isOn, let failure):
        last[device] = isOn
        backend.next.withLock { $0 = (failure, false) }
        tell(device) {
          _ = try? await $0.queueMutation(.update, of: Self.key, members: ["on": .bool(isOn)])
          _ = await $0.requestSync()
        }
        backend.next.withLock { $0 = (.none, true) }
      case .feed(let device): tell(device) { _ = await $0.requestSync() }
      }
    }
    for _ in 0..<2 {
      clock.advance(to: clock.now + .seconds(4000))
      for device in engines.indices { tell(device) { _ = await $0.requestSync() } }
    }
    return try fault(last)
  }

  private func fault(_ last: [Int: Bool]) throws -> String? {
    let server = backend.server.withLock { $0[Self.key]?["on"] }
    for (device, stores) in stores.enumerated() {
      let store = stores.makeStore()
      guard try store.pendingCount() == 0 else { return "device \(device) does not come to rest" }
      let row = try store.entity(Self.key)
      guard row?.members["on"] == server, row?.status == .synced else {
        return "device \(device) has \(row?.members["on"] ?? .null), the server \(server ?? .null)"
      }
    }
    guard last.values.contains(where: { .bool($0) == server }) else { return "no one's last edit is there" }
    // Without versions a device cannot tell its own changes in the feed from others.
    let isConflict = self.server.hasVersions && last.count == 1 && conflicts.withLock { $0 } > 0
    return isConflict ? "a device is in conflict with itself" : nil
  }

  private func tell(_ device: Int, _ body: @escaping @Sendable (SyncEngine) async -> Void) {
    let engine = engines[device]
    _ = work.tasks.start { await body(engine) }
    work.drain()
  }

  /// The server behind a connection without delays.
  private final class Backend: SyncBackend {
    let server: Locked<SimulatedServer>
    /// The fate of the next push, and whether the feed has anything to tell.
    let next = Locked((failure: Failure.none, isOpen: true))
    private let confusesKeys: Bool
    private let refused = Locked<PushItem?>(nil)

    init(_ server: SimulatedServer, confusesKeys: Bool) {
      (self.server, self.confusesKeys) = (Locked(server), confusesKeys)
    }

    func probe() async throws {}

    func push(_ item: PushItem) async throws -> RemoteEntity? {
      let failure = next.withLock { next in
        defer { next.failure = .none }
        return next.failure
      }
      if failure == .refused {
        refused.withLock { $0 = item }
        throw SyncError(httpStatus: 500)
      }
      let answer = try server.withLock { server in try server.push(item) }
      switch failure {
      case .lostAnswer: throw SyncError(.timeout)
      case .refusedThoughTaken: throw SyncError(httpStatus: 500)
      case .none, .refused: return server.withLock { $0.hasVersions } ? answer : nil
      }
    }

    func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
      server.withLock { $0.push(batch: batch) }
    }

    func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
      guard next.withLock({ $0.isOpen }) else {
        return ChangePage(changes: [], cursor: cursor, hasMore: false)
      }
      let page = server.withLock { $0.changes(since: cursor, limit: limit) }
      guard confusesKeys, let item = refused.withLock({ $0 }) else { return page }
      return ChangePage(
        changes: page.changes.map { change in
          change.members != item.members
            ? change
            : RemoteChange(
              entity: change.entity, operation: change.operation, members: change.members,
              version: change.version, time: change.time, idempotencyKey: item.idempotencyKey)
        }, cursor: page.cursor, hasMore: page.hasMore)
    }

    func latestCursor() async throws -> SyncCursor { server.withLock { $0.latestCursor } }

    func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
      -> EntityPage
    {
      server.withLock { $0.entities(of: kind.name, ownedBy: owner, page: page, limit: limit) }
    }
  }
}
