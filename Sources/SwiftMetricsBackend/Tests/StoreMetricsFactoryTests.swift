import CoreMetrics
import Foundation
import MisterMetrics
import Testing

@testable import SwiftMetricsBackend

@Suite("A backend of swift-metrics")
struct StoreMetricsFactoryTests {
  @Test(.timeLimit(.minutes(1)))
  func `each kind of handler records a struct with its dimensions`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try MetricFileStore(file: folder.appendingPathComponent("server.jsonl"))
    let factory = StoreMetricsFactory(store)
    let dimensions = [("method", "GET"), ("ms", "fast")]
    factory.makeCounter(label: "http.server.requests", dimensions: dimensions).increment(by: 2)
    factory.makeFloatingPointCounter(label: "bytes", dimensions: []).increment(by: 0.5)
    factory.makeTimer(label: "http.duration", dimensions: dimensions).recordNanoseconds(1_500_000)
    factory.makeRecorder(label: "size", dimensions: [], aggregate: true).record(Int64(7))
    let meter = factory.makeMeter(label: "load", dimensions: [])
    meter.set(Int64(3))
    meter.increment(by: 1.5)
    meter.decrement(by: 4)
    var entries: [MetricEntry] = []
    // The records travel through a queue.
    while entries.count < 7 {
      await Task.yield()
      try await store.flush()
      entries = try await store.retrieveAll(from: .distantPast, until: .distantFuture)
    }
    let found = try entries.map { entry in
      let value = try entry.decode(LabeledNumber.self)
      return [
        entry.metric.bucket?.id ?? "-", entry.metric.name, "\(value.values.sorted { $0.key < $1.key })",
        "\(value.labels.sorted { $0.key < $1.key })",
      ].joined(separator: " ")
    }
    let labels = #"[(key: "method", value: "GET"), (key: "ms", value: "fast")]"#
    let shifted = #"[(key: "method", value: "GET"), (key: "ms_", value: "fast")]"#
    #expect(
      found == [
        #"http.server requests [(key: "count", value: 2.0)] \#(labels)"#,
        #"- bytes [(key: "count", value: 0.5)] []"#,
        #"http duration [(key: "ms", value: 1.5)] \#(shifted)"#,
        #"- size [(key: "value", value: 7.0)] []"#, #"- load [(key: "value", value: 3.0)] []"#,
        #"- load [(key: "value", value: 4.5)] []"#, #"- load [(key: "value", value: 0.5)] []"#,
      ])
  }
}
