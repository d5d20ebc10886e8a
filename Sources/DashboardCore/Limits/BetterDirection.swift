/// Which way a metric gets better.
package enum BetterDirection: String, CaseIterable, Hashable, Sendable {
  case lower, higher
}
