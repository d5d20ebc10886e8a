import Foundation
import MisterMetrics
import MisterMetricsCore
import Testing

@Suite("Retrieval")
struct RetrievalTests {
  static let invalid = Data([0x7B, 0xFF, 0xFE, 0x0A])

  let folder: TemporaryFolder
  let store: MetricFileStore

  init() throws {
    folder = try TemporaryFolder()
    store = try MetricFileStore(file: folder.file())
  }

  @Test("includes both ends of the range, in every store")
  func range() async throws {
    let suite = DefaultsSuite()
    defer { withExtendedLifetime(suite) {} }
    let memory = MetricMemoryStore()
    let defaults = try await MetricUserDefaultsStore(
      userDefaults: suite.make(), userDefaultKey: "metrics")
    let stores: [any MetricStore] = [store, memory, defaults, MetricMultiplexStore(MetricMemoryStore())]
    let entries = try (0..<10).map {
      try MetricEntry(
        timestamp: Date(timeIntervalSinceReferenceDate: Double($0)), metric: Samples.count, encoding: $0)
    }
    for store in stores {
      try await store.append(entries)
      let found = try await store.retrieveAll(
        for: Samples.count, from: Date(timeIntervalSinceReferenceDate: 3),
        until: Date(timeIntervalSinceReferenceDate: 6))
      #expect(found.map(\.value) == [3, 4, 5, 6])
      #expect(found.map(\.timestamp.timeIntervalSinceReferenceDate) == [3, 4, 5, 6])
    }
  }

  @Test("tells metrics apart by name, bucket and value type together")
  func identity() async throws {
    try await store.record(Metric<Double>(name: "m"), value: 1)
    try await store.record(Metric<Int>(name: "m"), value: 2)
    try await store.record(Metric<Double>(name: "m", in: Bucket("b")), value: 3)
    try await store.record(Metric<Double>(name: "n"), value: 4)
    try await store.record(Metric<Double?>(name: "m"), value: 5)
    #expect(try await store.retrieveAll(for: Metric<Double>(name: "m")).map(\.value) == [1])
    #expect(try await store.retrieveAll(for: Metric<Int>(name: "m")).map(\.value) == [2])
    #expect(try await store.retrieveAll(for: Metric<Double>(name: "m", in: Bucket("b"))).map(\.value) == [3])
    #expect(try await store.retrieveAll(for: Metric<Double?>(name: "m")).map(\.value) == [5])
    #expect(try await store.erased.retrieveAll().count == 5)
  }

  @Test("skips and counts values that do not decode, never ends the program")
  func undecodableValues() async throws {
    let entry = MetricEntry(
      timestamp: Date(), metric: Samples.startup.erased, value: Data(#"{"total":1}"#.utf8))
    for store in [store, MetricMemoryStore()] as [any MetricStore] {
      let before = MetricManager.counts.undecodable
      try await store.append([entry])
      try await store.record(Samples.startup, value: 2)
      let found = try await store.retrieve(Samples.startup)
      #expect(found.samples.map(\.value) == [2])
      #expect(found.undecodable == 1)
      #expect(MetricManager.counts.undecodable > before)
    }
    #expect(throws: MetricError.self) { try ResolvedMetric<Double>(decoding: entry) }
  }

  @Test("goes past invalid bytes, blank lines and unknown lines")
  func damagedFile() async throws {
    var data = Data([0xEF, 0xBB, 0xBF])
    data += Data(try Samples.line(1, at: 1).utf8) + Self.invalid + Data("\n\r\n{\"schema\":9}\n".utf8)
    data += Data(try Samples.line(2, at: 2).replacing("\n", with: "\r\n").utf8)
    data += Data(
      #"{"timestamp":3,"value":"Mw==","metric":{"valueTypeString":"Double","bucket":"app","name":"startup_time_ms"}}"#
        .utf8)
    data += Data("\n{\"half".utf8)
    try data.write(to: folder.file())
    #expect(try await store.retrieveAll(for: Samples.startup).map(\.value) == [1, 2, 3])
    #expect(store.counts.undecodable == 2)
    #expect(try await store.retrieveAll(from: .distantPast, until: .distantFuture).count == 3)
  }

  @Test("reads a file many times the size of a piece, with a line longer than a piece in it")
  func pieces() async throws {
    let long = String(repeating: "x", count: 300_000)
    for block in 0..<3 {
      try await store.append(
        (0..<5_000).map { try MetricEntry(metric: Samples.count, encoding: block * 5_000 + $0) })
      try await store.record(Samples.note, value: long)
    }
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0..<15_000))
    var streamed = 0
    for try await entry in store.entries() where entry.metric == Samples.count.erased {
      #expect(try entry.decode(Int.self) == streamed)
      streamed += 1
    }
    #expect(streamed == 15_000)
    #expect(
      try await store.retrieveAll(for: Samples.note).map(\.value.count) == [300_000, 300_000, 300_000])
    var viaStream = 0
    for try await _ in await store.streamAll(from: .distantPast, until: .distantFuture) { viaStream += 1 }
    #expect(viaStream == 15_003)
  }

  @Test("streams the state of its first step, whatever happens to the file meanwhile")
  func snapshot() async throws {
    try await store.append((0..<10_000).map { try MetricEntry(metric: Samples.count, encoding: $0) })
    var iterator = store.entries().makeAsyncIterator()
    var values = [try await iterator.next()?.decode(Int.self)]
    try await store.optimize(removingBefore: .distantFuture)
    try await store.record(Samples.count, value: -1)
    while let entry = try await iterator.next() { values.append(try entry.decode(Int.self)) }
    #expect(values == Array(0..<10_000))
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [-1])
  }

  @Test("gives the first entry of a file of 64 GB without reading the rest", .timeLimit(.minutes(1)))
  func streaming() async throws {
    try Data(try Samples.line(1, at: 1).utf8).write(to: folder.file())
    // A hole: it takes no room on the disk, but no one could read it whole.
    #expect(truncate(folder.file().path, 64 << 30) == 0)
    var iterator = store.entries().makeAsyncIterator()
    #expect(try await iterator.next()?.decode(Double.self) == 1)
  }

  @Test("includes fire-and-forget records that the store has accepted")
  func accepted() async throws {
    var options = MetricFileOptions()
    options.gathering = .seconds(3_600)
    let store = try MetricFileStore(file: folder.file(), options: options)
    Samples.count.record(7, in: store.erased)
    #expect(await eventually { store.waitingLines == 1 })
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [7])
  }

  @Test("ends when its task is cancelled")
  func cancellation() async throws {
    try await store.append((0..<10_000).map { try MetricEntry(metric: Samples.count, encoding: $0) })
    let store = store
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.retrieveAll(from: .distantPast, until: .distantFuture)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
