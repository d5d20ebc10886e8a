/// The meaning and range of a fault's amount.
public struct FaultMeasure: Hashable, Sendable {
  /// The unit of the amount; empty for a fault without one.
  public let unit: String
  /// The valid amounts.
  public let range: ClosedRange<Double>
  /// The default amount.
  public let usual: Double
  /// One step of a slider.
  public let step: Double

  /// A measure.
  public init(unit: String, range: ClosedRange<Double>, usual: Double, step: Double) {
    (self.unit, self.range, self.usual, self.step) = (unit, range, usual, step)
  }
}

/// The name of a fault and the measure of its amount.
public struct FaultTraits: Hashable, Sendable {
  let words: String
  let measure: FaultMeasure

  /// A fault with an amount.
  package init(
    _ words: String, _ range: ClosedRange<Double>, _ unit: String, usual: Double, step: Double
  ) {
    self.words = words
    measure = FaultMeasure(unit: unit, range: range, usual: usual, step: step)
  }

  /// A fault without an amount.
  package init(_ words: String) { self.init(words, 0...0, "", usual: 0, step: 0) }

  // Faults common to the networks of all engines.
  package static let latency = Self("latency", 0...60_000, "ms", usual: 300, step: 100)
  package static let jitter = Self("jitter", 0...60_000, "ms", usual: 50, step: 50)
  package static let bandwidth = Self("bandwidth", 0.1...100_000, "kB/s", usual: 32, step: 8)
  package static let disconnect = Self("reset connection", 0...300, "s", usual: 0.05, step: 0.05)
  package static let rateLimit = Self("429")
  package static let rateLimitRetryAfter = Self("429 with Retry-After", 0...86_400, "s", usual: 60, step: 30)
  package static let serverError = Self("server error", 500...599, "status", usual: 503, step: 1)
  package static let offline = Self("offline")
  package static let clockSkew = Self(
    "clock skew", -31_536_000...31_536_000, "s", usual: 3_600, step: 600)
}

/// Changes of a fault's amount and probability by scenarios and keys.
package enum FaultAmount {
  private static let likelihoods = [1, 0.5, 0.2, 0.1]

  /// The amount clamped to its range; NaN becomes the lower bound.
  package static func bounded(_ amount: Double, to range: ClosedRange<Double>) -> Double {
    amount >= range.lowerBound ? min(amount, range.upperBound) : range.lowerBound
  }

  /// The amount moved up or down by a number of steps; the result may be out of range.
  ///
  /// Amounts lie on a grid around the usual one, so the next step from an off-grid end of the range returns to the grid.
  package static func moved(_ amount: Double, by steps: Int, usual: Double, step: Double) -> Double {
    guard step > 0, steps != 0 else { return amount }
    let place = (amount - usual) / step
    // An amount within rounding error of a grid point counts as on it.
    let start = steps > 0 ? (place + 1e-6).rounded(.down) : (place - 1e-6).rounded(.up)
    let wanted = usual + (start + Double(steps)) * step
    return (wanted * 1e6).rounded() / 1e6
  }

  /// The next probability in the cycle of always, 1 in 2, 1 in 5, 1 in 10.
  package static func likelihood(after probability: Double) -> Double {
    likelihoods.first { $0 < probability } ?? 1
  }
}
