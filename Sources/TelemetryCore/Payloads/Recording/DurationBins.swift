import Aggregation

/// How many durations fell into each bin of the grid that devices have: whole milliseconds, bins of 10 or 100.
struct DurationBins: Hashable, Sendable {
  /// The outcome of recording a duration.
  enum Outcome {
    case counted
    /// It has a bin that was not there before.
    case opened
    /// It would need a new bin, and there is no room.
    case refused
  }

  /// Longer durations, of some thirty thousand years, are none.
  private static let limit = 1 << 50

  /// How many, by the first millisecond of the bin.
  private(set) var counts: [Int: Int] = [:]

  var isEmpty: Bool { counts.isEmpty }

  /// Counts a duration.
  ///
  /// - Parameters:
  ///   - milliseconds: Its whole milliseconds; below zero counts as zero.
  ///   - width: Of the bins of this grid, in milliseconds.
  ///   - isFull: Whether no new bin may be made.
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

  /// The bins as devices write them: the first and the last millisecond.
  func histogram(width: Int) -> TimeHistogram {
    TimeHistogram(
      counts.map { start, count in
        TimeHistogram.Bin(start: Double(start), end: Double(start + width - 1), count: count)
      })
  }

  /// True if such bins can have been counted.
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
