import Foundation
import MisterMetrics
import MisterMetricsCore
import Platform
import Testing

@Suite("The record queue")
struct RecordQueueTests {
  @Test("delivers in the order of the calls")
  func order() async throws {
    let queue = RecordQueue()
    let delivered = Locked<[Int]>([])
    for number in 0..<10_000 {
      if number.isMultiple(of: 3) {
        queue.append(.store { delivered.withLock { $0.append(number) } })
      } else {
        queue.append(.sink { () throws(MetricError) in delivered.withLock { $0.append(number) } })
      }
    }
    #expect(await eventually { delivered.withLock { $0.count } == 10_000 })
    #expect(delivered.withLock { $0 } == Array(0..<10_000))
  }

  @Test("holds 65,536 records, then drops the newest and counts it")
  func capacity() async throws {
    let queue = RecordQueue()
    let (started, gate) = (Locked(false), AsyncStream.makeStream(of: Void.self))
    let delivered = Locked<[Int]>([])
    queue.append(
      .store {
        started.withLock { $0 = true }
        for await _ in gate.stream { break }
      })
    // The first record is being delivered, so none of the following leaves the queue.
    #expect(await eventually { started.withLock { $0 } })
    for number in 0..<(RecordQueue.capacity + 10) {
      queue.append(.sink { () throws(MetricError) in delivered.withLock { $0.append(number) } })
    }
    #expect(queue.counts.queueFull == 10)
    #expect(queue.counts.accepted == RecordQueue.capacity + 1)
    gate.continuation.yield()
    #expect(await eventually { delivered.withLock { $0.count } == RecordQueue.capacity })
    #expect(delivered.withLock { $0 } == Array(0..<RecordQueue.capacity))
  }

  @Test("counts what a store refuses, by kind")
  func counts() async throws {
    let queue = RecordQueue()
    queue.append(.sink { () throws(MetricError) in throw MetricError(.unencodableValue, "") })
    queue.append(.sink { () throws(MetricError) in throw MetricError(.writeFailed, "") })
    queue.append(.store { throw CancellationError() })
    #expect(await eventually { queue.counts.failed == 2 })
    #expect(queue.counts.unencodable == 1)
    #expect(queue.counts.lost == 3)
  }

  @Test("delivers again after it fell asleep")
  func sleep() async throws {
    let queue = RecordQueue(linger: .milliseconds(1))
    let delivered = Locked(0)
    for round in 1...20 {
      queue.append(.sink { () throws(MetricError) in delivered.withLock { $0 += 1 } })
      #expect(await eventually { delivered.withLock { $0 } == round })
      try await Task.sleep(for: .milliseconds(round % 4))
    }
  }
}

@Suite("Updates")
struct UpdatesTests {
  @Test("bring what is recorded from now on for one metric, waited for or not")
  func following() async throws {
    let suite = DefaultsSuite()
    defer { withExtendedLifetime(suite) {} }
    let folder = try TemporaryFolder()
    let stores: [any MetricStore] = [
      MetricMemoryStore(), try MetricFileStore(file: folder.file()),
      try await MetricUserDefaultsStore(userDefaults: suite.make(), userDefaultKey: "metrics"),
      MetricMultiplexStore(MetricMemoryStore()),
    ]
    for store in stores {
      try await store.record(Samples.count, value: 1)
      var updates = Samples.count.updates(in: store.erased).makeAsyncIterator()
      try await store.record(Samples.startup, value: 1.5)
      try await store.record(Samples.count, value: 2)
      Samples.count.record(3, in: store.erased)
      #expect(await updates.next()?.value == 2)
      #expect(await updates.next()?.value == 3)
    }
  }

  @Test("end when the store is closed, and at once for a store that cannot be followed")
  func ending() async throws {
    let folder = try TemporaryFolder()
    let store = try MetricFileStore(file: folder.file())
    var updates = store.updates(of: Samples.count).makeAsyncIterator()
    try await store.record(Samples.count, value: 1)
    try await store.close()
    #expect(await updates.next()?.value == 1)
    #expect(await updates.next() == nil)
    var none = BareStore().updates(of: Samples.count).makeAsyncIterator()
    #expect(await none.next() == nil)
  }

  private struct BareStore: MetricStore {
    func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {}
    func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }
    func sync() async throws {}
  }
}

@Suite("Metrics")
struct MetricTests {
  @Test("are equal by name and bucket; a unit is only a label")
  func equality() {
    #expect(Metric<Int>(name: "a", in: Bucket("b")) == Bucket("b").metric("a"))
    #expect(Metric<Int>(name: "a", unit: .bytes) == Metric<Int>(name: "a"))
    #expect(Metric<Int>(name: "a") != Metric<Int>(name: "a", in: Bucket("b")))
    #expect(Set([Metric<Int>(name: "a"), Metric<Int>(name: "a"), Metric<Int>(name: "b")]).count == 2)
  }

  @Test("take their unit from the name's suffix unless told")
  func units() {
    #expect(Samples.startup.unit == .milliseconds)
    #expect(Metric<Int>(name: "size_bytes").unit == .bytes)
    #expect(Metric<Int>(name: "launch_count").unit == .count)
    #expect(
      Metric<Int>(name: "rpc_us").unit?.symbol == "µs" && Metric<Int>(name: "req_per_s").unit?.symbol == "/s")
    #expect(Metric<Int>(name: "plain").unit == nil && Metric<Int>(name: "created_at").unit == nil)
    #expect(Bucket("b").intMetric("size_ms", unit: MetricUnit("frames")).unit?.symbol == "frames")
  }

  @Test("name their value types as Swift describes them")
  func typeNames() {
    #expect(Metric<Double?>(name: "a").erased.valueTypeString == "Optional<Double>")
    #expect(Metric<[Int]>(name: "a").erased.valueTypeString == "Array<Int>")
    #expect(Metric<Samples.Breakdown>(name: "a").erased.valueTypeString == "Breakdown")
    #expect(Metric<String>(name: "a").erased.valueTypeString == "String")
  }

  @Test("buckets are bare strings in JSON")
  func bucketCoding() throws {
    #expect(String(decoding: try JSONEncoder().encode([Bucket("a")]), as: UTF8.self) == #"["a"]"#)
    #expect(try JSONDecoder().decode([Bucket].self, from: Data(#"["a"]"#.utf8)) == [Bucket("a")])
  }

  @Test("errors say code, message and cause, and have a short name for labels")
  func errors() {
    let error = MetricError(.writeFailed, "cannot write", cause: CancellationError(), systemErrorNumber: 28)
    #expect(error.description == "writeFailed: cannot write (CancellationError())")
    #expect(MetricError(.unsupported, "no").description == "unsupported: no")
    #expect(error.code.description == "writeFailed")
  }

  @Test("entries round-trip and resolve")
  func entries() throws {
    let breakdown = Samples.Breakdown(totalMs: 1, steps: ["a"], parent: nil)
    let metric: Metric<Samples.Breakdown> = Samples.app.metric("breakdown")
    let entry = MetricEntry(timestamp: .distantPast, metric: metric, value: breakdown)
    let resolved = ResolvedMetric<Samples.Breakdown>(from: entry)
    #expect(resolved.value == breakdown)
    #expect(resolved.name == "breakdown")
    #expect(resolved == (try ResolvedMetric(decoding: entry)))
    #expect(MetricEntry(metric: Samples.startup, value: .nan).value.isEmpty)
  }
}
