import BenchSupport
import Foundation
import Sync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Queues changes with an engine, pushes them to a server that answers at once, and prints what each of them cost as JSON
/// for `Tests/Benchmarks/run`: `sync-bench memory|file|page|queue [COUNT]`; `page` measures a page of the feed beside so many
/// rows, `queue` the time and memory of a long queue in a file, and of its reopening.
@main
struct SyncBench {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let isDurable = arguments.first == "file"
    let count = max(20, arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000)
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    if arguments.first == "page" {
      return try Figure.print(await measurePage(beside: count))
    }
    if arguments.first == "queue" {
      return try Figure.print(await measureQueue(in: folder, count: count))
    }
    let stores: any SyncStoreFactory =
      isDurable
      ? FileSyncStoreFactory(file: folder.appendingPathComponent("sync.log"), domain: .sample)
      : InMemorySyncStoreFactory(domain: .sample)
    let figures = try await measure(stores, label: isDurable ? "durable" : "in memory", count: count)
    try Figure.print(figures)
  }

  private static func measure(
    _ stores: any SyncStoreFactory, label: String, count: Int
  ) async throws -> [Figure] {
    let server = InstantServer(count: count)
    var configuration = SyncConfiguration()
    // Work that is measured apart must not begin by itself.
    configuration.queueDelay = nil
    let engine = SyncEngine(
      SyncEnvironment(domain: .sample, backend: server, stores: stores, preferences: InMemoryPreferences()),
      configuration: configuration)
    // A device that has what the server has: fetching a million rows is another matter than pushing them.
    try await engine.skipToLatestCursor()
    let queued = try await queue(count, in: engine)
    await server.start()
    await engine.requestSync()
    let pushed = await server.pace
    let left = try await engine.pendingCount()
    guard left == 0 else { throw SyncError(.other, detail: "\(left) changes were not pushed") }
    return queued.figures("queued, \(label)") + pushed.figures("pushed, \(label)")
  }

  /// Queues creates from a thousand callers at a time, who share the waits for the disk.
  private static func queue(_ count: Int, in engine: SyncEngine) async throws -> Pace {
    var queued = Pace(count: count)
    for first in stride(from: 0, to: count, by: 1000) {
      let numbers = first..<min(count, first + 1000)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in numbers {
          group.addTask {
            try await engine.queueMutation(
              .create, of: EntityKey(kind: "event", id: "event-\(number)"),
              members: ["eventTypeId": "walk", "startedAt": .int(Int64(number))])
          }
        }
        try await group.waitForAll()
      }
      queued.done(numbers.count)
    }
    return queued
  }
}

extension SyncBench {
  /// The time and memory that a long queue takes, and its reopening.
  private static func measureQueue(in folder: URL, count: Int) async throws -> [Figure] {
    let environment = SyncEnvironment(
      domain: .sample, backend: PageServer(count: count),
      stores: FileSyncStoreFactory(file: folder.appendingPathComponent("sync.log"), domain: .sample),
      preferences: InMemoryPreferences())
    var configuration = SyncConfiguration()
    configuration.queueDelay = nil
    let started = ContinuousClock.now
    let engine = SyncEngine(environment, configuration: configuration)
    _ = try await queue(count, in: engine)
    let queued = ContinuousClock.now
    await engine.stop()
    let stopped = ContinuousClock.now
    _ = try await SyncEngine(environment, configuration: configuration).pendingCount()
    let reopened = ContinuousClock.now
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      let memory = Double(usage.ru_maxrss) / 1_048_576
    #else
      getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
      let memory = Double(usage.ru_maxrss) / 1024
    #endif
    return [
      Figure("\(count) changes queued", (queued - started) / .seconds(1), bar: 60, "s"),
      Figure("\(count) changes reopened", (reopened - stopped) / .seconds(1), bar: 3, "s"),
      Figure(
        "peak memory with \(count) queued changes", memory, bar: 400,
        "MiB"),
    ]
  }
}

extension SyncBench {
  /// How long a page of a thousand changes takes, beside so many rows.
  private static func measurePage(beside count: Int) async throws -> [Figure] {
    let stores = InMemorySyncStoreFactory(domain: .sample)
    do {
      let store = stores.makeStore()
      for number in 0..<count {
        try store.upsert(
          SyncEntity(
            key: EntityKey(kind: "event", id: "event-\(number)"), members: ["startedAt": .int(Int64(number))])
        )
        if number % 10_000 == 9_999 { try store.save() }
      }
      try store.setCursor(1)
      try store.save()
    }
    let engine = SyncEngine(
      SyncEnvironment(
        domain: .sample, backend: PageServer(count: count), stores: stores, preferences: InMemoryPreferences()
      ))
    _ = try await engine.pendingCount()
    var times: [Double] = []
    for _ in 0..<5 {
      let started = ContinuousClock.now
      await engine.requestSync()
      times.append((ContinuousClock.now - started) / .milliseconds(1))
    }
    return [
      Figure(
        "page of 1000 changes beside \(count) rows, median", times.median, bar: 50,
        "ms",
        "\(Int(times.min() ?? 0)) to \(Int(times.max() ?? 0)) ms")
    ]
  }
}

/// A server whose feed has a page of changes for each run: half of them of rows that are there.
private actor PageServer: SyncBackend {
  private let count: Int
  private var pages = 0

  init(count: Int) { self.count = count }

  func probe() {}
  func push(batch: [PushItem], of kind: EntityKind) -> BatchAnswer { BatchAnswer() }
  func push(_ item: PushItem) -> RemoteEntity? { nil }

  func changes(since cursor: SyncCursor, limit: Int) -> ChangePage {
    pages += 1
    let changes = (0..<1000).map { number in
      let id = number % 2 == 0 ? "event-\((number * 997 + pages) % count)" : "new-\(pages)-\(number)"
      return RemoteChange(
        entity: EntityKey(kind: "event", id: id), operation: .create,
        members: ["startedAt": .int(Int64(number)), "eventTypeId": .string("type-\(number)")])
    }
    return ChangePage(changes: changes, cursor: SyncCursor(Int64(pages + 1)), hasMore: false)
  }

  func latestCursor() -> SyncCursor { 1 }
  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) -> EntityPage {
    EntityPage(entities: [])
  }
}

/// Processor time by the number of things, to see whether later ones cost more.
///
/// Not the time that went by: that is the other programs' as well.
struct Pace: Sendable {
  private let count: Int
  private var done = 0
  private var started = ContinuousClock.now
  private var startedTime = Self.processorTime
  private var firstTenth: Duration?
  private var beforeLastTenth: Duration?
  private var all = Duration.zero
  private var elapsed = Duration.zero

  init(count: Int) {
    self.count = count
  }

  /// Time spent by all threads of the process; POSIX says that the unit is a microsecond.
  private static var processorTime: Duration { .microseconds(Int(clock())) }

  /// Counts from now on.
  mutating func start() { (started, startedTime) = (.now, Self.processorTime) }

  /// Counts things as done.
  mutating func done(_ number: Int) {
    done += number
    if firstTenth == nil, done >= count / 10 { firstTenth = Self.processorTime - startedTime }
    if beforeLastTenth == nil, done >= count - count / 10 {
      beforeLastTenth = Self.processorTime - startedTime
    }
    if done >= count { (all, elapsed) = (Self.processorTime - startedTime, ContinuousClock.now - started) }
  }

  /// The cost of one thing, and how much more one of the last tenth costs than one of the first.
  func figures(_ what: String) -> [Figure] {
    let tenth = Double(max(1, count / 10))
    let first = (firstTenth ?? all) / .nanoseconds(1) / tenth
    let last = (all - (beforeLastTenth ?? .zero)) / .nanoseconds(1) / tenth
    let seconds = (elapsed / .seconds(1) * 100).rounded() / 100
    return [
      Figure(
        "\(count) changes \(what), processor, each",
        all / .microseconds(1) / Double(max(1, count)),
        "µs", "\(seconds) s"),
      Figure(
        "\(count) changes \(what), last tenth to first", last / max(1, first), bar: 1.5,
        "x",
        "\(Int(first)) ns, then \(Int(last)) ns each"),
    ]
  }
}

/// A server that takes everything at once and has nothing to tell.
private actor InstantServer: SyncBackend {
  private(set) var pace: Pace

  init(count: Int) {
    pace = Pace(count: count)
  }

  func start() { pace.start() }

  func probe() {}

  func push(batch: [PushItem], of kind: EntityKind) -> BatchAnswer {
    pace.done(batch.count)
    return BatchAnswer(created: batch.map { RemoteEntity(id: $0.entity.id, members: $0.members) })
  }

  func push(_ item: PushItem) -> RemoteEntity? {
    pace.done(1)
    return nil
  }

  func changes(since cursor: SyncCursor, limit: Int) -> ChangePage {
    ChangePage(changes: [], cursor: cursor, hasMore: false)
  }

  func latestCursor() -> SyncCursor { 1 }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) -> EntityPage {
    EntityPage(entities: [])
  }
}
