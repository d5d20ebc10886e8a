extension SeriesStore {
  /// The window [from, to] in equal columns, for charts and sparklines; `nil` where there is no sample.
  ///
  /// A column includes its left edge but not its right; the last one also includes `to`.
  package func columns(of id: SeriesID, from: Double, to: Double, count: Int) -> [SeriesColumn?] {
    guard count > 0 else { return [] }
    let shift = shift(of: id)
    let (from, to) = (from - shift, to - shift)
    var grid = ColumnGrid(from: from, to: to, count: count)
    guard pages.contains(id), to > from else { return grid.columns }
    let data = pages[id.index]
    for slot in data.rollup.slots(from: from, to: to) { grid.spread(slot.digest) }
    for chunk in data.raw.chunks(from: from, to: to) { grid.add(chunk) }
    return shift == 0 ? grid.columns : grid.columns.map { $0?.shifted(by: shift) }
  }

  /// Earliest and latest time of all samples; `nil` if there are none.
  package var timeRange: ClosedRange<Double>? {
    var (first, last) = (Double.infinity, -Double.infinity)
    for index in 0..<pages.count {
      let tally = pages[index].tally
      let shift = shifts.isEmpty ? 0 : shift(of: SeriesID(index: index, generation: pages[index].generation))
      first = min(first, tally.firstTime + shift)
      last = max(last, tally.lastTime + shift)
    }
    return first <= last ? first...last : nil
  }
}

/// Equal columns of a window, to which samples are assigned.
struct ColumnGrid {
  private(set) var columns: [SeriesColumn?]
  let from: Double
  let to: Double
  private let width: Double

  init(from: Double, to: Double, count: Int) {
    columns = Array(repeating: nil, count: count)
    self.from = from
    self.to = to
    width = (to - from) / Double(count)
  }

  func column(of time: Double) -> Int {
    max(0, min(columns.count - 1, Int(max(-1, min(Double(columns.count), (time - from) / width)))))
  }

  /// True if the chunk lies entirely in the window.
  func holds(_ chunk: RawSamples.Chunk) -> Bool { chunk.firstTime >= from && chunk.lastTime <= to }

  mutating func add(_ chunk: RawSamples.Chunk) {
    let (first, last) = (column(of: chunk.firstTime), column(of: chunk.lastTime))
    if first == last, let digest = chunk.digest, holds(chunk) {
      add(digest, at: first)
      return
    }
    for sample in chunk.samples(from: from, to: to) {
      let place = column(of: sample.time)
      columns[place, default: SeriesColumn()].record(sample)
    }
  }

  private mutating func add(_ digest: Digest, at place: Int) {
    columns[place, default: SeriesColumn()].merge(digest)
  }

  /// A rollup slot is usually longer than a column: each column it covers shows its range and its mean.
  mutating func spread(_ digest: Digest) {
    let first = column(of: max(from, digest.firstTime))
    let last = column(of: min(to, digest.lastTime))
    guard first < last else { return add(digest, at: first) }
    for place in first...last { add(digest, at: place) }
  }
}

extension [SeriesColumn?] {
  fileprivate subscript(index: Int, default column: SeriesColumn) -> SeriesColumn {
    get { self[index] ?? column }
    set { self[index] = newValue }
  }
}

extension SeriesColumn {
  fileprivate func shifted(by shift: Double) -> SeriesColumn {
    var column = self
    (column.firstTime, column.lastTime) = (firstTime + shift, lastTime + shift)
    return column
  }

  mutating func record(_ sample: RawSample) {
    count += 1
    firstTime = min(firstTime, sample.time)
    lastTime = max(lastTime, sample.time)
    switch sample.content {
    case .number(let value): add(value)
    case .bool(let claim): add(claim ? 1 : 0)
    case .text, .null: break
    }
  }

  private mutating func add(_ value: Double) {
    numbers += 1
    // A running mean: the sum of a few values of 1e308 would leave the range of a double.
    average += (value / 2 - average / 2) * 2 / Double(numbers)
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    last = value
  }

  mutating func merge(_ digest: Digest) {
    count += digest.count
    firstTime = min(firstTime, digest.firstTime)
    lastTime = max(lastTime, digest.lastTime)
    let bools = digest.trues + digest.falses
    merge(
      count: digest.moments.count, mean: digest.moments.mean ?? 0, low: digest.moments.minimum,
      high: digest.moments.maximum)
    merge(
      count: bools, mean: bools > 0 ? Double(digest.trues) / Double(bools) : 0,
      low: digest.falses > 0 ? 0 : 1, high: digest.trues > 0 ? 1 : 0)
    if let number = digest.lastNumber { last = number }
  }

  private mutating func merge(count: Int, mean: Double, low: Double, high: Double) {
    guard count > 0 else { return }
    let share = Double(count) / Double(numbers + count)
    average = average * (1 - share) + mean * share
    numbers += count
    minimum = min(minimum, low)
    maximum = max(maximum, high)
    last = mean
  }
}
