/// The samples of a ``SampleCube`` with the same labels.
struct CubeClass: Sendable {
  /// The summary of a time slot.
  struct Slot: Sendable {
    var moments = Moments()
    var sketch = SketchHistogram()
  }

  /// Maximum number of bins per slot: two to three octaves at the finest resolution.
  static let slotBins = 160

  private(set) var moments = Moments()
  private(set) var histogram = FineHistogram()
  private(set) var slots: [Int64: Slot] = [:]
  /// The slot numbers in order, as of the last sort.
  private var order: [Int64] = []

  /// Approximate memory in bytes.
  var footprint: Int {
    histogram.footprint
      + slots.values.reduce(0) {
        $0 + MemoryLayout<Slot>.stride + 32 + $1.sketch.bins.capacity * MemoryLayout<SketchHistogram.Bin>.size
      }
  }

  mutating func record(_ value: Double, slot: Int64) {
    moments.record(value)
    histogram.record(value)
    slots[slot, default: Slot()].record(value)
    if !order.isEmpty { order = [] }
  }

  mutating func settle() {
    histogram.settle()
    order = slots.keys.sorted()
  }

  /// Visits the slots in time order, so that sums over them are reproducible.
  func forEachSlot(where isWanted: (Int64) -> Bool, _ body: (Int64, Slot) -> Void) {
    let order = order.count == slots.count ? order : slots.keys.sorted()
    for key in order where isWanted(key) { if let slot = slots[key] { body(key, slot) } }
  }

  mutating func merge(_ other: CubeClass) {
    moments.merge(other.moments)
    histogram.merge(other.histogram)
    slots.merge(other.slots) { $0.merged(with: $1) }
    order = []
  }

  /// Merges the slots that map to the same number.
  mutating func joinSlots(_ joined: (Int64) -> Int64) {
    slots = Dictionary(slots.map { (joined($0.key), $0.value) }) { $0.merged(with: $1) }
    order = []
  }
}

extension CubeClass.Slot {
  mutating func record(_ value: Double) {
    moments.record(value)
    sketch.record(FineHistogram.inward(value), limit: CubeClass.slotBins)
  }

  /// Merges several slots at once, with the same result as one after the other.
  static func merging(_ parts: [Self]) -> Self {
    var all = Self()
    for part in parts { all.moments.merge(part.moments) }
    all.sketch = SketchHistogram.merging(parts.map(\.sketch), limit: CubeClass.slotBins)
    return all
  }

  func merged(with other: Self) -> Self {
    var merged = self
    merged.moments.merge(other.moments)
    merged.sketch.merge(other.sketch, limit: CubeClass.slotBins)
    return merged
  }
}
