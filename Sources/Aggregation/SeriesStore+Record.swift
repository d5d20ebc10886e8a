extension SeriesStore {
  /// Limit of times, in seconds from 2001 (some 30,000 years); times beyond it are clamped.
  private static let farthestTime = 1e12

  /// Records one sample.
  ///
  /// Samples may arrive in any time order.
  ///
  /// - Parameters:
  ///   - time: seconds since 2001.
  ///   - value: numbers must be finite; others count as null.
  package mutating func record(_ id: SeriesID, time: Double, value: SeriesValue) {
    guard pages.contains(id), !time.isNaN else { return }
    let time = max(-Self.farthestTime, min(Self.farthestTime, time))
    recorded += 1
    density.record(time: time)
    store(id.index, time: time, value: value)
    evict()
  }

  private mutating func store(_ index: Int, time: Double, value: SeriesValue) {
    let mayAddText = textCount < limits.texts
    let capacity = chunkCapacity
    let isPast = belongsToRollup(time: time, of: index)
    let limits = rollupLimits
    let (full, newTexts) = pages[index].record(time: time, value: value, mayAddText: mayAddText) {
      data, sample in
      guard isPast else { return data.raw.insert(sample, capacity: capacity) }
      data.rollup.record(sample, limits: limits)
      return 0
    }
    textCount += newTexts
    if isPast { rolledUp += 1 } else { rawCount += 1 }
    for _ in 0..<full { fullChunks.append(Int32(index)) }
  }

  /// True if a sample is older than all raw samples of its series and would only displace newer ones.
  private func belongsToRollup(time: Double, of index: Int) -> Bool {
    guard rawCount >= rawBudget - rawBudget / 8 || !pages[index].rollup.isEmpty else {
      return false
    }
    guard let first = pages[index].raw.firstTime else { return limits.rawSamples == 0 }
    return time < first
  }

  /// Moves the oldest chunks into the rollups until the raw samples fit their budget.
  mutating func evict() {
    while rawCount > rawBudget, fullChunksStart < fullChunks.count {
      let index = Int(fullChunks[fullChunksStart])
      fullChunksStart += 1
      rollUpOldestChunk(of: index)
    }
    if fullChunksStart > 4096, fullChunksStart > fullChunks.count / 2 {
      fullChunks.removeFirst(fullChunksStart)
      fullChunksStart = 0
    }
  }

  private mutating func rollUpOldestChunk(of index: Int) {
    let limits = rollupLimits
    guard let chunk = pages[index].raw.removeFirst() else { return }
    rawCount -= chunk.samples.count
    rolledUp += chunk.samples.count
    // A chunk that lies in one slot is merged whole, which is far cheaper and gives the same counts.
    if pages[index].rollup.hasOneSlot(from: chunk.firstTime, to: chunk.lastTime) {
      let digest = chunk.digest ?? chunk.computedDigest(bins: RawSamples.digestBins)
      pages[index].rollup.merge(digest, limits: limits)
    } else {
      for sample in chunk.samples { pages[index].rollup.record(sample, limits: limits) }
    }
    pages[index].version += 1
  }
}

extension SeriesData {
  /// Records a sample in the raw samples or the rollup, as `store` decides.
  ///
  /// - Returns: the number of chunks that became full, and of texts that are new.
  fileprivate mutating func record(
    time: Double, value: SeriesValue, mayAddText: Bool,
    store: (inout SeriesData, RawSample) -> Int
  ) -> (full: Int, newTexts: Int) {
    let known = texts.count
    let content: RawSample.Content
    switch value {
    case .number(let number) where number.isFinite: content = .number(number)
    case .bool(let claim): content = .bool(claim)
    case .text(let text): content = .text(texts.number(of: text, allowNew: mayAddText))
    case .number, .null: content = .null
    }
    if case .null = content { tally.record(.null, at: time) } else { tally.record(value, at: time) }
    version += 1
    return (store(&self, RawSample(time: time, content: content)), texts.count - known)
  }
}
