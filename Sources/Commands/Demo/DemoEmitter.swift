import SimulationKit

/// One thing the sample app measures, and how often.
struct DemoEmitter: Sendable {
  /// How the moments of recording are spread.
  enum Rhythm: Sendable {
    /// At random; the average number of times per second.
    case random(Double)
    /// Evenly; the number of times per second.
    case even(Double)
    /// Once at the start, and very rarely afterwards.
    case start
  }

  let rhythm: Rhythm
  let record: @Sendable (inout DemoState, inout DemoLog) -> Void

  init(_ rhythm: Rhythm, record: @escaping @Sendable (inout DemoState, inout DemoLog) -> Void) {
    self.rhythm = rhythm
    self.record = record
  }

  /// Everything the sample app measures.
  static let all = network + shop + database + interface + memory + launching

  /// Seconds until the first record.
  func delay(_ random: inout SimulationRandom) -> Double {
    if case .start = rhythm { return 0.2 }
    return pause(&random)
  }

  /// Seconds until the next record.
  func pause(_ random: inout SimulationRandom) -> Double {
    switch rhythm {
    case .random(let rate): return random.pause(perSecond: rate)
    case .even(let rate): return (0.95 + 0.1 * random.unit()) / rate
    case .start: return 3_600 + random.unit() * 600
    }
  }
}
