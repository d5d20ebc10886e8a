import Foundation
import MisterMetricsCore
import Platform
import Sync
import TestSupport

/// A log of a few transactions in a folder of its own, with what each of them leads to.
struct StoreScript {
  let folder: TemporaryFolder
  let file: URL
  /// The size of the file after each transaction, that of the first line first.
  private(set) var sizes: [Int] = []
  /// The store's content after each transaction, nothing first.
  private(set) var states: [StoreState] = []

  /// Runs the transactions.
  init(transactions: Int = 8) throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("sync.log")
    let store = try factory.makeStore()
    try note(store)
    for number in 0..<transactions {
      try Self.change(store, number)
      try store.save()
      try note(store)
    }
  }

  var factory: FileSyncStoreFactory { FileSyncStoreFactory(file: file, domain: .sample) }

  /// Another file in the same folder with these bytes.
  func factory(of bytes: some Collection<UInt8>, name: String = "other.log") throws -> FileSyncStoreFactory {
    let file = folder.url.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return FileSyncStoreFactory(file: file, domain: .sample)
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

  private mutating func note(_ store: any SyncStore) throws {
    sizes.append(Posix.status(at: file.path).map { Int(clamping: $0.size) } ?? -1)
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
}
