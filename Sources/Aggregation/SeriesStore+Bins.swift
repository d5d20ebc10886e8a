extension SeriesStore {
  /// The number of values of [from, to] in each of `bins` equal parts of a value range.
  ///
  /// Values outside the range count towards the first or the last part.
  package func binCounts(
    of id: SeriesID, from: Double, to: Double, over range: ClosedRange<Double>, bins: Int,
    exactLimit: Int = exactLimit
  ) -> [Int] {
    var counts = [Int](repeating: 0, count: max(0, bins))
    guard pages.contains(id), bins > 0, to >= from else { return counts }
    let shift = shift(of: id)
    let (from, to) = (from - shift, to - shift)
    let data = pages[id.index]
    let chunks = data.raw.chunks(from: from, to: to)
    let raw = chunks.reduce(0) { $0 + $1.samples.count }
    var gatherer = WindowGatherer(from: from, to: to, isExact: raw <= exactLimit)
    for chunk in chunks { gatherer.add(chunk) }
    for slot in data.rollup.slots(from: from, to: to) { gatherer.add(slot) }
    // Halving keeps the span of two huge bounds finite.
    let (low, span) = (range.lowerBound / 2, range.upperBound / 2 - range.lowerBound / 2)
    func place(_ value: Double) -> Int {
      guard span > 0 else { return 0 }
      return Int(max(0, min(Double(bins - 1), (value / 2 - low) / span * Double(bins))))
    }
    for value in gatherer.values { counts[place(value)] += 1 }
    for bin in gatherer.bins { counts[place(bin.middle)] += bin.count }
    return counts
  }
}
