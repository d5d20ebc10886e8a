import Foundation
import MisterMetricsCore
import Platform
import Sync
import TestSupport

/// A store of a few transactions in a folder of its own, with what each of them leads to.
///
/// All of it is in the write-ahead log: it is a copy of files that were in use, as a killed process leaves them.
struct StoreScript {
  let folder: TemporaryFolder
  /// The database and the log, when all was done, and the same after a clean end.
  private(set) var (database, log, closed) = (Data(), Data(), Data())
  /// The size of the log after each transaction, before all first.
  private(set) var sizes: [Int] = []
  /// The store's content after each transaction, nothing first.
  private(set) var states: [StoreState] = []

  /// Runs the transactions.
  init(transactions: Int = 8) throws {
    folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sync")
    let log = folder.url.appendingPathComponent("sync-wal")
    do {
      let store = try FileSyncStoreFactory(file: file, domain: .sample).makeStore()
      try note(store, log)
      for number in 0..<transactions {
        try Self.change(store, number)
        try store.save()
        try note(store, log)
      }
      (database, self.log) = (try Data(contentsOf: file), try Data(contentsOf: log))
    }
    closed = try Data(contentsOf: file)
  }

  /// Another store in the same folder with these files.
  func factory(
    of database: some Collection<UInt8>, log: (some Collection<UInt8>)? = Data?.none, name: String = "other"
  ) throws -> FileSyncStoreFactory {
    let file = folder.url.appendingPathComponent(name)
    for suffix in ["", "-wal", "-lock"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    try Data(database).write(to: file)
    if let log { try Data(log).write(to: URL(fileURLWithPath: file.path + "-wal")) }
    return FileSyncStoreFactory(file: file, domain: .sample, durability: .process)
  }

  /// One transaction, of another kind each time.
  static func change(_ store: any SyncStore, _ number: Int) throws {
    let id = "\(number / 4)"
    let key = EntityKey(kind: "event", id: id)
    switch number % 4 {
    case 0:
      try store.upsert(SyncEntity(key: key, members: ["n": .int(Int64(number))], status: .pending))
      _ = try store.enqueue(QueueSamples.mutation(id, .create, "event", id, members: ["n": .int(7)]))
    case 1:
      _ = try store.enqueue(QueueSamples.mutation("u\(id)", .update, "event", id, members: ["é": .null]))
      try store.addToQuarantine(RemoteChange(entity: key, operation: .delete, members: [:]))
    case 2: try store.bury(QueueSamples.mutation(id, .create, "event", id, sent: true, attempts: 5))
    default:
      try store.removeEntity(key)
      _ = try store.enqueue(QueueSamples.mutation("d\(id)", .delete, "event", id))
    }
  }

  private mutating func note(_ store: any SyncStore, _ log: URL) throws {
    sizes.append(Posix.status(at: log.path).map { Int(clamping: $0.size) } ?? -1)
    states.append(try StoreState(store))
  }
}

/// All that a store of the sample domain tells of itself.
struct StoreState: Equatable {
  private(set) var waiting: [QueuedMutation]
  let deadLetters: [Mutation]
  let rows: [SyncEntity]
  let unqueued: [SyncEntity]
  let quarantine: [RemoteChange]
  private(set) var cursor: SyncCursor?
  let fetchedKinds: Set<String>?

  init(_ store: any SyncStore) throws {
    var (waiting, position): ([QueuedMutation], QueuePosition?) = ([], nil)
    while case let batch = try store.nextMutations(after: position, limit: 100), let last = batch.last {
      waiting += batch
      position = last.position
    }
    self.waiting = waiting
    deadLetters = try store.deadLetters()
    rows = try SyncDomain.sample.kinds.flatMap { try store.entities(of: $0.name) }
    unqueued = try store.unqueuedPendingEntities()
    quarantine = try store.quarantine()
    cursor = try store.cursor()
    fetchedKinds = try store.fetchedKinds()
  }

  /// The same as a store holds it that was found damaged behind it: no one knows how much more there was.
  ///
  /// Places in the queue are a handle's own.
  var distrusted: StoreState {
    var state = self
    state.cursor = nil
    state.waiting = waiting.map {
      var mutation = $0.mutation
      mutation.mayHaveBeenSent = true
      return QueuedMutation(mutation: mutation, position: $0.position)
    }
    return state
  }

  /// True if nothing is here that the other one has not, or has otherwise.
  func isPart(of other: StoreState) -> Bool {
    let known = Set(other.waiting.map { $0.mutation.unsent })
    return waiting.allSatisfy { known.contains($0.mutation.unsent) && $0.mutation.mayHaveBeenSent }
      && Set(deadLetters).isSubset(of: other.deadLetters) && Set(rows).isSubset(of: other.rows)
      && Set(quarantine).isSubset(of: other.quarantine) && cursor == nil
  }
}

extension Mutation {
  fileprivate var unsent: Mutation {
    var mutation = self
    mutation.mayHaveBeenSent = false
    return mutation
  }
}
