/// A small histogram with a fixed number of bins, as fine as they allow: 64 bins an octave at first, half as many
/// each time they run out.
///
/// The fineness in the end depends on the set of values only, not on their order, so merging two gives exactly
/// what recording all of both gives.
package struct SketchHistogram: Sendable, Equatable {
  /// One bin in use: its key (0 for zero, else ± one more than the top bits of the magnitude) and its count.
  package struct Bin: Sendable, Equatable {
    package var key: Int32
    package var count: UInt32

    package init(key: Int32, count: UInt32) {
      self.key = key
      self.count = count
    }
  }

  /// How many times the bins were halved in number.
  package private(set) var coarseness: UInt8 = 0
  /// Sorted by key, which is the order of the values.
  package private(set) var bins: [Bin] = []

  private static let shift = 46
  private static let coarsest = 17

  package init() {}

  /// The histogram that had these bins; `nil` for bins that none has.
  package init?(coarseness: UInt8, bins: [Bin]) {
    guard coarseness <= Self.coarsest, bins.allSatisfy({ $0.count > 0 }),
      zip(bins, bins.dropFirst()).allSatisfy({ $0.key < $1.key }),
      bins.allSatisfy({ $0.key.magnitude <= Self.greatestKey >> UInt32(coarseness) + 1 })
    else { return nil }
    self.coarseness = coarseness
    self.bins = bins
  }

  /// Of the largest double, at the finest bins.
  private static let greatestKey = UInt32(
    truncatingIfNeeded: Double.greatestFiniteMagnitude.bitPattern >> UInt64(shift))

  /// Records a finite value.
  package mutating func record(_ value: Double, limit: Int) {
    add(Bin(key: key(of: value), count: 1))
    shrink(limit: limit)
  }

  /// Adds all of `other`.
  package mutating func merge(_ other: SketchHistogram, limit: Int) {
    while coarseness < other.coarseness { coarsen() }
    let steps = Int(coarseness - other.coarseness)
    for bin in other.bins { add(Bin(key: Self.coarser(bin.key, by: steps), count: bin.count)) }
    shrink(limit: limit)
  }

  /// All of several sketches, which is what merging them one after the other gives.
  package static func merging(_ parts: [SketchHistogram], limit: Int) -> SketchHistogram {
    let coarseness = parts.reduce(0) { max($0, $1.coarseness) }
    let ends = parts.flatMap { part -> [Int32] in
      guard let low = part.bins.first, let high = part.bins.last else { return [] }
      return [low, high].map { coarser($0.key, by: Int(coarseness - part.coarseness)) }
    }
    guard parts.count > 2, let low = ends.min(), let high = ends.max(),
      Int(high) - Int(low) < tableLimit
    else { return parts.reduce(into: SketchHistogram()) { $0.merge($1, limit: limit) } }
    var table = [UInt32](repeating: 0, count: Int(high) - Int(low) + 1)
    for part in parts {
      let steps = Int(coarseness - part.coarseness)
      for bin in part.bins {
        let place = Int(coarser(bin.key, by: steps)) - Int(low)
        table[place] = table[place].addingSaturated(bin.count)
      }
    }
    var all = SketchHistogram()
    all.coarseness = coarseness
    for (place, count) in table.enumerated() where count > 0 {
      all.bins.append(Bin(key: Int32(truncatingIfNeeded: Int(low) + place), count: count))
    }
    all.shrink(limit: limit)
    return all
  }

  /// Keys that are further apart are merged without a table.
  private static let tableLimit = 1 << 14

  /// Coarsens until at most `limit` bins are in use.
  mutating func shrink(limit: Int) {
    while bins.count > max(3, limit), coarseness < Self.coarsest { coarsen() }
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
    coarseness += 1
    var merged: [Bin] = []
    for bin in bins {
      let key = Self.coarser(bin.key, by: 1)
      if let last = merged.last, last.key == key {
        merged[merged.count - 1].count = last.count.addingSaturated(bin.count)
      } else {
        merged.append(Bin(key: key, count: bin.count))
      }
    }
    bins = merged
  }

  private func key(of value: Double) -> Int32 {
    MagnitudeKey.key(of: value, shift: Self.shift + Int(coarseness))
  }

  private static func coarser(_ key: Int32, by steps: Int) -> Int32 {
    guard key != 0 else { return 0 }
    let magnitude = ((key.magnitude - 1) >> UInt32(steps)) + 1
    return key < 0 ? -Int32(magnitude) : Int32(magnitude)
  }

  /// The bins as intervals of values, from the lowest to the highest.
  package var intervals: [HistogramBin] { bins.map(interval) }

  /// A bin as an interval of values.
  func interval(of bin: Bin) -> HistogramBin {
    let (lower, upper) = MagnitudeKey.interval(of: bin.key, shift: Self.shift + Int(coarseness))
    return HistogramBin(lower: lower, upper: upper, count: Int(bin.count))
  }
}
