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

  /// A few samples far from all others, such as those of a clock that was not set.
  package struct Outliers: Sendable, Equatable {
    package var count: Int
    /// Seconds since 2001, to the length of a slot.
    package var first: Double
    package var last: Double
  }

  /// The range of nearly all samples, and the few that lie far beyond it, oldest first; `nil` without samples.
  ///
  /// Far is a month or more, and twenty times the range of the rest. Few are at most 64 values that are a fifth of all,
  /// or one in a hundred.
  package var bulk: (range: ClosedRange<Double>, beyond: [Outliers])? {
    var (rest, beyond) = (slots[...], [Outliers]())
    let core = coreSpan
    while let cut = Self.cut(rest, step: step, core: core) {
      let (left, right) = (rest[..<cut], rest[cut...])
      let isLeft = Self.count(left) < Self.count(right)
      beyond.append(outliers(isLeft ? left : right))
      rest = isLeft ? right : left
    }
    guard let first = rest.first, let last = rest.last else { return nil }
    return (
      Double(first.key) * step...(Double(last.key) + 1) * step, beyond.sorted { $0.first < $1.first }
    )
  }

  private func outliers(_ slots: ArraySlice<Slot>) -> Outliers {
    Outliers(
      count: Self.count(slots), first: Double(slots.first?.key ?? 0) * step,
      last: Double(slots.last?.key ?? 0) * step)
  }

  private static func count(_ slots: ArraySlice<Slot>) -> Int {
    slots.reduce(0) { $0.addingReportingOverflow($1.count).partialValue }
  }

  /// The time from the first tenth of all samples to the last, in seconds: outliers on one side must not hide others.
  private var coreSpan: Double {
    let all = Self.count(slots[...])
    var (count, first) = (0, Int64?.none)
    for slot in slots {
      count = count.addingReportingOverflow(slot.count).partialValue
      if first == nil, count > all / 10 { first = slot.key }
      if count >= all - all / 10, let first { return (Double(slot.key) - Double(first) + 1) * step }
    }
    return .infinity
  }

  private static let month = 30 * 86_400.0

  /// The index behind the widest gap, if only few samples lie on one side of it, far from the others.
  private static func cut(_ slots: ArraySlice<Slot>, step: Double, core: Double) -> Int? {
    guard slots.count > 1 else { return nil }
    func gap(_ index: Int) -> Double { (Double(slots[index].key) - Double(slots[index - 1].key) - 1) * step }
    guard let cut = slots.indices.dropFirst().max(by: { gap($0) < gap($1) }), gap(cut) >= month else {
      return nil
    }
    let (left, right) = (slots[..<cut], slots[cut...])
    let (few, rest) = count(left) < count(right) ? (left, right) : (right, left)
    let (fewer, more) = (Double(count(few)), Double(count(rest)))
    let isFew = fewer <= 64 && fewer * 4 <= more || fewer * 100 <= more
    return isFew && gap(cut) >= 20 * core ? cut : nil
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
