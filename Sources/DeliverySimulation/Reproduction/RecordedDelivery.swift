import DeliveryCore
import Essentials
package import MisterMetricsCore

/// One entry in a delivery client's record, of an app or of a simulation.
package struct RecordedDelivery: Sendable {
  /// The recorded value.
  enum Value: Sendable {
    case act(DeliveryAct)
    case batch(DeliveryBatch)
    case queue(DeliveryQueue)
    case breaker(DeliveryBreaker)
    case lifecycle(DeliveryLifecycle)
    case drop(DeliveryDrop)
    case configuration(DeliveryConstants)
    case seed(Int)
  }

  /// Time of the entry, in seconds since 2001.
  package let time: Double
  let value: Value

  init(time: Double, _ value: Value) {
    (self.time, self.value) = (time, value)
  }

  /// An entry of the main branch; `nil` if it is irrelevant to a client's decisions.
  package init?(_ entry: MetricEntry) {
    guard let (value, branch) = Self.read(entry), branch == 0 else { return nil }
    self.init(time: entry.timestamp.timeIntervalSinceReferenceDate, value)
  }

  private static func read(_ entry: MetricEntry) -> (Value, branch: Int)? {
    func decoded<Record: MetricValue>(_ make: (Record) -> (Value, branch: Int)) -> (Value, branch: Int)? {
      (try? entry.decode(Record.self)).map(make)
    }
    return switch entry.metric {
    case AnyMetric(DeliveryMetrics.act): decoded { (.act($0), $0.branch) }
    case AnyMetric(DeliveryMetrics.batch): decoded { (.batch($0), $0.branch) }
    case AnyMetric(DeliveryMetrics.queue): decoded { (.queue($0), $0.branch) }
    case AnyMetric(DeliveryMetrics.breaker): decoded { (.breaker($0), $0.branch) }
    case AnyMetric(DeliveryMetrics.lifecycle): decoded { (.lifecycle($0), $0.branch) }
    case AnyMetric(DeliveryMetrics.drop): decoded { (.drop($0), $0.branch) }
    case AnyMetric(DeliveryMetrics.configuration): decoded { (.configuration($0), 0) }
    case AnyMetric(DeliveryMetrics.simulation):
      decoded { (record: DeliverySimulationState) in (.seed(record.seed), record.branch) }
    default: nil
    }
  }

  /// True if the entry does not result from a call of the app or an act by hand.
  var isByItself: Bool {
    switch value {
    case .batch: true
    case .act, .configuration, .seed: false
    case .queue(let record): record.by != .app && record.by != .person
    case .breaker(let record): record.by != .app && record.by != .person
    case .lifecycle(let record): record.by != .app && record.by != .person
    case .drop(let record): record.by != .app && record.by != .person
    }
  }

  /// True if a client is initialized, in a new process or after a reset.
  var isStart: Bool {
    if case .lifecycle(let record) = value { record.event == "initialize" && !record.refused } else { false }
  }
}

/// Extracts the decisions from a delivery client's record, without times.
struct DeliveryDecisionReader {
  private var disk = 0

  /// The decision in an entry; `nil` if other entries already cover it.
  mutating func decision(_ entry: RecordedDelivery) -> String? {
    switch entry.value {
    case .batch(let record):
      let outcome = record.error ?? record.status.map(String.init) ?? ""
      return "batch of \(record.size), attempt \(record.attempt): \(outcome)"
    case .breaker(let record):
      return "breaker \(record.state), failures \(record.failures), trips \(record.growth)"
    case .drop(let record): return "drop of \(record.count): \(record.cause)"
    case .lifecycle(let record):
      if record.refused { return "\(record.event) refused while \(record.from)" }
      return record.from == record.to ? "network \(record.network)" : "\(record.from) -> \(record.to)"
    case .queue(let record):
      defer { disk = record.disk }
      // Storing shortly after a call and removing after an answer are no decisions: milliseconds of an exchange change
      // their place among the others.
      if record.by == .timer || record.by == .server { return nil }
      return record.disk == disk ? nil : "\(record.disk) on disk"
    case .act, .configuration, .seed: return nil
    }
  }
}
