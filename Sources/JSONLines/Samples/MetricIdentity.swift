/// The identity of a metric: its bucket, its name and the name of its value's type.
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

  /// `bucket.name`, or the name alone where there is no bucket.
  package var fullName: String { bucket.map { "\($0).\(name)" } ?? name }
}

/// The number of a metric in the catalogue of one scanner, from 0 up in order of appearance.
package struct MetricID: Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// The metrics that one scanner has met.
///
/// An open hash table of numbers finds them: a dictionary would hold each identity once more, in a table with room for
/// many that are not there.
package struct MetricCatalogue: Sendable {
  private var identities: [MetricIdentity] = []
  /// Numbers by hash with linear probing, -1 where there is none; a power of two, at most half of them in use.
  private var numbers = [Int32](repeating: -1, count: 64)

  /// The formats of the lines that were recognized as those of other programs.
  package private(set) var formats: Set<ForeignFormat> = []

  package init() {}

  /// How many metrics were met.
  package var count: Int { identities.count }

  /// The metric of a number that this catalogue gave out.
  package subscript(id: MetricID) -> MetricIdentity { identities[Int(id.rawValue)] }

  /// The number of a metric, a new one if it was not met before; `nil` once 2³¹-1 are in use.
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

  /// The number of a metric that was met before.
  package func knownNumber(of identity: MetricIdentity) -> MetricID? {
    let number = numbers[place(of: identity)]
    return number >= 0 ? MetricID(rawValue: number) : nil
  }

  /// The place of a metric's number, or the place to insert it.
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
