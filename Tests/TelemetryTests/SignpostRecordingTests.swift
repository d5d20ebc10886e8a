import Foundation
import MisterMetricsCore
import Telemetry
import Testing

/// A store's content after signposts went there.
@Suite("Signposts in a store")
struct SignpostRecordingTests {
  private let store = MetricMemoryStore()

  /// The entries once so many have arrived: no one waits for the queue.
  private func entries(_ count: Int) async throws -> [MetricEntry] {
    var entries: [MetricEntry] = []
    for _ in 0..<5000 {
      entries = try await store.retrieveAll(from: .distantPast, until: .distantFuture)
      if entries.count >= count { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(entries.count == count)
    return entries
  }

  @Test("category and name are bucket and metric, and the values have exactly the fields of the table")
  func fields() async throws {
    let signposter = Signposter(category: "Images", in: store.erased, now: { .zero })
    signposter.endInterval("Decode", signposter.beginInterval("Decode"))
    let id = SignpostID(7)
    signposter.endInterval("Decode", signposter.beginInterval("Decode", id: id), "\"né\"")
    signposter.emitEvent("CacheMiss")
    signposter.emitEvent("CacheMiss", id: id, count: 2, "twice")
    #expect(throws: Refusal.self) { try signposter.withIntervalSignpost("Scale") { throw Refusal() } }
    let entries = try await entries(5)
    #expect(
      entries.map { "\($0.metric.bucket?.id ?? "") \($0.metric.name) \($0.metric.valueTypeString)" } == [
        "Images Decode SignpostInterval", "Images Decode SignpostInterval", "Images CacheMiss SignpostEvent",
        "Images CacheMiss SignpostEvent", "Images Scale SignpostInterval",
      ])
    #expect(
      entries.map { String(decoding: $0.value, as: UTF8.self) } == [
        #"{"durationMs":0,"id":0}"#, #"{"durationMs":0,"id":7,"message":"\"né\""}"#,
        #"{"count":1,"id":0}"#, #"{"count":2,"id":7,"message":"twice"}"#,
        #"{"durationMs":0,"error":"refused","id":0}"#,
      ])
  }

  @Test("with snapshots there are two fields more, and a third where the system tells what was written")
  func snapshots() async throws {
    let signposter = Signposter(category: "Images", snapshots: true, in: store.erased)
    signposter.withIntervalSignpost("Decode") {}
    let value = try #require(try await entries(1).first?.value)
    let object = try #require(try JSONSerialization.jsonObject(with: value) as? [String: Any])
    var keys = ["cpuMs", "durationMs", "id", "memoryBytes"]
    #if os(Linux)
      keys.append("writtenBytes")
    #endif
    #expect(object.keys.sorted() == keys)
  }

  @Test("what is recorded can be read back typed")
  func typed() async throws {
    let signposter = Signposter(category: "Images", in: store.erased)
    signposter.emitEvent("CacheMiss", count: 4)
    _ = try await entries(1)
    let metric: Metric<SignpostEvent> = Bucket("Images").metric("CacheMiss")
    #expect(try await store.retrieveAll(for: metric).map(\.value) == [SignpostEvent(id: 0, count: 4)])
  }

  @Test("the entry has the time of the end, though it is delivered later")
  func timestamp() async throws {
    let signposter = Signposter(category: "Images", in: store.erased)
    let before = Date()
    signposter.withIntervalSignpost("Decode") {}
    let after = Date()
    let entry = try #require(try await entries(1).first)
    #expect(before <= entry.timestamp && entry.timestamp <= after)
  }

  @Test("signposts of one category stay in the order of the calls, and all of them arrive")
  func order() async throws {
    let signposter = Signposter(category: "Images", in: store.erased)
    for step in 0..<50_000 { signposter.emitEvent("Step", count: step) }
    let metric: Metric<SignpostEvent> = Bucket("Images").metric("Step")
    _ = try await entries(50_000)
    let samples = try await store.retrieveAll(for: metric)
    #expect(samples.map(\.value.count) == Array(0..<50_000))
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
  }

  @Test("a store that is not of the package, and a fan-out to several, get the same")
  func otherStores() async throws {
    let foreign = ForeignStore(inner: store)
    let signposter = Signposter(category: "A", in: foreign.erased)
    signposter.emitEvent("One")
    signposter.withIntervalSignpost("Two") {}
    #expect(try await entries(2).map(\.metric.name) == ["One", "Two"])
    let both = Signposter(category: "B", in: MetricMultiplexStore([foreign.erased, store.erased]).erased)
    both.emitEvent("Three")
    #expect(try await entries(4).suffix(2).map(\.metric.name) == ["Three", "Three"])
  }

  @Test("a record of a sink goes into a store by hand, the same way")
  func byHand() async throws {
    let test = TestSignposter(category: "SyncEngine")
    let signposter = test.make()
    signposter.emitEvent("SyncSuccess", "ok")
    signposter.withIntervalSignpost("FullSync") { test.advance(by: .milliseconds(12)) }
    for record in test.records { try await record.record(in: store) }
    let entries = try await entries(2)
    #expect(entries.map(\.metric.bucket?.id) == ["SyncEngine", "SyncEngine"])
    #expect(
      entries.map { String(decoding: $0.value, as: UTF8.self) } == [
        #"{"count":1,"id":0,"message":"ok"}"#, #"{"durationMs":12,"id":0}"#,
      ])
  }
}

/// A store as another package would write it.
private struct ForeignStore: MetricStore {
  let inner: MetricMemoryStore

  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await inner.record(metric, value: value)
  }
  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] {
    try await inner.retrieveAll(from: startDate, until: endDate)
  }
  func sync() async throws {}
  func clear() async throws {}
}
