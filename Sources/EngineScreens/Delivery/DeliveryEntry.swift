import Codecs
package import DashboardCore
package import DeliveryCore
package import DeliverySimulation
import JSONLines
import MisterMetricsCore
import Platform

/// The content of one recorded entry about a delivery client.
package enum DeliveryEntry: Sendable, Hashable {
  case batch(DeliveryBatch)
  case queue(DeliveryQueue)
  case breaker(DeliveryBreaker)
  case lifecycle(DeliveryLifecycle)
  case drop(DeliveryDrop)
  case act(DeliveryAct)
  case fault(DeliveryFault)
  case simulation(DeliverySimulationState)
  case configuration(DeliveryConstants)
}

extension DeliverySimulationState: SimulationStatement {}

extension DeliveryEntry: EngineRecord {
  package init?(_ raw: RawEngineEntry) {
    func decoded<Value: Decodable>(_ make: (Value) -> DeliveryEntry) -> DeliveryEntry? {
      FlatDecoder.decode(Value.self, from: raw.json).map(make)
    }
    guard raw.metric.bucket == DeliveryMetrics.bucket.id else { return nil }
    let entry: DeliveryEntry? =
      switch raw.metric.name {
      case "batch": decoded { .batch($0) }
      case "queue": decoded { .queue($0) }
      case "breaker": decoded { .breaker($0) }
      case "lifecycle": decoded { .lifecycle($0) }
      case "drop": decoded { .drop($0) }
      case "act": decoded { .act($0) }
      case "fault": decoded { .fault($0) }
      case "simulation": decoded { .simulation($0) }
      case "configuration": decoded { .configuration($0) }
      default: nil
      }
    guard let entry else { return nil }
    self = entry
  }

  package var branch: Int? {
    switch self {
    case .batch(let record): record.branch
    case .queue(let record): record.branch
    case .breaker(let record): record.branch
    case .lifecycle(let record): record.branch
    case .drop(let record): record.branch
    case .act(let record): record.branch
    case .fault(let record): record.branch
    case .simulation(let record): record.branch
    case .configuration: nil
    }
  }

  /// The step of the client that it belongs to.
  var step: Int? {
    switch self {
    case .batch(let record): record.step
    case .queue(let record): record.step
    case .breaker(let record): record.step
    case .lifecycle(let record): record.step
    case .drop(let record): record.step
    case .act(let record): record.step
    case .fault, .simulation, .configuration: nil
    }
  }

  package var simulation: DeliverySimulationState? {
    if case .simulation(let state) = self { state } else { nil }
  }
}
