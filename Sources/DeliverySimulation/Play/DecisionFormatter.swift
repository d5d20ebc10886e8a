import Codecs
import DeliveryCore
import Essentials
package import MisterMetricsCore
package import SimulationKit

/// Formats the record of a delivery client for people and tests: events, and the client's decisions.
package struct DecisionFormatter: RecordFormatter {
  private var stored: Int?

  package init() {}

  /// Formats an entry of the bucket `delivery` as a line; `nil` if other lines already cover it.
  ///
  /// - Throws: The error of a malformed entry.
  package mutating func line(_ entry: MetricEntry) throws -> Line? {
    switch entry.metric {
    case AnyMetric(DeliveryMetrics.lifecycle):
      let record = try entry.decode(DeliveryLifecycle.self)
      return Self.line(record.engineTime, "client", Self.words(record))
    case AnyMetric(DeliveryMetrics.batch):
      let record = try entry.decode(DeliveryBatch.self)
      return Self.line(record.engineTime, "batch \(record.sequence)", Self.words(record))
    case AnyMetric(DeliveryMetrics.breaker):
      let record = try entry.decode(DeliveryBreaker.self)
      let now = entry.timestamp.timeIntervalSinceReferenceDate
      return Self.line(record.engineTime, "breaker", Self.words(record, at: now))
    case AnyMetric(DeliveryMetrics.drop):
      let record = try entry.decode(DeliveryDrop.self)
      return Self.line(record.engineTime, "drop", "\(Self.count(record.count)): \(record.cause)")
    case AnyMetric(DeliveryMetrics.queue):
      let record = try entry.decode(DeliveryQueue.self)
      defer { stored = record.disk }
      guard let before = stored ?? (record.disk > 0 ? 0 : nil), before != record.disk else { return nil }
      // Shortly after each burst, events are stored: a line of every burst would hide the decisions.
      guard record.disk < before || record.by != .timer else { return nil }
      return Self.line(record.engineTime, "disk", "\(before) -> \(record.disk)")
    case AnyMetric(DeliveryMetrics.act):
      let record = try entry.decode(DeliveryAct.self)
      return Self.line(record.engineTime, record.by == .person ? "person" : "app", Self.words(record))
    case AnyMetric(DeliveryMetrics.fault):
      let record = try entry.decode(DeliveryFault.self)
      return Self.line(record.engineTime, "fault", Self.words(record))
    default: return nil
    }
  }

  /// The overall outcome as the last line: the events at the endpoint, and the location of the rest.
  package static func end(of simulation: DeliveryWorld) -> String {
    let endpoint = simulation.endpoint
    var parts = [count(endpoint.taken.count)]
    if endpoint.repeated > 0 { parts.append("\(endpoint.repeated) of them again") }
    if simulation.waiting > 0 { parts.append("\(simulation.waiting) still wait") }
    if simulation.lost > 0 { parts.append("\(simulation.lost) went with a process") }
    return line(simulation.now / .seconds(1), "endpoint", parts.joined(separator: ", ")).text
  }

  private static func line(_ time: Double, _ subject: String, _ text: String) -> Line {
    let moment = ScenarioText.padded(ScenarioText.seconds(time), to: 11, atEnd: false)
    return (time, "\(moment)  \(ScenarioText.padded(subject, to: 10))\(text)")
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 event" : "\(count) events" }

  private static func words(_ record: DeliveryLifecycle) -> String {
    if record.refused { return "\(record.event) is refused while \(record.from)" }
    return record.from == record.to ? "network \(record.network)" : "\(record.from) -> \(record.to)"
  }

  private static func words(_ record: DeliveryBatch) -> String {
    var text = "\(count(record.size)) from \(record.source)"
    if record.maxBatchSize != DeliveryConfiguration().batchSize {
      text += " of at most \(record.maxBatchSize)"
    }
    if record.attempt > 1 { text += ", attempt \(record.attempt)" }
    text += ": " + (record.status.map(String.init) ?? record.error ?? "?")
    if let wait = record.retryAfter { text += ", come back in \(ScenarioText.seconds(wait)) s" }
    return text
  }

  private static func words(_ record: DeliveryBreaker, at now: Double) -> String {
    switch record.state {
    case CircuitBreakerState.open:
      let trip = record.growth > 1 ? ", trip \(record.growth)" : ""
      return "open" + (record.until.map { " for \(ScenarioText.seconds($0 - now)) s" } ?? "") + trip
    case CircuitBreakerState.halfOpen: return "half-open"
    default: return record.failures > 0 ? "closed, failure \(record.failures)" : "closed"
    }
  }

  private static func words(_ record: DeliveryAct) -> String {
    record.act + (record.argument.map { " (\($0))" } ?? "")
      + (record.refused.map { ": refused, \($0)" } ?? "")
  }

  private static func words(_ record: DeliveryFault) -> String {
    guard record.on else { return "\(record.fault) off" }
    var text = record.fault
    if !record.unit.isEmpty { text += " \(Decimals.text(record.amount))" }
    if !record.unit.isEmpty, record.unit != "status" { text += " \(record.unit)" }
    if record.probability < 1 {
      text += ", \(Decimals.text((record.probability * 1000).rounded() / 10)) %"
    }
    if record.scope != EndpointFaultScope.all.rawValue { text += ", \(record.scope) alone" }
    return text
  }
}

/// The values of ``DeliveryBreaker/state``.
private enum CircuitBreakerState {
  static let open = "open"
  static let halfOpen = "halfOpen"
}
