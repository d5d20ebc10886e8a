import DashboardCore
import History

/// The payloads of both sides grouped by what they tell of the device and the build.
struct PayloadGroups: Sendable {
  struct Dimension: Sendable {
    let name: String
    let values: [String]
    /// The index of each payload's value; -1 if it has none.
    let a: [Int]
    let b: [Int]
  }

  /// Facts that tell the kind of payload rather than a group of devices.
  private static let hidden: Set<String> = [
    "kind", "multipleVersions", "simulated", "localized", "bundle", "platform", PayloadArchive.sideFact,
  ]
  /// Maximum number of values of a dimension; more of them are no groups but devices.
  private static let valueLimit = 64

  private(set) var dimensions: [Dimension] = []

  init(a: [PayloadArchive.Payload], b: [PayloadArchive.Payload]) {
    let names = Set((a + b).flatMap(\.facts.keys)).subtracting(Self.hidden)
    dimensions = names.sorted().compactMap { name in
      var places: [String: Int] = [:]
      let index = { (payload: PayloadArchive.Payload) -> Int in
        guard let value = payload.facts[name], !value.isEmpty else { return -1 }
        return places[value] ?? places.count
      }
      var sides: [[Int]] = []
      for payloads in [a, b] {
        sides.append(
          payloads.map { payload in
            let place = index(payload)
            if place >= 0, let value = payload.facts[name] { places[value] = place }
            return place
          })
      }
      guard places.count > 1, places.count <= Self.valueLimit else { return nil }
      let values = places.sorted { $0.value < $1.value }.map(\.key)
      return Dimension(name: name, values: values, a: sides[0], b: sides[1])
    }
  }
}
