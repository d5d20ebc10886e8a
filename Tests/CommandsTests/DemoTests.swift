import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import Synchronization
import TestSupport
import Testing

@testable import Commands

@Suite("The sample app")
struct DemoTests {
  static let start = Timestamp(816_918_481)

  @Test("records the same for the same seed, however the time is cut")
  func determinism() {
    var whole = DemoApp(seed: 7, start: Self.start)
    var cut = DemoApp(seed: 7, start: Self.start)
    let expected = whole.records(until: Self.start + 90)
    var found: [MetricEntry] = []
    for step in 1...900 { found += cut.records(until: Self.start + Double(step) / 10) }
    #expect(found == expected)
    var other = DemoApp(seed: 8, start: Self.start)
    #expect(other.records(until: Self.start + 90) != expected)
  }

  @Test("one of several devices is slow")
  func devices() {
    let request = { (app: DemoApp) -> Double in
      var app = app
      let times = app.records(until: Self.start + 30).filter { $0.metric.name == "request_ms" }
      let values = times.compactMap { try? $0.decode(Double.self) }.sorted()
      return values.isEmpty ? 0 : values[values.count / 2]
    }
    let usual = request(DemoApp(seed: 1, start: Self.start))
    let slow = request(DemoApp(seed: 2, start: Self.start, slowness: 3))
    #expect(usual > 0 && slow > 2 * usual)
  }

  @Test("records 100 to 400 lines a second, in order, every value with a JSON of its own")
  func rate() {
    var app = DemoApp(seed: 1, start: Self.start)
    for second in stride(from: 10.0, through: 300, by: 10) {
      let records = app.records(until: Self.start + second)
      let isQuiet = (0..<100).contains { tenth in
        app.incident(at: Self.start + second - 10 + Double(tenth) / 10)?.kind == .suspended
      }
      if !isQuiet { #expect((1_000...4_000).contains(records.count)) }
      #expect(zip(records, records.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
      #expect(records.allSatisfy { !$0.value.isEmpty })
    }
  }

  @Test("has buckets, numbers, bools, texts and structs")
  func variety() {
    var app = DemoApp(seed: 1, start: Self.start)
    let metrics = Set(app.records(until: Self.start + 300).map(\.metric))
    #expect(
      Set(metrics.map { $0.bucket?.id ?? "-" })
        == ["api", "net", "queue", "db", "ui", "mem", "launch", "auth", "-"])
    #expect(
      Set(metrics.map(\.valueTypeString)) == [
        "Double", "Int", "Bool", "String", "DemoRequest", "DemoStartup", "DemoUpload",
      ])
  }

  @Test(
    "has every kind of incident until three minutes after the opening, and records nothing while suspended")
  func incidents() {
    var app = DemoApp(seed: 1, start: Self.start)
    let records = app.records(until: Self.start + 600)
    let kinds = Set((0..<780).compactMap { app.incident(at: Self.start + Double($0))?.kind })
    #expect(kinds == Set(DemoIncident.Kind.allCases))
    let suspended = records.filter {
      app.incident(at: Timestamp($0.timestamp))?.kind == .suspended
    }
    #expect(suspended.isEmpty)
    #expect(median(records, during: .latencySpike, app) > 4 * median(records, during: nil, app))
  }

  @Test("is written with its history first, then live at the pace of the clock")
  func recorder() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "demo-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let clock = Mutex(Self.start)
    let steps = Mutex(0)
    let recorder = try DemoRecorder(
      store: file, seed: 1, history: .seconds(30), now: { clock.withLock { $0 } },
      sleep: { duration in
        clock.withLock { $0 += Double(duration.components.attoseconds) / 1e18 }
        let count = steps.withLock { count in
          count += 1
          return count
        }
        if count == 100 { throw CancellationError() }
      })
    try await recorder.writeHistory()
    let history = try await MetricFileStore(file: file).retrieveAll(from: .distantPast, until: .distantFuture)
    await #expect(throws: CancellationError.self) { try await recorder.run() }
    let all = try await MetricFileStore(file: file).retrieveAll(from: .distantPast, until: .distantFuture)
    var app = DemoApp(seed: 1, start: Self.start - 30)
    #expect(history.ofApp == app.records(until: Self.start))
    #expect(Array(all.ofApp.dropFirst(history.ofApp.count)) == app.records(until: Self.start + 3.96))
    #expect(all.count > history.count + 400)
    #expect(zip(history, history.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
    #expect(history.contains { $0.metric == AnyMetric(SyncMetric.run) })
    #expect(history.contains { $0.metric == AnyMetric(DeliveryMetrics.batch) })
  }

  @Test func `The past of the app is written to a new file and to no other`() async throws {
    let folder = try TemporaryFolder()
    let complaints = Recorder<String>()
    let console = Console(write: { _ in }, writeError: { complaints.append($0) })
    let path = folder.path("demo.jsonl")
    #expect(await DemoSession.writeHistory(seed: 1, path: path, console: console) == .success)
    let size = try #require(Posix.status(at: path)).size
    #expect(size > 1_000_000 && complaints.all.isEmpty)
    #expect(await DemoSession.writeHistory(seed: 1, path: path, console: console) == .failed)
    #expect(Posix.status(at: path)?.size == size)
    #expect(complaints.all == ["mistertop demo: \(path): already exists; name another file"])
    #expect(try Posix.names(in: folder.url.path) == ["demo.jsonl"])
  }

  @Test(arguments: 1...UInt64(trials(1, long: 3)))
  func `The engine beside the app meets every kind of incident and comes through`(seed: UInt64) throws {
    let scenario = DemoSync.scenario(seed: seed, start: Self.start.date)
    let simulation = try Simulation(scenario)
    simulation.run(until: .seconds(1_800))
    let entries = simulation.takeEntries()
    func values<Value: MetricValue>(_ metric: Metric<Value>) throws -> [Value] {
      try entries.filter { $0.metric == AnyMetric(metric) }.map { try $0.decode(Value.self) }
    }
    let faults = Set(try values(SyncMetric.fault).filter(\.on).map(\.fault))
    #expect(faults.isSuperset(of: DemoSync.incidents.map(\.setting.fault.rawValue)))
    #expect(Set(try values(SyncMetric.run).map(\.status)) == [.success, .partial, .failed, .skipped])
    #expect(Set(try values(SyncMetric.breaker).map(\.state)) == ["closed", "open", "halfOpen"])
    // Enough to be seen, and not so much that it would hide the app.
    #expect((1_000...80_000).contains(entries.count), "\(entries.count)")
    #expect(try #require(try values(SyncMetric.pending).last) < 60)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `The events of the app meet every kind of incident, and no process loses one`(seed: UInt64) throws {
    let scenario = DemoDelivery.scenario(seed: seed, start: Self.start.date)
    let simulation = DeliverySimulation(scenario)
    simulation.run(until: .seconds(1_800))
    let entries = simulation.takeEntries()
    func values<Value: MetricValue>(_ metric: Metric<Value>) throws -> [Value] {
      try entries.filter { $0.metric == AnyMetric(metric) }.map { try $0.decode(Value.self) }
    }
    let statuses = Set(try values(DeliveryMetrics.batch).compactMap(\.status))
    #expect(statuses.isSuperset(of: [200, 400, 401, 413, 429, 503]))
    #expect(Set(try values(DeliveryMetrics.breaker).map(\.state)) == ["closed", "open", "halfOpen"])
    let causes = Set(try values(DeliveryMetrics.queue).compactMap(\.nextCause))
    #expect(causes.isSuperset(of: ["timer", "floor", "retryAfter", "breaker", "debounce"]))
    #expect(Set(try values(DeliveryMetrics.drop).map(\.cause)) == ["disabled", "refused"])
    let last = try #require(try values(DeliveryMetrics.simulation).last)
    #expect(last.made > 800 && last.lost == 0 && last.repeated > 0)
    // Enough to be seen, and not so much that it would hide the app.
    #expect((2_000...20_000).contains(entries.count), "\(entries.count)")
  }

  @Test("leaves out the time during which the machine slept")
  func sleep() {
    var app = DemoApp(seed: 1, start: Self.start)
    _ = app.records(until: Self.start + 5)
    app.skip(to: Self.start + 36_000)
    let records = app.records(until: Self.start + 36_001)
    #expect(records.allSatisfy { Timestamp($0.timestamp) >= Self.start + 36_000 })
    #expect((50...600).contains(records.count))
  }

  private func median(_ records: [MetricEntry], during kind: DemoIncident.Kind?, _ app: DemoApp) -> Double {
    let times = records.filter {
      $0.metric.name == "request_ms"
        && app.incident(at: Timestamp($0.timestamp))?.kind == kind
    }
    let values = times.compactMap { try? $0.decode(Double.self) }.sorted()
    return values.isEmpty ? 0 : values[values.count / 2]
  }
}

extension [MetricEntry] {
  /// The app's own record, without the engines beside it.
  fileprivate var ofApp: [MetricEntry] {
    filter { !["sync", "SyncEngine", "delivery"].contains($0.metric.bucket?.id ?? "") }
  }
}
