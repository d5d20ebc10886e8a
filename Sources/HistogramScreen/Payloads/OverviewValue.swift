import Aggregation
import TelemetryCore

/// One side's value of a figure.
struct OverviewValue: Sendable, Equatable {
  /// The number of samples or days behind a value.
  enum Count: Sendable, Equatable {
    case samples(Int)
    case days(Int)
  }

  /// The average, or what stands for it, in the unit of the row.
  let value: Double
  /// How far off it may be because bins tell no more.
  var doubt = 0.0
  /// How many it is of.
  let count: Count
  /// All together, where a sum makes sense.
  var total: Double?
  /// For each hour of use, where a sum makes sense and that time is known.
  var perHour: Double?
  /// Percentiles 50 and 95, of the samples, or of the device-days.
  var percentiles: [TimePercentile] = []
}

/// The result of a comparison of two sides, before it is weighed against the others of its page.
struct OverviewFinding: Sendable, Equatable {
  let verdict: OverviewVerdict
  /// How probable it is by chance alone; `nil` where there is too little to say.
  let probability: Double?

  init(_ comparison: VersionComparison) {
    (verdict, probability) = (OverviewVerdict(comparison.verdict), comparison.probability)
  }

  /// Of a rate there is no tail.
  init(_ rates: RateComparison) {
    verdict = rates.probability == nil ? .few : .real(rates.isRising ? .slower : .faster)
    probability = rates.probability
  }

  /// The verdict where findings up to that probability are believed.
  func verdict(believing threshold: Double?) -> OverviewVerdict {
    guard case .real = verdict else { return verdict }
    return (probability ?? 1) <= threshold ?? -1 ? verdict : .noise
  }
}

/// True if a change is real.
enum OverviewVerdict: Sendable, Equatable {
  /// The finding is named.
  case real(VersionComparison.Verdict)
  /// Inside the noise.
  case noise
  /// Too few to say.
  case few

  init(_ verdict: VersionComparison.Verdict) {
    switch verdict {
    case .noDifference: self = .noise
    case .tooFewSamples: self = .few
    case .faster, .slower, .tailFaster, .tailSlower, .secondHump: self = .real(verdict)
    }
  }

  /// In one short word.
  var sign: String {
    switch self {
    case .real: "real"
    case .noise: "~"
    case .few: "few"
    }
  }

  /// In one character.
  var shortSign: String {
    switch self {
    case .real: "!"
    case .noise: "~"
    case .few: "?"
    }
  }

  /// The meaning behind it, where that is more than the sign tells.
  ///
  /// - Parameter isTimes: Whether more is slower.
  func words(isTimes: Bool) -> String {
    guard case .real(let verdict) = self else { return "" }
    switch verdict {
    case .faster: return isTimes ? "faster" : "lower"
    case .slower: return isTimes ? "slower" : "higher"
    case .tailFaster: return isTimes ? "tail faster" : "tail lower"
    case .tailSlower: return isTimes ? "tail slower" : "tail higher"
    case .secondHump: return "second hump"
    case .noDifference, .tooFewSamples: return ""
    }
  }
}
