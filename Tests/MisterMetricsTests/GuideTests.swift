import Foundation
import MisterMetrics
import Testing

// The code of docs/library.md for metrics, as it stands there.

private let fileURL = URL(fileURLWithPath: "/nowhere/metrics.jsonl")

extension Bucket {
  static let sync = Bucket("sync")
}

extension Metric where T == Double {
  static let pushDuration = Bucket.sync.doubleMetric("push_ms")
}

struct Upload: MetricValue {
  var bytes: Int
  var seconds: Double
  var host: String
}

extension Metric where T == Upload {
  static let upload: Metric<Upload> = Bucket.sync.metric("upload")
}

extension Metric where T == Int {
  static let queueLength = Bucket.sync.intMetric("queue_length")
}

extension Metric where T == String {
  static let route = Bucket.sync.stringMetric("route")
}

@MainActor
private func install() async throws {
  let store: MetricFileStore = try .file(url: fileURL)
  MetricManager.installGlobal(store)
  Metric.pushDuration.record(418.2)
  try await store.record(.pushDuration, value: 418.2)
}

private func recordAll() async throws {
  Metric.upload.record(Upload(bytes: 48_211, seconds: 0.42, host: "eu"))
  Metric.queueLength.record(3)
  Metric.route.record("/feed")

  for sample in try await Metric.upload.retrieveAll() {
    print(sample.timestamp, sample.value.bytes, sample.value.host)
  }
}

@Suite("The metrics of the guide")
struct GuideTests {
  @Test func `A struct, a whole number and a text come back as they were recorded`() async throws {
    let store = MetricMemoryStore()
    try await store.record(.upload, value: Upload(bytes: 48_211, seconds: 0.42, host: "eu"))
    try await store.record(.queueLength, value: 3)
    try await store.record(.route, value: "/feed")
    let upload = try await Metric.upload.retrieveAll(in: store.erased).first?.value
    #expect(upload?.bytes == 48_211 && upload?.seconds == 0.42 && upload?.host == "eu")
    #expect(try await Metric.queueLength.retrieveAll(in: store.erased).map(\.value) == [3])
    #expect(try await Metric.route.retrieveAll(in: store.erased).map(\.value) == ["/feed"])
  }
}
