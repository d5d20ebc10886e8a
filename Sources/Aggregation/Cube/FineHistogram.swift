/// A histogram of bins so narrow that grouping them again is nearly as exact as counting the samples.
///
/// 4,096 bins an octave: a value is known to 0.025 %, and whole numbers from -4,096 to 4,096 exactly, for each has a bin
/// that begins with it. Only bins with a sample take room. As long as there are few samples they are kept themselves, and
/// every figure of them is exact.
package struct FineHistogram: Sendable, Equatable {
  /// Maximum number of keys gathered before they are sorted in.
  private static let gatheringLimit = 1024

  /// Maximum number of values kept themselves: as many as a window of a series looks at one by one.
  private static let exactLimit = SeriesStore.exactLimit

  /// The values themselves; none once they are too many.
  private var values: [Double] = []
  private var isExact = true
  private var sketch = SketchHistogram(shift: 40)
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
    gathered.append(sketch.key(of: Self.inward(value)))
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
    self = Self.adding([self, other])
  }

  /// All values of several histograms.
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
    sketch.bins.capacity * MemoryLayout<SketchHistogram.Bin>.size + gathered.capacity * 4 + values.capacity
      * 8
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
