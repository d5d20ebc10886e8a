import Foundation
import Sync
import TestSupport

/// A folder with the durable state of a sync engine, its server, and the workers that used both.
final class SyncBench {
  let folder: TemporaryFolder
  private var workers: [String: (table: AckTable, updates: Int)] = [:]

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The files that the workers' calls concern.
  var paths: [String] {
    ["sync.log", "sync.log-wal", "sync.log-journal", "preferences.json", ".preferences.json.optimizing"]
      .map(folder.path) + [folder.url.path]
  }

  /// Starts a worker under a name of its own.
  ///
  /// - Parameters:
  ///   - options: Words of the form `key=value`.
  ///   - updates: How many times the first entity is changed at once.
  ///   - wrapper: A program, with its arguments, that starts the worker.
  func start(_ options: String..., updates: Int = 0, wrapper: [String] = []) throws -> (
    process: ChildProcess, table: AckTable
  ) {
    let name = "w\(workers.count)"
    let table = try AckTable(path: folder.path(name))
    workers[name] = (table, updates)
    let program = try ChildProcess.program("sync-worker")
    let words = wrapper + [program, folder.url.path, name, "updates=\(updates)"] + options
    let process = try ChildProcess(words[0], Array(words.dropFirst()), output: folder.path("output"))
    return (process, table)
  }

  /// Opens what the dead have left and adds up what became of their changes.
  ///
  /// - Parameter isDrained: Whether everything must be on the server by now.
  func check(isDrained: Bool = false, into tally: inout MatrixRun.Tally) throws {
    let factory = FileSyncStoreFactory(file: URL(fileURLWithPath: folder.path("sync.log")), domain: .sample)
    let store = try factory.makeStore()
    let server = try ServerRecord(path: folder.path("server"))
    if factory.damagedFile != nil { tally.bad += 1 }
    if isDrained, try store.pendingCount() > 0 { tally.bad += 1 }
    tally.duplicated += server.createdTwice
    for mutation in try waiting(in: store) where mutation.operation == .create {
      // A key that the server does not know of this entity would create it once more; a mutation comes with its row.
      let keys = server.keys[mutation.entity.id] ?? [mutation.idempotencyKey]
      if !keys.contains(mutation.idempotencyKey) { tally.duplicated += 1 }
      if try store.entity(mutation.entity) == nil { tally.bad += 1 }
    }
    var newest = server.newest
    for mutation in try waiting(in: store) + store.deadLetters() {
      guard case .int(let number) = MemberPayload.members(of: mutation.payload)?["number"] else { continue }
      newest[mutation.entity.id] = max(newest[mutation.entity.id] ?? -1, number)
    }
    for (name, worker) in workers {
      for number in 0..<worker.table.offered where worker.table.fate(of: number) == .acknowledged {
        let entity = SyncWork.entity(ofChange: number, updates: worker.updates)
        tally.expected += 1
        // A later change of the same entity is written over an earlier one that was never sent.
        if newest["\(name)-\(entity)"] ?? -1 >= number { tally.got += 1 } else { tally.lost += 1 }
      }
    }
  }

  private func waiting(in store: any SyncStore) throws -> [Mutation] {
    var (waiting, position): ([Mutation], QueuePosition?) = ([], nil)
    while case let batch = try store.nextMutations(after: position, limit: 500), let last = batch.last {
      for queued in batch { waiting += try store.mutations(of: queued.mutation.entity) }
      position = last.position
    }
    return waiting
  }
}

/// The events the server has taken.
struct ServerRecord {
  /// Of each entity the keys under which it was created.
  private(set) var keys: [String: Set<String>] = [:]
  /// Of each entity the number of the newest change.
  private(set) var newest: [String: Int64] = [:]

  init(path: String) throws {
    let text =
      FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : ""
    // The last line is whole only if another follows; so is the empty one that a worker begins with.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, let number = Int64(words[3]) else { continue }
      if words[0] == "create" { keys[words[2], default: []].insert(words[1]) }
      newest[words[2]] = max(newest[words[2]] ?? -1, number)
    }
  }

  /// Entities that were created under more than one key.
  var createdTwice: Int { keys.values.count { $0.count > 1 } }
}
