/// A histogram of bins so narrow that grouping them again is nearly as exact as counting the samples.
///
/// 4,096 bins an octave: a value is known to 0.025 %, and whole numbers from -4,096 to 4,096 exactly, for each has a bin
/// that begins with it. Only bins with a sample take room. As long as there are few samples they are kept themselves, and
/// every figure of them is exact.
package struct FineHistogram: Sendable, Equatable {
  private static let shift = 40
  /// Maximum number of keys gathered before they are sorted in.
  private static let gatheringLimit = 1024

  /// Maximum number of values kept themselves: as many as a window of a series looks at one by one.
  private static let exactLimit = SeriesStore.exactLimit

  /// The values themselves; none once they are too many.
  private var values: [Double] = []
  private var isExact = true
  /// Sorted by key.
  private var bins: [SketchHistogram.Bin] = []
  private var gathered: [Int32] = []
  /// How many values were in order when that was last seen to.
  private var settledCount = 0

  /// How many values were recorded.
  package private(set) var count = 0

  package init() {}

  /// Counts a value, which is finite.
  @inline(__always)
  package mutating func record(_ value: Double) {
    count &+= 1
    if isExact { return keep(value) }
    gathered.append(MagnitudeKey.key(of: Self.inward(value), shift: Self.shift))
    if gathered.count >= Self.gatheringLimit { settle() }
  }

  @inline(never)
  private mutating func keep(_ value: Double) {
    values.append(value)
    if values.count > Self.exactLimit { pour() }
  }

  /// Keeps no values any longer, but how many there are in each bin.
  private mutating func pour() {
    guard isExact else { return }
    settle()
    isExact = false
    values = []
  }

  /// The value whose key has an interval that begins with the value or before it, and ends behind it.
  ///
  /// Below zero, intervals of keys have their upper bound and not their lower one; so a value there is taken as the next
  /// one towards zero. Thus a group that begins with -70 has the samples that are -70.
  @inline(__always)
  static func inward(_ value: Double) -> Double { value < 0 ? value.nextUp : value }

  /// Adds all values of another histogram.
  package mutating func merge(_ other: FineHistogram) {
    guard other.count > 0 else { return }
    if isExact, other.isExact, count + other.count <= Self.exactLimit {
      values += other.values
      count += other.count
      return
    }
    var other = other
    pour()
    other.pour()
    settle()
    other.settle()
    (bins, count) = (Self.merged(bins, other.bins), count &+ other.count)
    settledCount = count
  }

  /// All values of several histograms.
  package static func merging(_ parts: [FineHistogram]) -> FineHistogram {
    if parts.allSatisfy(\.isExact), parts.reduce(0, { $0 + $1.count }) <= exactLimit {
      return parts.reduce(into: FineHistogram()) { $0.merge($1) }
    }
    let settled = parts.map { part in
      if part.isSettled { return part }
      var part = part
      part.settle()
      return part
    }
    let ends = settled.compactMap { part in part.bins.first.map { ($0.key, part.bins.last?.key ?? $0.key) } }
    guard let low = ends.map(\.0).min(), let high = ends.map(\.1).max(), settled.count > 2,
      Int(high) - Int(low) < Self.tableLimit
    else { return settled.reduce(into: FineHistogram()) { $0.merge($1) } }
    // Where values lie close together, adding to a table is many times as fast as merging lists.
    var table = [UInt64](repeating: 0, count: Int(high) - Int(low) + 1)
    var all = FineHistogram()
    all.isExact = false
    for part in settled {
      all.count &+= part.count
      for bin in part.bins { table[Int(bin.key) - Int(low)] &+= UInt64(bin.count) }
    }
    for (place, count) in table.enumerated() where count > 0 {
      let key = Int32(truncatingIfNeeded: Int(low) + place)
      all.bins.append(SketchHistogram.Bin(key: key, count: UInt32(clamping: count)))
    }
    all.settledCount = all.count
    return all
  }

  /// Maximum number of bins added up in a table: sixteen octaves.
  private static let tableLimit = 1 << 16

  /// The bins as intervals of values, from the lowest to the highest.
  package var intervals: [HistogramBin] {
    var settled = self
    settled.settle()
    guard !isExact else { return settled.intervalsOfValues }
    return settled.bins.map { bin in
      let (lower, upper) = MagnitudeKey.interval(of: bin.key, shift: Self.shift)
      return HistogramBin(lower: lower, upper: upper, count: Int(bin.count))
    }
  }

  /// One interval for each value, sorted ones.
  private var intervalsOfValues: [HistogramBin] {
    var intervals: [HistogramBin] = []
    for value in values {
      let same = intervals.last.flatMap { $0.lower == value ? $0.count : nil }
      if same != nil { intervals.removeLast() }
      intervals.append(HistogramBin(lower: value, upper: value, count: (same ?? 0) + 1))
    }
    return intervals
  }

  /// Bytes of memory, about.
  package var footprint: Int {
    bins.capacity * MemoryLayout<SketchHistogram.Bin>.size + gathered.capacity * 4 + values.capacity * 8
  }

  package static func == (left: FineHistogram, right: FineHistogram) -> Bool {
    left.count == right.count && left.intervals == right.intervals
  }

  /// Sorts in the collected values, so that readers need not.
  @inline(never)
  mutating func settle() {
    guard !isSettled else { return }
    if isExact {
      // The bins are kept beside the values, to merge them with histograms that no longer have values.
      values.sort()
      bins = Self.binned(values.map { MagnitudeKey.key(of: Self.inward($0), shift: Self.shift) })
    } else {
      gathered.sort()
      bins = Self.merged(bins, Self.binned(gathered))
      gathered.removeAll(keepingCapacity: true)
    }
    settledCount = count
  }

  private var isSettled: Bool { settledCount == count }

  private static func binned(_ keys: [Int32]) -> [SketchHistogram.Bin] {
    var bins: [SketchHistogram.Bin] = []
    for key in keys {
      if let last = bins.last, last.key == key {
        bins[bins.count - 1].count &+= 1
      } else {
        bins.append(SketchHistogram.Bin(key: key, count: 1))
      }
    }
    return bins
  }

  private static func merged(
    _ left: [SketchHistogram.Bin], _ right: [SketchHistogram.Bin]
  ) -> [SketchHistogram.Bin] {
    var merged: [SketchHistogram.Bin] = []
    merged.reserveCapacity(left.count + right.count)
    var (first, second) = (0, 0)
    while first < left.count || second < right.count {
      guard first < left.count else {
        merged += right[second...]
        break
      }
      guard second < right.count else {
        merged += left[first...]
        break
      }
      if left[first].key == right[second].key {
        let count = left[first].count.addingSaturated(right[second].count)
        merged.append(SketchHistogram.Bin(key: left[first].key, count: count))
        (first, second) = (first + 1, second + 1)
      } else if left[first].key < right[second].key {
        merged.append(left[first])
        first += 1
      } else {
        merged.append(right[second])
        second += 1
      }
    }
    return merged
  }
}
