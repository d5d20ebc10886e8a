/// The direction in which a metric improves.
package enum BetterDirection: String, CaseIterable, Hashable, Sendable {
  case lower, higher
}
