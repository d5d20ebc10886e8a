import DeliveryCore
import Foundation
import Platform
import TestDelivery
import TestSupport

/// An app whose only work is to send events, until it is killed: `delivery-worker FOLDER NAME KEY=VALUE…`.
///
/// The folder holds the disk queue (`queue`), and for each name a table of what was tracked and of what is on disk, and
/// the file of an endpoint that outlives its clients (`NAME.endpoint`). A process goes on with the numbers of the one
/// before it.
///
/// | key | meaning |
/// |---|---|
/// | `seed` | what chance decides by |
/// | `count` | ends after so many events, once nothing waits any more; without it goes on until it is killed |
/// | `queue` | the folder of the disk queue, where it is not to lie beside the rest |
/// | `script` | `1`: one thread, 200 events, always the same system calls; ends without delivering all |
/// | `calm` | `1`: nothing goes wrong at the endpoint |
/// | `ends` | an app with the whole client ends this way (``EndingApp``), after `count` events from `first`; `endpoint`, `keeps` |
/// | `without` | what protects and is taken out, for controls: `folder-sync`, `checkpoint` |
@main
struct DeliveryWorker {
  private let folder: String
  private let options: [String: String]
  private let table: AckTable
  private let endpoint: EndpointFile
  private let seed: UInt64
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
    if let ending = options["ends"] {
      try await EndingApp(folder: folder, name: name, options: options).run(ending)
    }
    var worker = try DeliveryWorker(folder: folder, name: name, options: options)
    if options["script"] == "1" {
      worker.runScript()
    } else {
      await worker.run(count: options["count"].flatMap(Int.init))
    }
    worker.table.isFinished = true
  }

  private init(folder: String, name: String, options: [String: String]) throws {
    self.folder = folder
    self.options = options
    seed = options["seed"].flatMap(UInt64.init) ?? 1
    random = SeededGenerator(seed: seed)
    table = try AckTable(path: "\(folder)/\(name)")
    endpoint = EndpointFile(path: "\(folder)/\(name).endpoint", seed: options["calm"] == "1" ? nil : seed)
  }

  private var storage: @Sendable () throws(StorageFailure) -> any EventStorage {
    let (path, table) = (options["queue"] ?? "\(folder)/queue", table)
    var operations = FileOperations.system
    if options["without"] == "folder-sync" { operations.syncFolder = { _ in 0 } }
    if options["without"] == "checkpoint" {
      operations.write = { descriptor, bytes in
        // No other write is as short.
        bytes.count == QueueFiles.checkpointSize
          ? bytes.count : FileOperations.system.write(descriptor, bytes)
      }
    }
    // Segments of a few events, so that there are many of them; a segment that is gone needs no note of what was removed.
    let events = options["without"] == "checkpoint" ? 1000 : 20
    return { [operations] () throws(StorageFailure) in
      WatchedStorage(try QueueFiles.open(path, events: events, operations: operations), table: table)
    }
  }

  // MARK: Until it is killed

  private mutating func run(count: Int?) async {
    let (calls, storage, endpoint) = (CallQueue(limit: 2000), storage, endpoint)
    let environment = DeliveryEnvironment.forTests(
      clock: HurriedClock(speed: 200), generator: SystemRandomNumberGenerator(), transport: endpoint,
      openStorage: { _ throws(StorageFailure) in try storage() }, wasAnswered: endpoint.wasAnswered,
      wasTold: { text in FileHandle.standardError.write(Data("\(text)\n".utf8)) })
    let client = AnalyticsClient(.forTests(), environment, calls: calls)
    let first = table.offered
    await client.start(after: nil)
    table.isReady = true
    for number in first..<min(AckTable.capacity, first + (count ?? .max / 2)) {
      table.offer(number)
      let event = EventDraft.numbered(number, padding: Int.random(in: 0...400, using: &random))
      client.accept(.event(event, leftOut: 0, at: Date()))
      if random.next() % 16 == 0 { await disturb(client) }
    }
    await deliverAll(client)
  }

  /// Events of an app.
  private mutating func disturb(_ client: AnalyticsClient) async {
    switch random.next() % 8 {
    case 0, 1:
      await withCheckedContinuation { continuation in
        client.accept(.enterBackground(Waiter { continuation.resume() }))
      }
      client.accept(.enterForeground)
    case 2:
      client.accept(.networkChanged(isOnline: false))
      client.accept(.flush(nil))
      client.accept(.networkChanged(isOnline: true))
    case 3, 4: client.accept(.flush(nil))
    default: try? await Task.sleep(nanoseconds: UInt64.random(in: 0...3_000_000, using: &random))
    }
  }

  private func deliverAll(_ client: AnalyticsClient) async {
    while true {
      let info = await withCheckedContinuation { continuation in
        client.accept(.debugInfo(Waiter { continuation.resume(returning: $0) }))
      }
      if info["queueLength"] == .integer(0), info["hasDiskData"] == .bool(false),
        info["flushInFlight"] == .bool(false)
      {
        return
      }
      client.accept(.flush(nil))
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
  }

  // MARK: Always the same

  private mutating func runScript() {
    let endpoint = endpoint
    let client = DrivenClient(
      seed: seed, storage: storage, answer: endpoint.take, wasAnswered: endpoint.wasAnswered)
    for number in 0..<200 {
      table.offer(number)
      client.track(number, padding: 20 + number % 200)
      guard number % 8 == 7 else { continue }
      switch random.next() % 5 {
      case 0:
        client.handle(.enterBackground(nil))
        client.handle(.enterForeground)
      case 1:
        client.handle(.networkChanged(isOnline: false))
        client.handle(.flush(nil))
        client.handle(.networkChanged(isOnline: true))
      case 2: client.handle(.flush(nil))
      default: break
      }
      for _ in 0..<random.next() % 6 { client.step() }
    }
    client.handle(.enterBackground(nil))
    for _ in 0..<3 { client.step() }
  }
}
