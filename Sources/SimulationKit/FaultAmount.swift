/// The meaning and range of a fault's amount.
public struct FaultMeasure: Hashable, Sendable {
  /// The unit of the amount; empty for a fault that has none.
  public let unit: String
  /// The amounts that there are.
  public let range: ClosedRange<Double>
  /// The amount when none is given.
  public let usual: Double
  /// One step of a slider.
  public let step: Double

  /// A measure.
  public init(unit: String, range: ClosedRange<Double>, usual: Double, step: Double) {
    (self.unit, self.range, self.usual, self.step) = (unit, range, usual, step)
  }
}

/// The name of a fault and the meaning of its amount.
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

  /// A fault without one.
  package init(_ words: String) { self.init(words, 0...0, "", usual: 0, step: 0) }

  // Those that every engine's network has.
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

/// How much of a fault there is, and how likely it is, as scenarios and keys change it.
package enum FaultAmount {
  private static let likelihoods = [1, 0.5, 0.2, 0.1]

  /// An amount moved to the next end of its range; what is no number is the lower one.
  package static func bounded(_ amount: Double, to range: ClosedRange<Double>) -> Double {
    amount >= range.lowerBound ? min(amount, range.upperBound) : range.lowerBound
  }

  /// An amount that is so many steps more, or less; it may lie out of its range.
  ///
  /// The amounts lie on the steps around the usual one, so an end of the range that lies beside them is left again.
  package static func moved(_ amount: Double, by steps: Int, usual: Double, step: Double) -> Double {
    guard step > 0, steps != 0 else { return amount }
    let place = (amount - usual) / step
    // A place within rounding of a step lies on it.
    let start = steps > 0 ? (place + 1e-6).rounded(.down) : (place - 1e-6).rounded(.up)
    let wanted = usual + (start + Double(steps)) * step
    return (wanted * 1e6).rounded() / 1e6
  }

  /// The next likelihood of always, 1 in 2, 1 in 5, 1 in 10.
  package static func likelihood(after probability: Double) -> Double {
    likelihoods.first { $0 < probability } ?? 1
  }
}
