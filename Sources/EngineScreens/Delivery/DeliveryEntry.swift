import Aggregation
import Codecs
package import DashboardCore
package import DeliveryCore
package import DeliverySimulation
import JSONLines
import MisterMetricsCore
package import Platform

/// The content of one recorded entry about a delivery client.
package enum DeliveryEntry: Hashable {
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
  package typealias Breaker = DeliveryBreaker

  package init?(_ raw: RawEngineEntry) {
    guard raw.metric.bucket == DeliveryMetrics.bucket.id else { return nil }
    let entry: DeliveryEntry? =
      switch raw.metric.name {
      case "batch": raw.decoded { Self.batch($0) }
      case "queue": raw.decoded { Self.queue($0) }
      case "breaker": raw.decoded { Self.breaker($0) }
      case "lifecycle": raw.decoded { Self.lifecycle($0) }
      case "drop": raw.decoded { Self.drop($0) }
      case "act": raw.decoded { Self.act($0) }
      case "fault": raw.decoded { Self.fault($0) }
      case "simulation": raw.decoded { Self.simulation($0) }
      case "configuration": raw.decoded { Self.configuration($0) }
      default: nil
      }
    guard let entry else { return nil }
    self = entry
  }

  package var branch: Int? { stamp.branch }

  /// The client's step to which the entry belongs.
  var step: Int? { stamp.step }

  private var stamp: (branch: Int?, step: Int?) {
    switch self {
    case .batch(let record): (record.branch, record.step)
    case .queue(let record): (record.branch, record.step)
    case .breaker(let record): (record.branch, record.step)
    case .lifecycle(let record): (record.branch, record.step)
    case .drop(let record): (record.branch, record.step)
    case .act(let record): (record.branch, record.step)
    case .fault(let record): (record.branch, nil)
    case .simulation(let record): (record.branch, nil)
    case .configuration: (nil, nil)
    }
  }

  package var simulation: DeliverySimulationState? {
    if case .simulation(let state) = self { state } else { nil }
  }
}

extension DeliveryEntry: EngineEntry {
  package typealias Formatter = DeliveryTimelineFormatter

  package func lineQuery(at time: Timestamp) -> LineQuery {
    // The last element is text that no other line of the same moment contains.
    let (name, typeName, holding): (String, String, [String]) =
      switch self {
      case .batch(let batch): ("batch", "DeliveryBatch", ["\"sequence\":\(batch.sequence)"])
      case .queue: ("queue", "DeliveryQueue", [])
      case .breaker(let breaker): ("breaker", "DeliveryBreaker", ["\"state\":\"\(breaker.state)\""])
      case .lifecycle(let record):
        (
          "lifecycle", "DeliveryLifecycle",
          ["\"event\":\"\(record.event)\"", "\"to\":\"\(record.to)\""]
        )
      case .drop(let drop): ("drop", "DeliveryDrop", ["\"cause\":\"\(drop.cause)\""])
      case .act(let act): ("act", "DeliveryAct", ["\"act\":\"\(act.act)\""])
      case .fault(let fault): ("fault", "DeliveryFault", ["\"fault\":\"\(fault.fault)\""])
      case .simulation: ("simulation", "DeliverySimulationState", [])
      case .configuration: ("configuration", "DeliveryConstants", [])
      }
    let identity = SeriesIdentity(bucket: DeliveryMetrics.bucket.id, name: name, typeName: typeName)
    return LineQuery(identity: identity, time: time, holding: holding)
  }
}
