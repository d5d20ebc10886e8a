import Foundation
import Sync
import TestSupport

/// An app whose only work is to change entities and to keep them in sync, until it is killed:
/// `sync-worker FOLDER NAME KEY=VALUE…`.
///
/// The folder gets the log of the store, the preferences, and the file of a server that outlives its clients; the table
/// NAME gets what was queued and what the engine has confirmed.
///
/// | key | meaning |
/// |---|---|
/// | `seed` | what chance decides by |
/// | `count` | ends after so many changes and a last sync; without it goes on until it is killed |
/// | `durability` | `process`, `commit` or `default` |
/// | `files` | another folder for the log and the preferences |
/// | `store` | `memory` for one that does not outlive the process, for controls |
/// | `size` | about so many bytes a payload |
/// | `updates` | changes the first entity so many times before everything else |
/// | `calm` | `1`: no request and no answer gets lost |
@main
struct SyncWorker {
  private let table: AckTable
  private let name: String
  private let engine: SyncEngine
  private let text: String
  private var random: SeededGenerator

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let options = Dictionary(
      arguments.dropFirst(2).compactMap { word in
        let parts = word.split(separator: "=", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { $1 })
    guard arguments.count >= 2, let folder = arguments.first, let name = arguments.dropFirst().first else {
      exit(2)
    }
    var worker = try SyncWorker(folder: URL(fileURLWithPath: folder), name: name, options: options)
    try await worker.run(
      count: options["count"].flatMap(Int.init) ?? AckTable.capacity,
      updates: options["updates"].flatMap(Int.init) ?? 0)
  }

  private init(folder: URL, name: String, options: [String: String]) throws {
    let seed = options["seed"].flatMap(UInt64.init) ?? 1
    self.name = name
    table = try AckTable(path: folder.appendingPathComponent(name).path)
    text = String(repeating: "x", count: options["size"].flatMap(Int.init) ?? 300)
    random = SeededGenerator(seed: seed)
    let files = options["files"].map { URL(fileURLWithPath: $0) } ?? folder
    let file = files.appendingPathComponent("sync.log")
    let log =
      options["durability"] == "default"
      ? FileSyncStoreFactory(file: file, domain: .sample)
      : FileSyncStoreFactory(
        file: file, domain: .sample, durability: options["durability"] == "commit" ? .commit : .process)
    var environment = SyncEnvironment(
      domain: .sample,
      backend: ServerFile(
        path: folder.appendingPathComponent("server").path, seed: options["calm"] == "1" ? nil : seed),
      stores: options["store"] == "memory" ? InMemorySyncStoreFactory(domain: .sample) : log,
      preferences: FilePreferences(file: files.appendingPathComponent("preferences.json")))
    // Another worker must not give the same ids and keys.
    environment.generator = SystemRandomNumberGenerator()
    engine = SyncEngine(environment)
  }

  private mutating func run(count: Int, updates: Int) async throws {
    table.isReady = true
    for number in 0..<count {
      try await change(number, updates: updates)
      if random.next() % 16 == 0 { await engine.requestSync() }
    }
    await engine.requestSync()
    table.isFinished = true
  }

  private func change(_ number: Int, updates: Int) async throws {
    let target = SyncWork.entity(ofChange: number, updates: updates)
    table.offer(number)
    try await engine.queueMutation(
      target == number ? .create : .update,
      of: EntityKey(kind: target % 10 == 0 ? "eventType" : "event", id: "\(name)-\(target)"),
      members: ["number": .int(Int64(number)), "name": .string("\(name)-\(target)"), "text": .string(text)])
    table.acknowledge(number)
  }
}
