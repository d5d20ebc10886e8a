package import Aggregation

/// Counts of durations in bins, as in a payload: launches, resumes, hangs or intervals.
///
/// Bounds are kept as written, in milliseconds, so that writing them changes nothing. The grid determines the range
/// of a bin: see ``Bin/edges``. The positions of samples within a bin are unknown, so values computed from a
/// histogram have bounds.
///
/// ```swift
/// let launches = TimeHistogram([.init(start: 820, end: 829, count: 3), .init(start: 1190, end: 1199, count: 1)])
/// launches.count  // 4
/// ```
public struct TimeHistogram: Hashable, Sendable {
  /// Number of samples between two times.
  public struct Bin: Hashable, Sendable, Codable {
    /// The lower bound as written, in milliseconds.
    public let start: Double
    /// The upper bound as written, in milliseconds.
    public let end: Double
    /// Number of samples.
    public let count: Int

    /// A bin as written.
    ///
    /// - Parameters:
    ///   - start: The lower bound, in milliseconds.
    ///   - end: The upper bound, in milliseconds.
    ///   - count: Number of samples.
    public init(start: Double, end: Double, count: Int) {
      (self.start, self.end, self.count) = (start, end, count)
    }

    /// The range of the bin, in milliseconds.
    ///
    /// Devices write the first and the last whole millisecond of a bin that is 10 or 100 ms wide: 820 to 829 covers
    /// everything below 830. Bins of other widths, as simulated by Xcode, share their bounds: 0 to 100, 100 to 400.
    public var edges: ClosedRange<Double> {
      let upper = PayloadGrid.upperEdge(start: start, end: end)
      return min(start, upper)...max(start, upper)
    }

    /// True if the bounds are finite and ordered, and the count is not negative.
    var isSound: Bool { start.isFinite && end.isFinite && start <= end && count >= 0 }
  }

  /// The bins, by start and then by end.
  ///
  /// They may overlap, and the same bounds may occur twice if the payload has them so.
  public let bins: [Bin]
  /// Number of bins left out because of non-finite or unordered bounds, or a negative count.
  public let droppedBins: Int

  /// The histogram of bins in any order; invalid bins are left out and counted.
  public init(_ bins: some Sequence<Bin> = []) {
    self.init(bins, droppedBins: 0)
  }

  private init(_ bins: some Sequence<Bin>, droppedBins: Int) {
    let given = Array(bins)
    let sound = given.filter(\.isSound)
    self.bins = sound.sorted { ($0.start, $0.end, $0.count) < ($1.start, $1.end, $1.count) }
    self.droppedBins = max(0, droppedBins).addingSaturated(given.count - sound.count)
  }

  /// Number of samples; saturates at `Int.max`.
  public var count: Int { bins.reduce(0) { $0.addingSaturated($1.count) } }

  /// True if there are no samples.
  public var isEmpty: Bool { bins.allSatisfy { $0.count == 0 } }

  /// The histogram of the samples of both: counts are summed if both bounds are equal.
  ///
  /// This is lossless on the fixed grid of devices.
  public func merged(with other: TimeHistogram) -> TimeHistogram {
    .merging([self, other])
  }

  /// The histogram of the samples of all histograms.
  public static func merging(_ histograms: some Sequence<TimeHistogram>) -> TimeHistogram {
    var all: [Bin] = []
    var dropped = 0
    for histogram in histograms {
      all += histogram.bins
      dropped = dropped.addingSaturated(histogram.droppedBins)
    }
    all.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    var merged: [Bin] = []
    for bin in all {
      if let last = merged.last, (last.start, last.end) == (bin.start, bin.end) {
        merged[merged.count - 1] = Bin(
          start: last.start, end: last.end, count: last.count.addingSaturated(bin.count))
      } else {
        merged.append(bin)
      }
    }
    return TimeHistogram(merged, droppedBins: dropped)
  }

  /// The bins with samples, with their full ranges.
  package var intervals: [HistogramBin] {
    let bins = bins.lazy.filter { $0.count > 0 }.map { bin in
      HistogramBin(lower: bin.edges.lowerBound, upper: bin.edges.upperBound, count: bin.count)
    }
    return bins.sorted { ($0.lower, $0.upper) < ($1.lower, $1.upper) }
  }
}

extension TimeHistogram: Codable {
  private enum CodingKeys: CodingKey {
    case bins, droppedBins
  }

  /// Reads a histogram; invalid bins are left out and counted.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode([Bin].self, forKey: .bins),
      droppedBins: try container.decodeIfPresent(Int.self, forKey: .droppedBins) ?? 0)
  }

  /// Writes the bins unchanged.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(bins, forKey: .bins)
    if droppedBins > 0 { try container.encode(droppedBins, forKey: .droppedBins) }
  }
}
