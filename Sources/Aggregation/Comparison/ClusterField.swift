/// A field whose values name the source of samples: devices, users, sessions.
///
/// Samples of one device are alike. If a field names the devices, they are the independent units, not the samples.
package struct ClusterField: Sendable, Equatable {
  /// The role in a comparison.
  package enum Role: Sendable, Equatable {
    /// A few values that both sides have, such as models: they group samples, and are compared one by one.
    case grouping
    /// Its values are taken as independent of each other.
    case units
    /// The sides differ in it, and one has so few values that nothing can be concluded.
    case tooFew
  }

  /// The field.
  package let name: String
  /// How many values the earlier side has.
  package let first: Int
  /// How many values the later side has.
  package let second: Int
  package let role: Role

  /// Minimum number of values on each side.
  package static let needed = 5
  /// Fewer values, which both sides have, group samples.
  private static let many = 10

  /// - Parameters:
  ///   - counts: how many samples the sides have of each value.
  ///   - isFolded: whether several values are taken as one.
  package init(name: String, counts: [(first: Double, second: Double)], isFolded: Bool = false) {
    self.name = name
    (first, second) = (counts.count { $0.first > 0 }, counts.count { $0.second > 0 })
    let (all, other) = counts.reduce(into: (0.0, 0.0)) {
      $0.0 += $1.first
      $0.1 += $1.second
    }
    // The part of the samples that have the same value on the other side.
    let common =
      all > 0 && other > 0 ? counts.reduce(0) { $0 + min($1.first / all, $1.second / other) } : 0
    let isGrouping = !isFolded && common >= 0.5 && max(first, second) < Self.many
    role = isGrouping ? .grouping : min(first, second) < Self.needed ? .tooFew : .units
  }

  /// The plural name of its values; `nil` where the field's name does not say that it names sources of samples.
  ///
  /// The last part of a path counts, without `id` behind it: `context.deviceID`, `user_id`, `Session`.
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
