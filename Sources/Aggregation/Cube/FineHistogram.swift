/// A histogram with bins so narrow that regrouping them is nearly as exact as counting the samples.
///
/// With 4,096 bins per octave, values are known to 0.025 %, and whole numbers from -4,096 to 4,096 exactly, because
/// each has a bin that begins with it. Only bins with a sample take memory. While there are few samples they are kept
/// individually, and all figures are exact.
package struct FineHistogram: Sendable, Equatable {
  /// Maximum number of keys gathered before they are sorted in.
  private static let gatheringLimit = 1024

  /// Maximum number of values kept individually: as many as a window of a series reads individually.
  private static let exactLimit = SeriesStore.exactLimit

  /// The individual values; empty once there are too many.
  private var values: [Double] = []
  private var isExact = true
  private var sketch = SketchHistogram(shift: 40)
  private var gathered: [Int32] = []
  /// Number of values at the last sort.
  private var settledCount = 0

  /// Number of values recorded.
  package private(set) var count = 0

  package init() {}

  /// Records a finite value.
  @inline(__always)
  package mutating func record(_ value: Double) {
    count &+= 1
    if isExact { return keep(value) }
    gathered.append(sketch.key(of: Self.inward(value)))
    if gathered.count >= Self.gatheringLimit { settle() }
  }

  @inline(never)
  private mutating func keep(_ value: Double) {
    values.append(value)
    if values.count > Self.exactLimit { pour() }
  }

  /// Replaces the individual values by their bins.
  private mutating func pour() {
    guard isExact else { return }
    settle()
    isExact = false
    values = []
  }

  /// The value whose key has an interval that starts at or before the original value and ends after it.
  ///
  /// Below zero, intervals of keys include their upper bound instead of their lower one, so a negative value is
  /// replaced by the next one towards zero. A group that starts at -70 thus includes the samples at -70.
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
    self = Self.adding([self, other])
  }

  /// Merges several histograms at once.
  package static func merging(_ parts: [FineHistogram]) -> FineHistogram {
    if parts.allSatisfy(\.isExact), parts.reduce(0, { $0 + $1.count }) <= exactLimit {
      return parts.reduce(into: FineHistogram()) { $0.merge($1) }
    }
    return adding(parts.filter { $0.count > 0 })
  }

  /// Adds the bins of histograms whose values are too many to keep.
  private static func adding(_ parts: [FineHistogram]) -> FineHistogram {
    let sketches = parts.map { part in
      if part.isSettled { return part.sketch }
      var part = part
      part.settle()
      return part.sketch
    }
    var all = FineHistogram()
    all.isExact = false
    all.count = parts.reduce(0) { $0 &+ $1.count }
    all.sketch = SketchHistogram.merging(sketches, limit: .max)
    all.settledCount = all.count
    return all
  }

  /// The bins as intervals of values, from the lowest to the highest.
  package var intervals: [HistogramBin] {
    var settled = self
    settled.settle()
    guard !isExact else { return settled.intervalsOfValues }
    return settled.sketch.intervals
  }

  /// One interval per distinct value; the values must be sorted.
  private var intervalsOfValues: [HistogramBin] {
    var intervals: [HistogramBin] = []
    for value in values {
      let same = intervals.last.flatMap { $0.lower == value ? $0.count : nil }
      if same != nil { intervals.removeLast() }
      intervals.append(HistogramBin(lower: value, upper: value, count: (same ?? 0) + 1))
    }
    return intervals
  }

  /// Approximate memory in bytes.
  package var footprint: Int {
    sketch.bins.capacity * MemoryLayout<SketchHistogram.Bin>.size + gathered.capacity * 4 + values.capacity
      * 8
  }

  package static func == (left: FineHistogram, right: FineHistogram) -> Bool {
    left.count == right.count && left.intervals == right.intervals
  }

  /// Sorts the gathered values in, so that readers do not have to.
  @inline(never)
  mutating func settle() {
    guard !isSettled else { return }
    if isExact {
      // The bins are kept alongside the values for merging with histograms that no longer have values.
      values.sort()
      let keys = values.map { sketch.key(of: Self.inward($0)) }
      sketch = SketchHistogram(shift: sketch.shift)
      sketch.record(sortedKeys: keys)
    } else {
      gathered.sort()
      sketch.record(sortedKeys: gathered)
      gathered.removeAll(keepingCapacity: true)
    }
    settledCount = count
  }

  private var isSettled: Bool { settledCount == count }
}
