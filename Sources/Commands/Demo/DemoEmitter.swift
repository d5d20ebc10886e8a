import SimulationKit

/// One measurement of the sample app, and how often it is taken.
struct DemoEmitter: Sendable {
  /// The distribution of the recording times.
  enum Rhythm: Sendable {
    /// At random intervals, with an average number per second.
    case random(Double)
    /// At even intervals, with a number per second.
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

  /// All measurements of the sample app.
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
