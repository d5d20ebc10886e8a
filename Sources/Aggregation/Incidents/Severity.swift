import Essentials

/// How bad something is, against others of its kind: how unlikely, then how large; what numbers say before what words say.
package struct Severity: Hashable, Sendable, Comparable {
  package var isOfNumbers: Bool
  /// In steps of two: how many times as far from usual as far values begin.
  package var unlikeliness: Int
  /// How many times the usual, the limit or the usual pause.
  package var size: Double

  package init(isOfNumbers: Bool, unlikeliness: Int = 0, size: Double = 0) {
    (self.isOfNumbers, self.unlikeliness, self.size) = (isOfNumbers, unlikeliness, size)
  }

  package static func < (left: Severity, right: Severity) -> Bool {
    (left.isOfNumbers ? 1 : 0, left.unlikeliness, left.size)
      < (right.isOfNumbers ? 1 : 0, right.unlikeliness, right.size)
  }
}

extension Incident {
  /// Beyond this one is as unlikely as another.
  private static let mostUnlikely = 4.0
  /// Beyond this one is as large as another: what came out of nothing is no multiple of it.
  private static let largest = 500.0

  /// How bad it is against others.
  package var severity: Severity {
    switch kind {
    case .above, .below:
      let distance = abs(peak - usual) / abs(bound - usual)
      return Severity(
        isOfNumbers: true, unlikeliness: Self.steps(distance), size: min(Self.largest, magnitude))
    case .outcome:
      return Severity(isOfNumbers: false, unlikeliness: Self.steps(magnitude), size: peak)
    // Silence is rarely the cause.
    case .silent: return Severity(isOfNumbers: false)
    }
  }

  private static func steps(_ ratio: Double) -> Int {
    ratio > 1 ? Int(min(mostUnlikely, log2(ratio).rounded(.down))) : 0
  }

  /// How many times the usual it was, as far as that can be said.
  package var magnitude: Double {
    switch kind {
    case .above, .below: factor ?? .infinity
    case .outcome: peak / max(usual, 0.01)
    case .silent: 0
    }
  }
}
