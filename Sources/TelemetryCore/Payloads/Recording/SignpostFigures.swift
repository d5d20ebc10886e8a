import Aggregation
import Essentials

/// Figures of a day's signposts with the same category and name.
struct SignpostFigures: Codable, Hashable, Sendable {
  /// The width of the bins, in milliseconds.
  static let binWidth = 100

  /// Number of intervals and events.
  private(set) var count = 0
  /// Durations of the intervals.
  private(set) var durations = DurationBins()
  /// Processor time in nanoseconds; `nil` if no snapshots were taken, as with the next two.
  private var processor: Int?
  /// Resident memory at the ends of intervals: the number of samples, and their sum in units of 1,024 bytes.
  private var memory: Memory?
  private var written: Int?
  /// Animation times; `nil` if there were no animations.
  private(set) var animation: Animation?

  private struct Memory: Codable, Hashable {
    var samples = 0
    var kilobytes = 0
  }

  /// Total duration of animations and delay of their frames, in nanoseconds.
  struct Animation: Codable, Hashable {
    var time = 0
    var hitches = 0

    /// Milliseconds late per second; `nil` if there was no time.
    var ratio: Double? { time > 0 ? Double(hitches) / Double(time) * 1_000 : nil }

    mutating func add(_ other: Self) {
      time = time.addingSaturated(other.time)
      hitches = hitches.addingSaturated(other.hitches)
    }
  }

  mutating func add(_ event: SignpostEvent) {
    count = count.addingSaturated(max(0, event.count))
  }

  mutating func add(
    _ interval: SignpostInterval, _ details: SignpostRecord.Details?, isFull: Bool
  ) -> DurationBins.Outcome {
    let outcome = durations.add(interval.durationMs.whole, width: Self.binWidth, isFull: isFull)
    if case .refused = outcome { return outcome }
    count = count.addingSaturated(1)
    if let used = interval.cpuMs { processor = (processor ?? 0).addingSaturated((used * 1e6).whole) }
    if let bytes = interval.writtenBytes { written = (written ?? 0).addingSaturated(max(0, bytes)) }
    if let bytes = details?.residentBytes {
      var sum = memory ?? Memory()
      sum.samples = sum.samples.addingSaturated(1)
      sum.kilobytes = sum.kilobytes.addingSaturated(max(0, bytes) >> 10)
      memory = sum
    }
    if let late = interval.hitchMs {
      var sum = animation ?? Animation()
      sum.add(Animation(time: (interval.durationMs * 1e6).whole, hitches: (late * 1e6).whole))
      animation = sum
    }
    return outcome
  }

  /// The figures in the form of a payload.
  func metric(category: String, name: String) -> MetricPayload.SignpostMetric {
    var metric = MetricPayload.SignpostMetric()
    metric.signpostCategory = category
    metric.signpostName = name
    metric.totalCount = count
    guard !durations.isEmpty else { return metric }
    var data = MetricPayload.SignpostIntervalData()
    data.histogrammedSignpostDuration = durations.histogram(width: Self.binWidth)
    data.cumulativeCPUTimeQuantity = processor.map { Quantity(value: Double($0) / 1e6, unit: .milliseconds) }
    data.averageMemoryQuantity = memory.flatMap { sum in
      sum.samples > 0
        ? Quantity(value: Double(sum.kilobytes) / Double(sum.samples), unit: .kilobytes) : nil
    }
    data.cumulativeLogicalWritesQuantity = written.map { Quantity(value: Double($0 >> 10), unit: .kilobytes) }
    data.cumulativeHitchTimeRatioQuantity = animation?.ratio.map {
      Quantity(value: $0, unit: .hitchTimeRatio)
    }
    metric.signpostIntervalData = data
    return metric
  }

  /// True if the figures are plausible.
  var isSound: Bool {
    count >= 0 && durations.isSound(width: Self.binWidth)
      && [processor, memory?.samples, memory?.kilobytes, written, animation?.time, animation?.hitches]
        .allSatisfy { ($0 ?? 0) >= 0 }
  }
}

extension Double {
  /// The value rounded down and clamped to non-negative integers; zero for NaN.
  fileprivate var whole: Int {
    guard self > 0 else { return 0 }
    return self < 9e18 ? Int(self) : .max
  }
}
