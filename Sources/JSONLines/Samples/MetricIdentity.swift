/// What makes a metric: its bucket, its name and the name of its value's type together.
///
/// Two metrics of one name whose values have different types are two metrics, as in the original library.
package struct MetricIdentity: Hashable, Sendable {
  /// The namespace, `nil` for a metric without one.
  package let bucket: String?
  /// The name inside the bucket, as it was written.
  package let name: String
  /// The Swift type of the values, as `String(describing:)` gives it.
  package let typeName: String

  package init(bucket: String?, name: String, typeName: String) {
    self.bucket = bucket
    self.name = name
    self.typeName = typeName
  }
}

/// The number of a metric in the catalogue of one scanner, from 0 up in order of appearance.
package struct MetricID: Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// The metrics that one scanner has met.
package struct MetricCatalogue: Sendable {
  private var identities: [MetricIdentity] = []
  private var numbers: [MetricIdentity: MetricID] = [:]

  package init() {}

  /// How many metrics were met.
  package var count: Int { identities.count }

  /// The metric of a number that this catalogue gave out.
  package subscript(id: MetricID) -> MetricIdentity { identities[Int(id.rawValue)] }

  /// The number of a metric, a new one if it was not met before; `nil` once 2³¹-1 are in use.
  package mutating func number(of identity: MetricIdentity) -> MetricID? {
    if let known = numbers[identity] { return known }
    guard let next = Int32(exactly: identities.count) else { return nil }
    let number = MetricID(rawValue: next)
    identities.append(identity)
    numbers[identity] = number
    return number
  }
}
