import Foundation
import Platform
import SimulationKit
import TestSupport

@testable import Sync
@testable import SyncSimulation

/// Two devices and a server that all change the same few entities.
final class ReplicaWorld {
  static let domain = SyncDomain(kinds: [
    EntityKind(name: "card", rank: 0),
    EntityKind(name: "note", rank: 1, batchSize: 3, batched: [.create, .update, .delete], batchBytes: 400),
  ])

  let clock = SimulationClock(start: Date(timeIntervalSinceReferenceDate: 800_000_000))
  let world: Locked<SimulatedWorld>
  let work: SimulationTasks
  var devices: [ReplicaDevice] = []
  /// The events, for people.
  var story: [String] = []
  var log = ReplicaLog()

  init(seed: UInt64, hasVersions: Bool, hasOpaqueCursors: Bool) throws {
    guard let work = SimulationTasks.make() else {
      throw SyncError(.other, detail: "no executor for tasks here")
    }
    self.work = work
    var server = SimulatedServer(
      domain: Self.domain, cursor: 7, hasVersions: hasVersions, hasOpaqueCursors: hasOpaqueCursors)
    server.hasKeys = seed.isMultiple(of: 2)
    world = Locked(
      SimulatedWorld(server: server, random: SimulationRandom(seed: seed, stream: 9), session: .seconds(900)))
    devices = (0..<2).map { ReplicaDevice($0, in: self, seed: seed) }
  }

  /// Lets time pass; everything that falls due happens.
  func advance(by duration: Duration) {
    let end = clock.now + duration
    work.drain()
    while let next = clock.next, next.at <= end {
      _ = clock.wakeNext()
      work.drain()
    }
    clock.advance(to: end)
    for device in devices { device.hearNotices() }
  }

  /// The server's entities.
  var server: [EntityKey: [String: SyncValue]] {
    world.withLock { world in
      var all: [EntityKey: [String: SyncValue]] = [:]
      for kind in Self.domain.kinds {
        for id in world.server.ids(of: kind.name) {
          let key = EntityKey(kind: kind.name, id: id)
          all[key] = world.server[key]
        }
      }
      return all
    }
  }

  func tell(_ text: String) {
    story.append("\(clock.now / .seconds(1)) \(text)")
    guard ProcessInfo.processInfo.environment["REPLICA_ROWS"] != nil else { return }
    for device in devices {
      for row in device.rows {
        let waiting = (try? device.disk.makeStore().mutations(of: row.key)) ?? []
        let members = row.members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
          separator: " ")
        story.append(
          "    \(device.number) \(row.key.id) \(members) \(row.status) \(row.basis.version ?? "-") \(row.basis.awaitsDelete ? "awaitsDelete" : "") \(waiting.map { "\($0.operation)\($0.mayHaveBeenSent ? "!" : "")" })"
        )
      }
    }
  }
}

/// One device: what survives the death of its app, and the engine that runs now.
final class ReplicaDevice {
  let number: Int
  let disk: CutDisk
  private let preferences = InMemoryPreferences()
  private unowned let world: ReplicaWorld
  private let seed: UInt64
  private(set) var engine: SyncEngine
  private var lives = 0
  private let notices = Locked<[SyncNotice]>([])

  init(_ number: Int, in world: ReplicaWorld, seed: UInt64) {
    self.number = number
    self.world = world
    self.seed = seed
    disk = CutDisk(domain: ReplicaWorld.domain)
    engine = Self.makeEngine(world, disk, preferences, seed: seed &* 31 &+ UInt64(number))
    listen()
  }

  private static func makeEngine(
    _ world: ReplicaWorld, _ disk: CutDisk, _ preferences: InMemoryPreferences, seed: UInt64
  ) -> SyncEngine {
    var environment = SyncEnvironment(
      domain: ReplicaWorld.domain, backend: SimulatedBackend(clock: world.clock, world: world.world),
      stores: disk, preferences: preferences)
    environment.clock = world.clock
    environment.tasks = world.work.tasks
    environment.generator = SeededGenerator(seed: seed)
    return SyncEngine(environment)
  }

  private func listen() {
    let (engine, notices) = (engine, notices)
    _ = world.work.tasks.start {
      for await notice in await engine.notices() { notices.withLock { $0.append(notice) } }
    }
    world.work.drain()
  }

  /// The app dies in the middle of whatever it does, and starts again.
  func restart(withPowerCut: Bool, keeping count: Int) {
    let dying = engine
    _ = world.work.tasks.start { await dying.abandon() }
    world.work.drain()
    hearNotices()
    if withPowerCut { disk.cut(keeping: count) }
    lives += 1
    engine = Self.makeEngine(
      world, disk, preferences, seed: seed &* 31 &+ UInt64(number) &+ UInt64(lives) &* 1_000_003)
    listen()
  }

  /// Takes note of the conflicts that were told.
  func hearNotices() {
    for notice in notices.withLock({ notices in
      defer { notices = [] }
      return notices
    }) {
      guard case .conflict(let conflict, let resolution) = notice else { continue }
      world.tell("device \(number) conflict \(conflict.cause) \(conflict.entity.id) \(resolution)")
      for members in [conflict.local, conflict.remote, conflict.base] {
        for value in (members ?? [:]).values { world.log.told.insert(value) }
      }
    }
  }

  /// The row as the app sees it.
  func row(_ key: EntityKey) -> SyncEntity? { try? disk.makeStore().entity(key) }

  /// The values that wait or were abandoned.
  var unfinished: Set<SyncValue> {
    let store = disk.makeStore()
    let mutations = ((try? store.mutations()) ?? []) + ((try? store.deadLetters()) ?? [])
    return mutations.reduce(into: []) { values, mutation in
      guard mutation.operation != .delete else { return }
      values.formUnion((MemberPayload.members(of: mutation.payload) ?? [:]).values)
    }
  }

  /// True if a create of the entity may have been sent and has no answer.
  func isUnanswered(_ key: EntityKey) -> Bool {
    ((try? disk.makeStore().mutations(of: key)) ?? []).contains {
      $0.operation == .create && $0.mayHaveBeenSent
    }
  }

  var rows: [SyncEntity] {
    ReplicaWorld.domain.kinds.flatMap { (try? disk.makeStore().entities(of: $0.name)) ?? [] }
  }

  /// Makes a change; what it returns for, the engine has acknowledged.
  func change(_ operation: Mutation.Operation, _ key: EntityKey, _ members: [String: SyncValue]) {
    let seen = row(key)?.members ?? [:]
    let isDone = Locked(false)
    let engine = engine
    _ = world.work.tasks.start {
      let changes = (try? await engine.queueMutation(operation, of: key, members: members)) ?? []
      // An ignored line is told at once.
      guard changes.contains(where: { if case .ignored = $0 { false } else { true } }) else { return }
      isDone.withLock { $0 = true }
    }
    world.work.drain()
    hearNotices()
    guard isDone.withLock({ $0 }) else { return }
    world.tell(
      "device \(number) \(operation) \(key.id) \(members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
    )
    world.log.note(operation, key, members, seen: seen)
  }

  /// Tells the engine to do something, and waits for nothing.
  func tell(_ body: @escaping @Sendable (SyncEngine) async -> Void) {
    let engine = engine
    _ = world.work.tasks.start { await body(engine) }
    world.work.drain()
  }
}

/// The naive reference: every value that was ever set is another one, so each says who saw what.
struct ReplicaLog {
  /// Of every acknowledged value, those that it was written over.
  private var covers: [SyncValue: Set<SyncValue>] = [:]
  /// Where each was set.
  private var places: [SyncValue: String] = [:]
  /// The rows seen by those who deleted.
  private var deleted: Set<SyncValue> = []
  /// The values that conflicts were told about.
  var told: Set<SyncValue> = []

  mutating func note(
    _ operation: Mutation.Operation, _ key: EntityKey, _ members: [String: SyncValue],
    seen: [String: SyncValue]
  ) {
    if operation == .delete { deleted.formUnion(seen.values) }
    for (name, value) in members {
      places[value] = "\(key.kind) \(key.id).\(name)"
      if let old = seen[name] { covers[value, default: []].insert(old) }
    }
  }

  /// Acknowledged values that are neither there, nor written over or deleted by somebody who saw them, nor told.
  func lost(beside kept: Set<SyncValue>) -> [String] {
    var known = kept.union(told).union(deleted)
    var open = Array(known)
    while let value = open.popLast() {
      for old in covers[value] ?? [] where known.insert(old).inserted { open.append(old) }
    }
    return places.filter { !known.contains($0.key) }.map { "\($0.value) = \($0.key)" }.sorted()
  }
}
