import Foundation
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// The answers of all methods of a store that read, also about what it does not have.
private struct Answers: Equatable {
  var queue: [QueuedMutation] = []
  var mutations: [Mutation]
  var count: Int
  var letters: [Mutation]
  var unqueued: [SyncEntity]
  var quarantine: [RemoteChange]
  var cursor: SyncCursor?
  var kinds: Set<String>?
  var rows: [String: [SyncEntity]] = [:]
  var ofKey: [EntityKey: [AnyHashable?]] = [:]
  var ofID: [String: [Mutation?]] = [:]

  init(_ store: any SyncStore, keys: Set<EntityKey>, ids: Set<String>) throws {
    mutations = try store.mutations()
    count = try store.pendingCount()
    letters = try store.deadLetters()
    unqueued = try store.unqueuedPendingEntities()
    quarantine = try store.quarantine()
    cursor = try store.cursor()
    kinds = try store.fetchedKinds()
    var position: QueuePosition?
    while case let batch = try store.nextMutations(after: position, limit: 7), let last = batch.last {
      queue += batch
      position = last.position
    }
    for kind in Set(keys.map(\.kind)) { rows[kind] = try store.entities(of: kind) }
    for key in keys {
      ofKey[key] = [
        try store.mutations(of: key), try store.deadLetters(of: key), try store.entity(key),
        try store.entities(waitingFor: key), try store.quarantine(of: key),
      ]
    }
    for id in ids { ofID[id] = [try store.mutation(id), try store.deadLetter(id)] }
  }

  /// The facts that a new handle must tell as well: places in the push order are its own.
  var unplaced: Answers {
    var copy = self
    copy.queue = queue.map {
      QueuedMutation(mutation: $0.mutation, position: .init(lane: $0.position.lane, sequence: 0))
    }
    return copy
  }
}

@Suite("Rollbacks against snapshots")
struct RollbackModelTests {
  private static func change(_ store: any SyncStore, _ samples: inout StoreSamples, erases: Bool) throws -> (
    EntityKey?, String?
  ) {
    let waiting = samples.chance(0.5) ? try samples.pick(store.mutations()) : nil
    switch samples.place(in: 100) {
    case 0..<30:
      var mutation = samples.mutation()
      // One that waits has another entity now, or one that was buried is queued again.
      if samples.chance(0.1), let old = try samples.pick(store.deadLetters()) {
        mutation = samples.change(old)
      }
      if samples.chance(0.1) { mutation.payload = Data(repeating: 1, count: samples.place(in: 300_000)) }
      _ = try store.enqueue(mutation)
      return (mutation.entity, mutation.id)
    case 30..<42:
      guard let waiting else { return (nil, nil) }
      return (try update(waiting, in: store, &samples), waiting.id)
    case 42..<50:
      try store.removeMutation(waiting?.id ?? "none")
    case 50..<56:
      let old = waiting ?? samples.mutation()
      let new = samples.mutation()
      let entity = samples.chance(0.3) ? new.entity : old.entity
      try store.bury(
        Mutation(
          id: old.id, idempotencyKey: "k", entity: entity, operation: old.operation, payload: old.payload,
          createdAt: old.createdAt))
      return (entity, old.id)
    case 56..<59: try store.removeDeadLetter(samples.pick(store.deadLetters())?.id ?? "none")
    case 59..<76:
      let row = samples.row()
      try store.upsert(row)
      return (row.key, nil)
    case 76..<80: try store.removeEntity(samples.key())
    case 80..<90:
      let change = samples.remoteChange()
      try store.addToQuarantine(change)
      return (change.entity, nil)
    case 90..<93: try store.removeQuarantine(of: samples.key())
    case 93: try store.removeQuarantine(of: samples.kind())
    case 94: try store.setCursor(samples.cursor())
    case 95: try store.setFetchedKinds(samples.kinds())
    case 96: _ = try store.removeAllMutations()
    case 97 where erases: try store.erase()
    default: break
    }
    return (nil, nil)
  }

  /// Changes what waits, now and then with another entity under the same id.
  private static func update(
    _ waiting: Mutation, in store: any SyncStore, _ samples: inout StoreSamples
  ) throws -> EntityKey {
    let new = samples.mutation()
    let entity = samples.chance(0.3) ? new.entity : waiting.entity
    let changed = samples.change(waiting)
    try store.update(
      Mutation(
        id: changed.id, idempotencyKey: changed.idempotencyKey, entity: entity, operation: changed.operation,
        payload: changed.payload, createdAt: changed.createdAt, mayHaveBeenSent: changed.mayHaveBeenSent))
    return entity
  }

  private static func run(_ factory: any SyncStoreFactory, seed: UInt64, isShared: Bool) throws {
    var samples = StoreSamples(domain: .sample, seed: seed)
    var handle = try factory.makeStore()
    var other: (any SyncStore)? = isShared ? try factory.makeStore() : nil
    var (keys, ids): (Set<EntityKey>, Set<String>) = ([], [])
    for round in 0..<12 {
      for _ in 0..<samples.place(in: 40) {
        let (key, id) = try change(handle, &samples, erases: samples.chance(0.2))
        if let key { keys.insert(key) }
        if let id { ids.insert(id) }
      }
      try handle.save()
      let before = try Answers(handle, keys: keys, ids: ids)
      for _ in 0..<samples.place(in: 60) {
        // Another handle comes in between, and does what goes with it.
        if let other, samples.chance(0.05) { _ = try change(other, &samples, erases: true) }
        _ = try change(handle, &samples, erases: true)
      }
      if samples.chance(0.2) { other = isShared ? try factory.makeStore() : nil }
      if samples.chance(0.7) {
        #expect(handle.rollback())
        #expect(try Answers(handle, keys: keys, ids: ids) == before, "rollback, round \(round)")
      } else {
        handle = try factory.makeStore()
        #expect(
          try Answers(handle, keys: keys, ids: ids).unplaced == before.unplaced, "reopened, round \(round)")
      }
      if let other {
        #expect(other.rollback())
        #expect(try Answers(other, keys: keys, ids: ids).unplaced == before.unplaced, "other, round \(round)")
      }
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `A rollback of a memory leaves exactly what was saved`(_ seed: UInt64) throws {
    for part in 0..<2 {
      try Self.run(
        InMemorySyncStoreFactory(domain: .sample), seed: seed * 100 + UInt64(part), isShared: part % 2 == 0)
    }
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `A rollback of a file leaves exactly what was saved, and so does a new handle`(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sync.log")
    let factory = FileSyncStoreFactory(file: file, domain: .sample, durability: .process)
    var samples = StoreSamples(domain: .sample, seed: seed)
    var (keys, ids): (Set<EntityKey>, Set<String>) = ([], [])
    var before: Answers?
    for round in 0..<5 {
      let handle = try factory.makeStore()
      if let before {
        #expect(try Answers(handle, keys: keys, ids: ids).unplaced == before.unplaced, "reopened \(round)")
      }
      for _ in 0..<2 {
        for _ in 0..<samples.place(in: 40) {
          let (key, id) = try Self.change(handle, &samples, erases: samples.chance(0.2))
          if let key { keys.insert(key) }
          if let id { ids.insert(id) }
        }
        try handle.save()
        let saved = try Answers(handle, keys: keys, ids: ids)
        for _ in 0..<samples.place(in: 60) { _ = try Self.change(handle, &samples, erases: true) }
        #expect(handle.rollback())
        #expect(try Answers(handle, keys: keys, ids: ids) == saved, "rollback \(round)")
        before = saved
      }
      for _ in 0..<samples.place(in: 10) { _ = try Self.change(handle, &samples, erases: true) }
    }
  }
}
