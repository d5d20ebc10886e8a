/// The identity of a metric: its bucket, its name and the name of its value's type.
///
/// Two metrics with the same name whose values differ in type are two metrics, as in the original library.
package struct MetricIdentity: Hashable, Sendable {
  /// The namespace, `nil` for a metric without one.
  package let bucket: String?
  /// The name inside the bucket, as it was written.
  package let name: String
  /// The Swift type of the values, as `String(describing:)` prints it.
  package let typeName: String

  package init(bucket: String?, name: String, typeName: String) {
    self.bucket = bucket
    self.name = name
    self.typeName = typeName
  }

  /// `bucket.name`, or the name alone if there is no bucket.
  package var fullName: String { bucket.map { "\($0).\(name)" } ?? name }
}

/// The number of a metric in one scanner's catalogue, from 0 in order of appearance.
package struct MetricID: Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// The metrics that one scanner has seen.
///
/// An open hash table of numbers finds them: a dictionary would store each identity a second time, in a table with many
/// empty slots.
package struct MetricCatalogue: Sendable {
  private var identities: [MetricIdentity] = []
  /// Numbers by hash with linear probing, -1 for an empty slot; the size is a power of two, at most half in use.
  private var numbers = [Int32](repeating: -1, count: 64)

  /// The formats of other programs that were recognized.
  package private(set) var formats: Set<ForeignFormat> = []

  package init() {}

  /// Number of metrics seen.
  package var count: Int { identities.count }

  /// The metric with a number from this catalogue.
  package subscript(id: MetricID) -> MetricIdentity { identities[Int(id.rawValue)] }

  /// The number of a metric, a new one for a new metric; `nil` once 2³¹-1 are in use.
  package mutating func number(of identity: MetricIdentity) -> MetricID? {
    let place = place(of: identity)
    if numbers[place] >= 0 { return MetricID(rawValue: numbers[place]) }
    guard let next = Int32(exactly: identities.count) else { return nil }
    identities.append(identity)
    if let format = identity.foreignFormat { formats.insert(format) }
    numbers[place] = next
    if identities.count * 2 > numbers.count { grow() }
    return MetricID(rawValue: next)
  }

  /// The number of a metric that was already seen.
  package func knownNumber(of identity: MetricIdentity) -> MetricID? {
    let number = numbers[place(of: identity)]
    return number >= 0 ? MetricID(rawValue: number) : nil
  }

  /// The slot of a metric's number, or the slot to insert it.
  private func place(of identity: MetricIdentity) -> Int {
    let mask = numbers.count - 1
    var place = identity.hashValue & mask
    while numbers[place] >= 0, identities[Int(numbers[place])] != identity { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    numbers = [Int32](repeating: -1, count: numbers.count * 2)
    for (number, identity) in identities.enumerated() {
      numbers[place(of: identity)] = Int32(truncatingIfNeeded: number)
    }
  }
}
