/// Sample counts of all series over time: the whole input in a bounded number of slots.
package struct TimeDensity: Sendable, Equatable {
  /// One interval of time that holds samples.
  struct Slot: Sendable, Equatable {
    var key: Int64
    var count: Int
  }

  private static let limit = 512
  private var exponent = 0
  private var slots: [Slot] = []

  package init() {}

  /// Number of samples counted.
  package var total: Int { slots.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }

  private var step: Double { Double(sign: .plus, exponent: exponent, significand: 1) }

  /// Counts samples at a time, in seconds since 2001.
  package mutating func record(time: Double, count: Int = 1) {
    add(Slot(key: key(of: time), count: count))
    while slots.count > Self.limit { coarsen() }
  }

  /// Number of parts into which an interval of time is divided to spread its samples.
  private static let parts = 16

  /// Counts samples of which only the first and the last time are known, spread evenly between them.
  package mutating func record(count: Int, from first: Double, to last: Double) {
    guard count > 0 else { return }
    let (least, rest) = count.quotientAndRemainder(dividingBy: Self.parts)
    var next = Slot(key: key(of: first), count: 0)
    for part in 0..<Self.parts {
      let share = least + rest * (part + 1) / Self.parts - rest * part / Self.parts
      let key = self.key(of: first + (last - first) * (Double(part) + 0.5) / Double(Self.parts))
      if key != next.key {
        if next.count > 0 { add(next) }
        next = Slot(key: key, count: 0)
      }
      next.count += share
    }
    if next.count > 0 { add(next) }
    while slots.count > Self.limit { coarsen() }
  }

  private func key(of time: Double) -> Int64 { Int64((time / step).rounded(.down)) }

  mutating func merge(_ other: TimeDensity) {
    while exponent < other.exponent { coarsen() }
    for slot in other.slots {
      add(Slot(key: slot.key >> Int64(exponent - other.exponent), count: slot.count))
    }
    while slots.count > Self.limit { coarsen() }
  }

  private mutating func add(_ slot: Slot) {
    if let last = slots.last, last.key == slot.key {
      slots[slots.count - 1].count += slot.count
      return
    }
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].key < slot.key { low = middle + 1 } else { high = middle }
    }
    if low < slots.count, slots[low].key == slot.key {
      slots[low].count += slot.count
    } else {
      slots.insert(slot, at: low)
    }
  }

  private mutating func coarsen() {
    exponent += 1
    let old = slots
    slots = []
    for slot in old { add(Slot(key: slot.key >> 1, count: slot.count)) }
  }

  /// The samples in each of `columns` equal parts of [from, to]; a slot that spans several parts is divided in proportion.
  package func counts(from: Double, to: Double, columns: Int) -> [Double] {
    guard columns > 0 else { return [] }
    var counts = [Double](repeating: 0, count: columns)
    let width = (to - from) / Double(columns)
    guard width > 0 else { return counts }
    for slot in slots {
      let start = max(from, Double(slot.key) * step)
      let end = min(to, Double(slot.key + 1) * step)
      guard end > start else { continue }
      let first = min(columns - 1, Int((start - from) / width))
      let last = min(columns - 1, max(first, Int(((end - from) / width).rounded(.up)) - 1))
      for column in first...last {
        let left = max(start, from + Double(column) * width)
        let right = min(end, from + Double(column + 1) * width)
        counts[column] += Double(slot.count) * max(0, right - left) / (end - start)
      }
    }
    return counts
  }
}
