import Aggregation
import DashboardCore

/// The one group of payloads that a change comes from, in words.
struct ChangeCarrier: Hashable, Sendable {
  let dimension: String
  let value: String
  let carrier: GroupCarrier
  /// Probability of such a change of any group by chance alone.
  let probability: Double

  /// Searches all dimensions for the group that carries the change of a figure from B to A.
  ///
  /// - Parameter a: The value of each day, by the index of its payload.
  init?(a: [(day: Int, value: Double)], b: [(day: Int, value: Double)], _ groups: PayloadGroups) {
    let grouped = { (days: [(day: Int, value: Double)], values: [Int]) in
      days.map { (group: values.indices.contains($0.day) ? values[$0.day] : -1, value: $0.value) }
    }
    let found = groups.dimensions.compactMap { dimension in
      GroupCarrier(
        a: grouped(a, dimension.a), b: grouped(b, dimension.b), groups: dimension.values.count
      ).map { (dimension: dimension, carrier: $0) }
    }
    guard let best = found.max(by: { $0.carrier.contrast < $1.carrier.contrast }) else { return nil }
    (dimension, carrier) = (best.dimension.name, best.carrier)
    value = best.dimension.values[carrier.group]
    let examined = groups.dimensions.reduce(0) { $0 + $1.values.count }
    probability = min(1, carrier.probability * Double(examined))
  }

  /// `only TestFlight`, `only iPhone12,1 (1 of 5)`.
  var words: String {
    switch (dimension, value) {
    case ("testFlight", "true"): "only TestFlight"
    case ("testFlight", _): "only outside TestFlight"
    case ("lowPower", "true"): "only in low power mode"
    case ("lowPower", _): "only outside low power mode"
    case ("device", _), ("os", _): "only \(value) (1 of \(carrier.count))"
    default: "only \(dimension) \(value) (1 of \(carrier.count))"
    }
  }
}
