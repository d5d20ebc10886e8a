/// A field whose values name the source of samples: devices, users, sessions.
///
/// Samples of one device are alike, so if a field names devices, they are the independent units, not the samples.
package struct ClusterField: Sendable, Equatable {
  /// The role of the field in a comparison.
  package enum Role: Sendable, Equatable {
    /// A few values that both sides have, such as models: they group samples and are compared individually.
    case grouping
    /// Values that are treated as independent of each other.
    case units
    /// The sides differ in the field, and one has too few values for a conclusion.
    case tooFew
  }

  /// Name of the field.
  package let name: String
  /// Number of values on the earlier side.
  package let first: Int
  /// Number of values on the later side.
  package let second: Int
  package let role: Role

  /// Minimum number of values on each side.
  package static let needed = 5
  /// Number of values from which a field shared by both sides no longer groups samples.
  private static let many = 10

  /// - Parameters:
  ///   - counts: the number of samples per value on each side.
  ///   - isFolded: true if several values may count as one.
  package init(name: String, counts: [(first: Double, second: Double)], isFolded: Bool = false) {
    self.name = name
    (first, second) = (counts.count { $0.first > 0 }, counts.count { $0.second > 0 })
    let (all, other) = counts.reduce(into: (0.0, 0.0)) {
      $0.0 += $1.first
      $0.1 += $1.second
    }
    // Fraction of the samples that have the same value on the other side.
    let common =
      all > 0 && other > 0 ? counts.reduce(0) { $0 + min($1.first / all, $1.second / other) } : 0
    let isGrouping = !isFolded && common >= 0.5 && max(first, second) < Self.many
    role = isGrouping ? .grouping : min(first, second) < Self.needed ? .tooFew : .units
  }

  /// The plural name of the field's values; `nil` if the field name does not indicate a source of samples.
  ///
  /// Only the last part of a path counts, without a trailing `id`: `context.deviceID`, `user_id`, `Session`.
  package static func plural(of name: String) -> String? {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    var word = String(last.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
    for ending in ["identifier", "uuid", "hash", "id"] where word.hasSuffix(ending) {
      word.removeLast(ending.count)
      break
    }
    return plurals[word]
  }

  private static let plurals = [
    "device": "devices", "user": "users", "session": "sessions", "install": "installs",
    "installation": "installations", "account": "accounts", "host": "hosts", "machine": "machines",
    "client": "clients", "customer": "customers", "player": "players", "run": "runs",
  ]
}
