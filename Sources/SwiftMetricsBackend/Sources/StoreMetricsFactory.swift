public import CoreMetrics
import Foundation
public import MisterMetrics

/// A backend of swift-metrics that records every measurement into a store of MisterMetrics.
///
/// ```swift
/// let store = try MetricFileStore(file: URL(fileURLWithPath: "server.jsonl"))
/// MetricsSystem.bootstrap(StoreMetricsFactory(store))
/// ```
///
/// The measurements of Vapor, NIO or gRPC are then in a file that `mistertop server.jsonl` shows live. A label such as
/// `http.server.requests` becomes the metric `requests` of the bucket `http.server`. Its values are structs: the
/// measurement, named `count` of counters (the increment), `ms` of timers, and `value` of meters and recorders, beside the
/// dimensions, which are texts.
///
/// Calls return at once, as ``MisterMetrics/Metric/record(_:in:)`` does.
public struct StoreMetricsFactory: MetricsFactory {
  private let store: AnyMetricStore

  /// - Parameter store: The store that gets all measurements.
  public init(_ store: some MetricStore) { self.store = AnyMetricStore(store) }

  private func series(_ label: String, _ dimensions: [(String, String)], _ field: String) -> Series {
    Series(label: label, dimensions: dimensions, field: field, store: store)
  }

  /// Makes a counter, each increment of which is a sample.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    Increments(series: series(label, dimensions, "count"))
  }

  /// Makes a counter, each increment of which is a sample.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    Increments(series: series(label, dimensions, "count"))
  }

  /// Makes a meter, each new level of which is a sample.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    Level(series: series(label, dimensions, "value"))
  }

  /// Makes a recorder; each value is a sample, aggregated or not.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    Values(series: series(label, dimensions, "value"))
  }

  /// Makes a timer, each duration of which is a sample in milliseconds.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Durations(series: series(label, dimensions, "ms"))
  }

  /// Does nothing: a handler holds nothing that has to be released.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing: a handler holds nothing that has to be released.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  /// Does nothing: a handler holds nothing that has to be released.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Does nothing: a handler holds nothing that has to be released.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing: a handler holds nothing that has to be released.
  public func destroyTimer(_ handler: any TimerHandler) {}
}

/// A metric with its dimensions.
private struct Series: Sendable {
  private let metric: Metric<LabeledNumber>
  private let field: String
  private let dimensions: [String: String]
  private let store: AnyMetricStore

  init(label: String, dimensions: [(String, String)], field: String, store: AnyMetricStore) {
    let parts = label.split(separator: ".")
    let bucket = parts.dropLast().joined(separator: ".")
    metric = Metric(
      name: parts.last.map(String.init) ?? label, in: bucket.isEmpty ? nil : Bucket(bucket))
    self.field = field
    // A dimension of the same name does not hide the measurement.
    self.dimensions = Dictionary(dimensions.map { ($0 == field ? $0 + "_" : $0, $1) }) { $1 }
    self.store = store
  }

  func record(_ value: Double) {
    metric.record(LabeledNumber(values: [field: value], labels: dimensions), in: store)
  }
}

/// A number beside texts, as a struct whose fields are known at run time.
struct LabeledNumber: Codable, Sendable {
  var values: [String: Double]
  var labels: [String: String]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(values: [String: Double], labels: [String: String]) { (self.values, self.labels) = (values, labels) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    (values, labels) = ([:], [:])
    for key in container.allKeys {
      if let value = try? container.decode(Double.self, forKey: key) {
        values[key.stringValue] = value
      } else {
        labels[key.stringValue] = try container.decode(String.self, forKey: key)
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in values { try container.encode(value, forKey: Key(stringValue: name)) }
    for (name, label) in labels { try container.encode(label, forKey: Key(stringValue: name)) }
  }
}

// MARK: Handlers

private final class Increments: CounterHandler, FloatingPointCounterHandler {
  private let series: Series

  init(series: Series) { self.series = series }

  func increment(by amount: Int64) { series.record(Double(amount)) }
  func increment(by amount: Double) { series.record(amount) }
  // Only increments are recorded, so there is no sum to reset.
  func reset() {}
}

private final class Values: RecorderHandler {
  private let series: Series

  init(series: Series) { self.series = series }

  func record(_ value: Int64) { series.record(Double(value)) }
  func record(_ value: Double) { series.record(value) }
}

private final class Durations: TimerHandler {
  private let series: Series

  init(series: Series) { self.series = series }

  func recordNanoseconds(_ duration: Int64) { series.record(Double(duration) / 1e6) }
}

/// A value that is also changed by differences.
private final class Level: MeterHandler {
  private let series: Series
  private let lock = NSLock()
  /// Guarded by the lock, which also keeps the records in the order of the changes.
  nonisolated(unsafe) private var level = 0.0

  init(series: Series) { self.series = series }

  private func change(_ body: (Double) -> Double) {
    lock.withLock {
      level = body(level)
      series.record(level)
    }
  }

  func set(_ value: Int64) { change { _ in Double(value) } }
  func set(_ value: Double) { change { _ in value } }
  func increment(by amount: Double) { change { $0 + amount } }
  func decrement(by amount: Double) { change { $0 - amount } }
}
