import Essentials

/// Severity relative to others of the same kind, ordered by unlikeliness, then size; numbers rank before outcomes.
package struct Severity: Hashable, Sendable, Comparable {
  package var isOfNumbers: Bool
  /// Excess over the distance that counts as far, in powers of two.
  package var unlikeliness: Int
  /// Multiple of the usual value or share; for an outcome, its share.
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
  /// Cap on unlikeliness, above which incidents are equally unlikely.
  private static let mostUnlikely = 4.0
  /// Cap on size, above which incidents are equally large: a rise from zero is no multiple.
  private static let largest = 500.0
  /// Distance from which a series is far from usual, in units of its spread.
  private static let far = 4.0

  /// Severity relative to other incidents.
  package var severity: Severity {
    switch kind {
    case .above, .below, .drift, .outlier, .tail, .rate:
      Severity(
        isOfNumbers: true, unlikeliness: Self.steps(score / Self.far), size: min(Self.largest, magnitude))
    case .outcome: Severity(isOfNumbers: false, unlikeliness: Self.steps(score / Self.far), size: peak)
    // Silence is rarely the cause.
    case .silent: Severity(isOfNumbers: false)
    }
  }

  private static func steps(_ ratio: Double) -> Int {
    ratio > 1 ? Int(min(mostUnlikely, log2(ratio).rounded(.down))) : 0
  }

  /// Multiple of the usual value; infinite if undefined, 0 for a silence.
  package var magnitude: Double {
    switch kind {
    case .above, .below, .drift, .outlier, .rate: factor ?? .infinity
    case .outcome, .tail: peak / max(usual, 0.01)
    case .silent: 0
    }
  }
}
