/// The past of one series in a bounded number of equal slots, as short as the bound allows.
///
/// Only slots that hold a sample exist, so a clock that jumps by years costs one slot, not the resolution of the rest.
/// When there are too many, the step doubles and neighbours merge. The final step depends only on the set of times, not
/// on their order.
struct Rollup: Sendable, Equatable {
  /// One interval of time that holds samples.
  struct Slot: Sendable, Equatable {
    /// The slot's start divided by the step.
    var key: Int64
    var digest: Digest
  }

  /// Base-2 logarithm of the step in seconds.
  private(set) var exponent = 0
  /// Sorted by key.
  private(set) var slots: [Slot] = []

  /// The length of a slot in seconds.
  var step: Double { Double(sign: .plus, exponent: exponent, significand: 1) }
  var isEmpty: Bool { slots.isEmpty }

  /// Size limits of a rollup.
  struct Limits: Sendable {
    /// Maximum slots per rollup.
    var slots = 64
    /// Maximum bins per slot histogram.
    var bins = 48
  }

  mutating func record(_ sample: RawSample, limits: Limits) {
    let place = slotIndex(key: key(of: sample.time))
    slots[place].digest.record(sample, bins: limits.bins)
    shrink(limits: limits)
  }

  /// Merges a digest whose samples all lie near `digest.lastTime`, such as a chunk evicted from the raw samples.
  mutating func merge(_ digest: Digest, limits: Limits, renumbered: (Int) -> Int = { $0 }) {
    let place = slotIndex(key: key(of: digest.lastTime))
    slots[place].digest.merge(digest, bins: limits.bins, renumbered: renumbered)
    shrink(limits: limits)
  }

  /// Merges another rollup, slot by slot.
  mutating func merge(_ other: Rollup, limits: Limits, renumbered: (Int) -> Int = { $0 }) {
    while exponent < other.exponent { coarsen(bins: limits.bins) }
    for slot in other.slots {
      let place = slotIndex(key: slot.key >> Int64(exponent - other.exponent))
      slots[place].digest.merge(slot.digest, bins: limits.bins, renumbered: renumbered)
    }
    shrink(limits: limits)
  }

  /// True if all of [from, to] falls into one slot.
  func hasOneSlot(from: Double, to: Double) -> Bool { key(of: from) == key(of: to) }

  private func key(of time: Double) -> Int64 { Int64((time / step).rounded(.down)) }

  /// The index of the slot with this key, which is created if missing.
  private mutating func slotIndex(key: Int64) -> Int {
    if let last = slots.last, last.key == key { return slots.count - 1 }
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].key < key { low = middle + 1 } else { high = middle }
    }
    if low == slots.count || slots[low].key != key {
      slots.insert(Slot(key: key, digest: Digest()), at: low)
    }
    return low
  }

  private mutating func shrink(limits: Limits) {
    while slots.count > max(1, limits.slots) { coarsen(bins: limits.bins) }
  }

  private mutating func coarsen(bins: Int) {
    exponent += 1
    var merged: [Slot] = []
    for slot in slots {
      // An arithmetic shift rounds down, even for times before 2001.
      let key = slot.key >> 1
      if let last = merged.last, last.key == key {
        merged[merged.count - 1].digest.merge(slot.digest, bins: bins)
      } else {
        merged.append(Slot(key: key, digest: slot.digest))
      }
    }
    slots = merged
  }
}
