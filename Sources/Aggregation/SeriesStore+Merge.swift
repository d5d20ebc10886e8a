extension SeriesStore {
  /// Merges a store that was filled in parallel from the older part of the same input.
  ///
  /// Its raw samples stay raw if the budget has room or if they are not older than this store's raw samples of the same
  /// series; all others go to the rollups.
  package mutating func merge(older other: SeriesStore) {
    recorded += other.recorded
    mergeShared(other)
    rolledUp += other.rolledUp
    density.merge(other.density)
    for id in other.allSeries {
      let theirs = other.pages[id.index]
      merge(theirs, into: series(for: theirs.identity, at: theirs.tally.lastTime).index)
    }
    evict()
  }

  private mutating func mergeShared(_ other: SeriesStore) {
    guard !other.shared.isEmpty else { return }
    let own = Set(ids.keys.map(\.hashValue))
    shared.merge(other.shared) { own.contains($0) }
  }

  private mutating func merge(_ other: SeriesData, into index: Int) {
    let numbers = renumber(other.texts, into: index)
    let renumbered = { (number: Int) in number < numbers.count ? numbers[number] : 0 }
    let limits = rollupLimits
    pages[index].tally.merge(other.tally)
    pages[index].version += 1 + other.version
    pages[index].rollup.merge(other.rollup, limits: limits, renumbered: renumbered)
    // Newest to oldest, so that the remaining room goes to the newest.
    for chunk in other.raw.chunks.reversed() {
      for sample in chunk.samples.reversed() {
        place(renumber(sample, renumbered), of: index, limits: limits)
      }
    }
  }

  func renumber(_ sample: RawSample, _ renumbered: (Int) -> Int) -> RawSample {
    guard case .text(let number) = sample.content else { return sample }
    return RawSample(time: sample.time, content: .text(renumbered(number)))
  }

  /// The numbers of the other table's texts in ours.
  mutating func renumber(_ texts: TextTable, into index: Int) -> [Int] {
    guard texts.count > 0 else { return [] }
    return (0...texts.count).map { number in
      guard number > 0 else { return 0 }
      let known = pages[index].texts.count
      let mine = pages[index].texts.number(of: texts[number], allowNew: textCount < limits.texts)
      textCount += pages[index].texts.count - known
      return mine
    }
  }

  private mutating func place(_ sample: RawSample, of index: Int, limits: Rollup.Limits) {
    let hasRoom = rawCount < rawBudget
    let isOlder = pages[index].raw.firstTime.map { sample.time < $0 } ?? false
    guard hasRoom || !isOlder else {
      pages[index].rollup.record(sample, limits: limits)
      rolledUp += 1
      return
    }
    let full = pages[index].raw.insert(sample, capacity: chunkCapacity)
    rawCount += 1
    for _ in 0..<full { fullChunks.insert(Int32(index), at: fullChunksStart) }
  }
}
