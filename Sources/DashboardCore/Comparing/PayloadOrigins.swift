package import Aggregation
package import History
import Platform

/// The origins of payloads, as far as their facts and files tell: days of one device are alike.
///
/// Payloads do not name devices. What tells them apart is a fact that is called so, or the file that each device's are in.
/// A fact with a few values that both sides have groups payloads, as models do, and is none of these. A payload without
/// the fact, and one in a file of several devices, is a unit of its own.
package struct PayloadOrigins {
  /// For each dimension that tells: the value of each payload.
  package let keys: [(first: [String], second: [String])]

  package init(first: [PayloadArchive.Payload], second: [PayloadArchive.Payload]) {
    let shared = Self.sharedFiles(first + second)
    let facts = Set((first + second).flatMap(\.facts.keys)).filter { ClusterField.plural(of: $0) != nil }
    keys = (facts.sorted() + [PayloadArchive.fileDimension]).compactMap { name in
      let isFile = name == PayloadArchive.fileDimension
      let values = [first, second].map { payloads in
        payloads.map { payload in
          guard case .value(let value) = payload.value(in: name), !isFile || !shared.contains(value) else {
            return "\(payload.source) \(payload.time.seconds)"
          }
          return value
        }
      }
      var counts: [String: (first: Double, second: Double)] = [:]
      for value in values[0] { counts[value, default: (0, 0)].first += 1 }
      for value in values[1] { counts[value, default: (0, 0)].second += 1 }
      let field = ClusterField(name: name, counts: Array(counts.values))
      // Files of one day each are no more than the days that are tested anyhow.
      guard field.role == .units, counts.count < values[0].count + values[1].count else { return nil }
      return (values[0], values[1])
    }
  }

  /// The files that hold payloads of several models or users, such as a log of a server.
  private static func sharedFiles(_ payloads: [PayloadArchive.Payload]) -> Set<String> {
    var seen: [String: [String]] = [:]
    var shared: Set<String> = []
    for payload in payloads {
      let device = ["device", "user"].map { payload.facts[$0] ?? "" }
      if seen[payload.file, default: device] != device { shared.insert(payload.file) }
      seen[payload.file] = device
    }
    return shared
  }

  /// The origins of some days, by their places among the payloads.
  package func keys(first: [Int], second: [Int]) -> [(first: [String], second: [String])] {
    keys.map { keys in (first.map { keys.first[$0] }, second.map { keys.second[$0] }) }
  }

  package func dealings(
    first: [(day: Int, bins: [HistogramBin])], second: [(day: Int, bins: [HistogramBin])]
  ) -> [Dealing] {
    keys.map { keys in
      .groups(
        first: first.map { (key: keys.first[$0.day], bins: $0.bins) },
        second: second.map { (key: keys.second[$0.day], bins: $0.bins) })
    }
  }
}
