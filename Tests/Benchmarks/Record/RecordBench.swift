import BenchSupport
import Foundation
import MisterMetricsCore

/// Times recording and prints the figures as JSON for `Tests/Benchmarks/run`: `record-bench`.
@main
struct RecordBench {
  static func main() async throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let figures = [
      try await fireAndForget(folder.appendingPathComponent("a.jsonl")),
      try await awaited(folder.appendingPathComponent("b.jsonl"), callers: 8),
      try await age(folder.appendingPathComponent("c.jsonl")),
    ]
    try Figure.print(figures)
  }

  /// The cost of one call to its caller, in bursts as an app makes them.
  private static func fireAndForget(_ file: URL) async throws -> Figure {
    let store = try MetricFileStore(file: file)
    let erased = AnyMetricStore(store)
    let metric = Bucket("bench").doubleMetric("value_ms")
    var bursts: [Double] = []
    for _ in 0..<50 {
      let start = ContinuousClock.now
      for index in 0..<1000 { metric.record(Double(index) + 0.5, in: erased) }
      bursts.append((ContinuousClock.now - start) / .microseconds(1) / 1000)
      try await store.flush()
      // The queue is emptied between bursts, so that none of them finds it full.
      try await Task.sleep(for: .milliseconds(20))
    }
    try await store.close()
    return Figure(
      "record, fire and forget, per call", bursts.median, bar: 1,
      "µs",
      "bursts of 1,000")
  }

  /// How long a record takes when several callers wait for theirs at once.
  private static func awaited(_ file: URL, callers: Int) async throws -> Figure {
    let store = try MetricFileStore(file: file)
    let metric = Bucket("bench").doubleMetric("value_ms")
    let each = 20_000
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<callers {
        group.addTask {
          for index in 0..<each { try await store.record(metric, value: Double(index) + 0.5) }
        }
      }
      try await group.waitForAll()
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    try await store.close()
    let rate = Double(callers * each) / seconds
    // 100,000 a second are 10 µs each.
    return Figure(
      "try await record, \(callers) callers, per record", 1e6 / rate, bar: 10, "µs",
      "\(Int(rate)) records/s")
  }

  /// How old a record is at most when it appears in the file, at one record a millisecond for five seconds.
  private static func age(_ file: URL) async throws -> Figure {
    let store = try MetricFileStore(file: file)
    let erased = AnyMetricStore(store)
    let metric = Bucket("bench").intMetric("step")
    let start = ContinuousClock.now
    let writer = Task {
      for step in 0..<5000 {
        try await Task.sleep(until: start + .milliseconds(step), clock: .continuous)
        metric.record(step, in: erased)
      }
    }
    var worst = 0.0
    while ContinuousClock.now - start < .seconds(5) {
      try await Task.sleep(for: .milliseconds(5))
      let lines = (try? Data(contentsOf: file))?.count(where: { $0 == UInt8(ascii: "\n") }) ?? 0
      // The oldest record that is not in the file yet was made at `lines` milliseconds.
      let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
      worst = max(worst, min(elapsed, 5000) - Double(lines))
    }
    try await writer.value
    try await store.close()
    return Figure(
      "one record a millisecond, oldest not in the file", worst, bar: 300, "ms",
      "5 s")
  }
}
