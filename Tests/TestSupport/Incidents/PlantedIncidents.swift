import Foundation

/// An hour of forty metrics with seasonality and noise, with one to five planted incidents.
package struct PlantedIncidents {
  package enum Kind: CaseIterable, Sendable {
    case peak, step, silence, outcomes
  }

  /// The incident planted in one metric.
  package struct Plant: Sendable {
    package let metric: Int
    package let kind: Kind
    /// The time range in seconds.
    package let times: Range<Double>
    /// The factor by which values are multiplied.
    let factor: Double
    /// The time of the first affected sample; for a silence, the time at which the first missing sample was due.
    package fileprivate(set) var onset = Double.infinity
    /// Seconds between two samples of the metric.
    package fileprivate(set) var interval = 0.0
  }

  package enum Value: Sendable {
    case number(Double)
    case text(String)
  }

  package struct Sample: Sendable {
    package let time: Double
    package let metric: Int
    package let value: Value

    package init(time: Double, metric: Int, value: Value) {
      (self.time, self.metric, self.value) = (time, metric, value)
    }
  }

  /// The number of metrics; the last `texts` of them have text values.
  package static let metrics = 40
  package static let texts = 6
  package static let length = 3600.0

  package private(set) var plants: [Plant] = []
  /// Sorted by time.
  package private(set) var samples: [Sample] = []

  /// - Parameter length: The length of the file in seconds; incidents begin after a quarter of it.
  package init(seed: UInt64, length: Double = Self.length) {
    var random = SeededGenerator(seed: seed)
    plant(&random, length)
    for metric in 0..<Self.metrics {
      var course = Course(metric: metric, &random)
      let place = plants.firstIndex { $0.metric == metric }
      if let place { plants[place].interval = course.interval }
      record(&course, place, &random, until: length)
    }
    samples.sort { ($0.time, $0.metric) < ($1.time, $1.metric) }
  }

  private mutating func plant(_ random: inout SeededGenerator, _ length: Double) {
    let count = Int.random(in: 1...5, using: &random)
    while plants.count < count {
      let metric = Int.random(in: 0..<Self.metrics, using: &random)
      guard !plants.contains(where: { $0.metric == metric }) else { continue }
      let isText = metric >= Self.metrics - Self.texts
      let kind = (isText ? [Kind.outcomes, .silence] : [.peak, .step, .silence]).randomElement(using: &random)
      // Long enough to affect a metric with a sample every ten seconds.
      let start = Double.random(in: length / 4..<length - 500, using: &random)
      let end = start + Double.random(in: 120...400, using: &random)
      plants.append(
        Plant(
          metric: metric, kind: kind ?? .peak, times: start..<(kind == .step ? length : end),
          factor: Double.random(in: 2.5...30, using: &random)))
    }
  }

  private mutating func record(
    _ course: inout Course, _ place: Int?, _ random: inout SeededGenerator, until length: Double
  ) {
    var time = random.unit() * course.interval
    while time < length {
      var value = course.value(at: time, &random)
      defer { time += course.interval * (1 + 0.1 * (random.unit() - 0.5)) }
      if let place, plants[place].times.contains(time) {
        let plant = plants[place]
        var isChanged = true
        switch (plant.kind, value) {
        case (.peak, .number(let number)), (.step, .number(let number)):
          value = .number(number * plant.factor + course.base)
        case (.silence, _): break
        default:
          isChanged = random.unit() < 0.8
          if isChanged { value = .text("fail") }
        }
        if isChanged { plants[place].onset = min(plant.onset, time) }
        if plant.kind == .silence { continue }
      }
      samples.append(Sample(time: time, metric: course.metric, value: value))
    }
  }
}

/// The behavior of a metric without an incident.
private struct Course {
  let metric: Int
  let interval: Double
  let base: Double
  private let noise: Double
  private let period: Double
  private let amplitude: Double
  private let phase: Double
  private let failures: Double
  /// Autocorrelated noise.
  private var drift = 0.0

  init(metric: Int, _ random: inout SeededGenerator) {
    self.metric = metric
    interval = [0.5, 1, 1, 2, 5, 10].randomElement(using: &random) ?? 1
    base = pow(10, Double.random(in: -1...5, using: &random))
    noise = base * Double.random(in: 0.01...0.15, using: &random)
    period = Double.random(in: 300...3600, using: &random)
    amplitude = base * Double.random(in: 0.1...0.6, using: &random)
    phase = Double.random(in: 0..<6.28, using: &random)
    failures = Double.random(in: 0...0.05, using: &random)
  }

  mutating func value(at time: Double, _ random: inout SeededGenerator) -> PlantedIncidents.Value {
    guard metric < PlantedIncidents.metrics - PlantedIncidents.texts else {
      let isFailure = random.unit() < failures
      return .text(isFailure ? ["fail", "retry"].randomElement(using: &random) ?? "" : "ok")
    }
    return .number(number(at: time, &random))
  }

  private mutating func number(at time: Double, _ random: inout SeededGenerator) -> Double {
    let season = sin(time / period * 2 * .pi + phase)
    switch metric % 8 {
    case 0: return base + noise * random.normal()
    case 1: return base + amplitude * season + noise * random.normal()
    case 2:
      drift = 0.8 * drift + 0.6 * random.normal()
      return base + noise * drift
    case 3: return base * exp(0.4 * random.normal())
    case 4: return Double((0..<12).filter { _ in random.unit() < 0.1 }.count)
    case 5:
      return base * (0.5 + (time / period).truncatingRemainder(dividingBy: 1)) + 0.2 * noise * random.normal()
    case 6: return base + 0.2 * amplitude * sin(time / 60 + phase) + 0.3 * noise * random.normal()
    // Occasional isolated peaks.
    default: return base * exp(0.2 * random.normal() + (random.unit() < 0.005 ? 1.5 : 0))
    }
  }
}
