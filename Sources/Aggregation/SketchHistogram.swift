/// A histogram of any doubles as a sorted list of the bins in use, each half as fine whenever a limit is exceeded.
///
/// Cells of an index begin with 64 bins an octave and hold a few dozen bins; a cube's histogram begins with 4,096 and has
/// no limit. The final width of the bins depends on the set of values only, not on their order, so merging two gives
/// exactly what recording all of both gives.
package struct SketchHistogram: Sendable, Equatable {
  /// One bin in use: its key (0 for zero, otherwise ± one more than the top bits of the magnitude) and its count.
  package struct Bin: Sendable, Equatable {
    package var key: Int32
    package var count: UInt32

    package init(key: Int32, count: UInt32) {
      self.key = key
      self.count = count
    }
  }

  /// The low bits of a value's pattern that a key leaves out; 2^(52 − shift) bins make an octave.
  private(set) var shift: UInt8
  /// Sorted by key, which is the order of the values.
  package private(set) var bins: [Bin] = []

  /// The initial shift of sketches that an index keeps: 64 bins an octave.
  private static let indexShift: UInt8 = 46
  /// The shift at which all positive values share at most two bins.
  private static let coarsestShift: UInt8 = 63

  package init() { self.init(shift: Self.indexShift) }

  /// An empty histogram that begins with 2^(52 − shift) bins an octave.
  init(shift: UInt8) { self.shift = shift }

  /// The sketch of an index whose bins were halved `coarseness` times; `nil` for bins that no sketch has.
  package init?(coarseness: UInt8, bins: [Bin]) {
    let greatest = UInt32(
      truncatingIfNeeded: Double.greatestFiniteMagnitude.bitPattern >> UInt64(Self.indexShift))
    guard coarseness <= Self.coarsestShift - Self.indexShift, bins.allSatisfy({ $0.count > 0 }),
      zip(bins, bins.dropFirst()).allSatisfy({ $0.key < $1.key }),
      bins.allSatisfy({ $0.key.magnitude <= greatest >> UInt32(coarseness) + 1 })
    else { return nil }
    shift = Self.indexShift + coarseness
    self.bins = bins
  }

  /// How many times a sketch of an index halved its bins.
  package var coarseness: UInt8 { shift - Self.indexShift }

  /// Records a finite value.
  package mutating func record(_ value: Double, limit: Int) {
    add(Bin(key: key(of: value), count: 1))
    shrink(limit: limit)
  }

  /// Counts keys made with this histogram's shift, in ascending order.
  mutating func record(sortedKeys: [Int32]) {
    var added: [Bin] = []
    for key in sortedKeys { Self.append(Bin(key: key, count: 1), to: &added) }
    bins = Self.merged(bins, added)
  }

  /// Adds all of `other`.
  package mutating func merge(_ other: SketchHistogram, limit: Int) {
    while shift < other.shift { coarsen() }
    bins = Self.merged(bins, other.bins(shift: shift))
    shrink(limit: limit)
  }

  /// All of several sketches, which is what merging them one after the other gives.
  ///
  /// Adding to a table is many times as fast as merging lists where values lie close together.
  package static func merging(_ parts: [SketchHistogram], limit: Int) -> SketchHistogram {
    guard var all = parts.first.map({ SketchHistogram(shift: $0.shift) }) else { return SketchHistogram() }
    all.shift = parts.reduce(0) { max($0, $1.shift) }
    let lists = parts.map { $0.bins(shift: all.shift) }
    guard parts.count > 2, let low = lists.compactMap({ $0.first?.key }).min(),
      let high = lists.compactMap({ $0.last?.key }).max(), Int(high) - Int(low) < tableLimit
    else {
      for part in parts { all.merge(part, limit: limit) }
      return all
    }
    var table = [UInt32](repeating: 0, count: Int(high) - Int(low) + 1)
    for bin in lists.joined() {
      let place = Int(bin.key) - Int(low)
      table[place] = table[place].addingSaturated(bin.count)
    }
    for (place, count) in table.enumerated() where count > 0 {
      all.bins.append(Bin(key: Int32(truncatingIfNeeded: Int(low) + place), count: count))
    }
    all.shrink(limit: limit)
    return all
  }

  /// Keys that are further apart are merged without a table.
  private static let tableLimit = 1 << 16

  /// Coarsens until at most `limit` bins are in use.
  mutating func shrink(limit: Int) {
    while bins.count > max(3, limit), shift < Self.coarsestShift { coarsen() }
  }

  private mutating func add(_ bin: Bin) {
    var (low, high) = (0, bins.count)
    while low < high {
      let middle = (low + high) / 2
      if bins[middle].key < bin.key { low = middle + 1 } else { high = middle }
    }
    if low < bins.count, bins[low].key == bin.key {
      bins[low].count = bins[low].count.addingSaturated(bin.count)
    } else {
      bins.insert(bin, at: low)
    }
  }

  private mutating func coarsen() {
    bins = bins(shift: shift + 1)
    shift += 1
  }

  /// The bins as they are with the same shift or a larger one.
  private func bins(shift wanted: UInt8) -> [Bin] {
    guard wanted > shift else { return bins }
    var coarser: [Bin] = []
    for bin in bins {
      Self.append(Bin(key: Self.coarser(bin.key, by: UInt32(wanted - shift)), count: bin.count), to: &coarser)
    }
    return coarser
  }

  /// Adds a bin to a list whose last key is at most the bin's.
  private static func append(_ bin: Bin, to bins: inout [Bin]) {
    if let last = bins.last, last.key == bin.key {
      bins[bins.count - 1].count = last.count.addingSaturated(bin.count)
    } else {
      bins.append(bin)
    }
  }

  private static func merged(_ left: [Bin], _ right: [Bin]) -> [Bin] {
    guard !left.isEmpty, !right.isEmpty else { return left.isEmpty ? right : left }
    var merged: [Bin] = []
    merged.reserveCapacity(left.count + right.count)
    var (first, second) = (0, 0)
    while first < left.count, second < right.count {
      if left[first].key < right[second].key {
        merged.append(left[first])
        first += 1
      } else if left[first].key > right[second].key {
        merged.append(right[second])
        second += 1
      } else {
        let count = left[first].count.addingSaturated(right[second].count)
        merged.append(Bin(key: left[first].key, count: count))
        (first, second) = (first + 1, second + 1)
      }
    }
    merged += left[first...]
    merged += right[second...]
    return merged
  }

  /// The key of a finite value.
  func key(of value: Double) -> Int32 { MagnitudeKey.key(of: value, shift: Int(shift)) }

  private static func coarser(_ key: Int32, by steps: UInt32) -> Int32 {
    guard key != 0 else { return 0 }
    let magnitude = ((key.magnitude - 1) >> steps) + 1
    return key < 0 ? -Int32(magnitude) : Int32(magnitude)
  }

  /// The bins as intervals of values, from the lowest to the highest.
  package var intervals: [HistogramBin] { bins.map(interval) }

  /// A bin as an interval of values.
  func interval(of bin: Bin) -> HistogramBin {
    let (lower, upper) = MagnitudeKey.interval(of: bin.key, shift: Int(shift))
    return HistogramBin(lower: lower, upper: upper, count: Int(bin.count))
  }
}
