import Foundation
import MisterMetrics
import MisterMetricsCore
import TestSupport
import Testing

@Suite("The UserDefaults store")
struct MetricUserDefaultsStoreTests {
  let suite = DefaultsSuite()

  private func store() async throws -> MetricUserDefaultsStore {
    try await MetricUserDefaultsStore(userDefaults: suite.make(), userDefaultKey: "metrics")
  }

  private func recordElsewhere(_ number: String) throws -> ChildProcess.Ending {
    try ChildProcess(try ChildProcess.program("metric-writer"), ["defaults", suite.name, number]).wait()
  }

  @Test("keeps one JSON array of entries under its key, as the original does")
  func format() async throws {
    let store = try await store()
    try await store.record(Samples.startup, value: 428.5)
    try await store.record(Samples.note, value: "a/b")
    let data = try #require(suite.make().data(forKey: "metrics"))
    let entries = try JSONDecoder().decode([MetricEntry].self, from: data)
    #expect(entries == (try await store.retrieveAll(from: .distantPast, until: .distantFuture)))
    #expect(entries.count == 2)
  }

  @Test("starts with what the original wrote there")
  func original() async throws {
    let entries = [
      MetricEntry(metric: Samples.count, value: 1), MetricEntry(metric: Samples.count, value: 2),
    ]
    suite.make().set(try JSONEncoder().encode(entries), forKey: "metrics")
    let store = try await store()
    try await store.record(Samples.count, value: 3)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [1, 2, 3])
    let stored = try #require(suite.make().data(forKey: "metrics"))
    #expect(try JSONDecoder().decode([MetricEntry].self, from: stored).count == 3)
  }

  @Test("sees another one's records after sync, not before")
  func sync() async throws {
    let (one, other) = (try await store(), try await store())
    try await other.record(Samples.count, value: 1)
    #expect(try await one.retrieveAll(for: Samples.count).isEmpty)
    try await one.sync()
    #expect(try await one.retrieveAll(for: Samples.count).map(\.value) == [1])
  }

  @Test("keeps another process's records, and sees them after sync")
  func processes() async throws {
    let store = try await store()
    #expect(try recordElsewhere("1") == .exited(0))
    #expect(try recordElsewhere("2") == .exited(0))
    try await store.sync()
    let numbers = Metric<Int>(name: "number")
    #expect(try await store.retrieveAll(for: numbers).map(\.value) == [1, 2])
    try await store.record(numbers, value: 3)
    #expect(try recordElsewhere("4") == .exited(0))
    try await store.sync()
    #expect(try await store.retrieveAll(for: numbers).map(\.value) == [1, 2, 3, 4])
  }

  @Test("keeps damaged data aside, and skips elements that are no entries")
  func damage() async throws {
    suite.make().set(Data("not JSON".utf8), forKey: "metrics")
    let first = try await store()
    #expect(first.undecodable == 1)
    try await first.record(Samples.count, value: 1)
    #expect(suite.make().data(forKey: "metrics.damaged") == Data("not JSON".utf8))
    let good = String(decoding: try #require(suite.make().data(forKey: "metrics")), as: UTF8.self)
    suite.make().set(Data(good.replacing("]", with: #", {"schema":9}]"#).utf8), forKey: "metrics")
    let second = try await store()
    #expect(second.undecodable == 1)
    try await second.record(Samples.count, value: 2)
    #expect(try await second.retrieveAll(for: Samples.count).map(\.value) == [1, 2])
    let stored = try #require(suite.make().data(forKey: "metrics"))
    #expect(String(decoding: stored, as: UTF8.self).contains(#"{"schema":9}"#))
  }

  @Test("removes its key when cleared")
  func clear() async throws {
    let store = try await store()
    try await store.record(Samples.count, value: 1)
    try await store.clear()
    #expect(suite.make().data(forKey: "metrics") == nil)
    #expect(try await store.retrieveAll(for: Samples.count).isEmpty)
  }

  @Test("refuses an empty key, and values without JSON")
  func refusal() async throws {
    await #expect(throws: MetricError.self) {
      try await MetricUserDefaultsStore(userDefaults: suite.make(), userDefaultKey: "")
    }
    let store = try await store()
    await #expect(throws: MetricError.self) { try await store.record(Samples.startup, value: .nan) }
    #expect(suite.make().data(forKey: "metrics") == nil)
  }
}

@Suite("The other stores")
struct OtherStoresTests {
  @Test("come from short factories")
  func factories() async throws {
    let suite = DefaultsSuite()
    defer { withExtendedLifetime(suite) {} }
    let folder = try TemporaryFolder()
    let stores: [AnyMetricStore] = [
      AnyMetricStore(.memory()), AnyMetricStore(.noop()), AnyMetricStore(try .file(url: folder.file())),
      AnyMetricStore(try await .userDefaults(suite.make(), key: "metrics")),
    ]
    let counts = [1, 0, 1, 1]
    for (store, count) in zip(stores, counts) {
      try await store.record(Samples.count, value: 5)
      try await store.sync()
      #expect(try await store.retrieveAll().count == count)
    }
  }

  @Test("memory keeps order, refuses values without JSON, and forgets on clear")
  func memory() async throws {
    let store = MetricMemoryStore()
    for number in 0..<100 { try await store.record(Samples.count, value: number) }
    await #expect(throws: MetricError.self) { try await store.record(Samples.startup, value: .nan) }
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0..<100))
    try await store.clear()
    #expect(try await store.erased.retrieveAll().isEmpty)
  }

  @Test("erasing twice adds no layer, and unboxing finds the store")
  func erasure() async throws {
    let store = MetricMemoryStore()
    let twice = store.erased.erased
    let found: MetricMemoryStore? = twice.unbox()
    #expect(found === store)
    let other: MetricNoopStore? = twice.unbox()
    #expect(other == nil)
  }

  @Test("multiplex serves every store, with one time stamp, also when one fails")
  func multiplex() async throws {
    let (first, second) = (MetricMemoryStore(), MetricMemoryStore())
    let store = MetricMultiplexStore(first, FailingStore(), second)
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .storesFailed)
    #expect(error?.cause is FailingStore.Failure)
    #expect(try await first.erased.retrieveAll() == second.erased.retrieveAll())
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [1])
    await #expect(throws: MetricError.self) { try await store.sync() }
  }

  @Test("multiplex takes fire-and-forget records for every store")
  func multiplexFireAndForget() async throws {
    let (memory, custom) = (MetricMemoryStore(), SlowStore())
    let store = MetricMultiplexStore([memory, custom, MetricNoopStore()])
    for number in 0..<10 { Samples.count.record(number, in: store.erased) }
    #expect(await eventually { await custom.entries.count == 10 })
    #expect(try await memory.erased.retrieveAll() == custom.entries)
  }

  @Test("a store of one's own gets the time of the call, in order, though it is slow")
  func customStore() async throws {
    let store = SlowStore()
    let before = Date()
    for number in 0..<20 { Samples.count.record(number, in: store.erased) }
    let after = Date()
    #expect(await eventually { await store.entries.count == 20 })
    let entries = await store.entries
    #expect(try entries.map { try $0.decode(Int.self) } == Array(0..<20))
    #expect(entries.allSatisfy { before <= $0.timestamp && $0.timestamp <= after })
    await #expect(throws: MetricError.self) { try await store.clear() }
    await #expect(throws: MetricError.self) { try await store.append([]) }
  }
}

/// A store whose every operation fails.
private struct FailingStore: MetricStore {
  struct Failure: Error {}

  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue { throw Failure() }
  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] {
    throw Failure()
  }
  func sync() async throws { throw Failure() }
}

/// A store as the original's README describes it, that makes its own entries after a while.
private actor SlowStore: MetricStore {
  private(set) var entries: [MetricEntry] = []

  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await Task.sleep(for: .milliseconds(2))
    entries.append(MetricEntry(metric: metric, value: value))
  }

  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { entries }
  func sync() async throws {}
}
