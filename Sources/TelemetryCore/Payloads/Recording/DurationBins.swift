import Aggregation

/// Counts of durations in the bins that devices use: whole milliseconds, bins of 10 or 100.
struct DurationBins: Hashable, Sendable {
  /// The outcome of recording a duration.
  enum Outcome {
    case counted
    /// Counted in a new bin.
    case opened
    /// Not counted: it needs a new bin, and there is no room.
    case refused
  }

  /// Maximum duration in milliseconds, about 36,000 years; longer ones are clamped.
  private static let limit = 1 << 50

  /// Number of durations, keyed by the first millisecond of the bin.
  private(set) var counts: [Int: Int] = [:]

  var isEmpty: Bool { counts.isEmpty }

  /// Counts a duration.
  ///
  /// - Parameters:
  ///   - milliseconds: Its whole milliseconds; negative ones count as zero.
  ///   - width: Width of the bins in milliseconds.
  ///   - isFull: True if no new bin may be added.
  mutating func add(_ milliseconds: Int, width: Int, isFull: Bool) -> Outcome {
    let value = min(max(0, milliseconds), Self.limit)
    let start = value - value % width
    if let count = counts[start] {
      counts[start] = count.addingSaturated(1)
      return .counted
    }
    guard !isFull else { return .refused }
    counts[start] = 1
    return .opened
  }

  /// The bins as devices write them: with their first and last millisecond.
  func histogram(width: Int) -> TimeHistogram {
    TimeHistogram(
      counts.map { start, count in
        TimeHistogram.Bin(start: Double(start), end: Double(start + width - 1), count: count)
      })
  }

  /// True if the counts are plausible for bins of this width.
  func isSound(width: Int) -> Bool {
    counts.allSatisfy { start, count in
      (0...Self.limit).contains(start) && start.isMultiple(of: width) && count > 0
    }
  }
}

extension DurationBins: Codable {
  init(from decoder: any Decoder) throws {
    counts = try decoder.singleValueContainer().decode([Int: Int].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(counts)
  }
}
