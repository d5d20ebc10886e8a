extension SeriesStore {
  /// Maximum number of samples in a window with exact percentiles; above that, the digests of chunks are used.
  package static let exactLimit = 4096

  /// The summary of a series in [from, to], both ends included.
  ///
  /// - Parameters:
  ///   - from: seconds since 2001.
  ///   - to: seconds since 2001.
  ///   - percentiles: 0 to 100, ascending.
  ///   - exactLimit: maximum number of samples read individually.
  package func summary(
    of id: SeriesID, from: Double, to: Double, percentiles: [Double] = [], exactLimit: Int = exactLimit
  ) -> SeriesSummary {
    guard pages.contains(id), to >= from else { return SeriesSummary() }
    let shift = shift(of: id)
    let (from, to) = (from - shift, to - shift)
    let data = pages[id.index]
    let chunks = data.raw.chunks(from: from, to: to)
    let raw = chunks.reduce(0) { $0 + $1.samples.count }
    let isExact = raw <= exactLimit && !percentiles.isEmpty
    var gatherer = WindowGatherer(from: from, to: to, isExact: isExact, expected: raw)
    for chunk in chunks { gatherer.add(chunk) }
    let single = gatherer.digest.count
    for slot in data.rollup.slots(from: from, to: to) { gatherer.add(slot) }
    var summary = SeriesSummary(gatherer.digest, texts: data.texts)
    let quantiles = gatherer.quantiles(percentiles)
    summary.quantiles = data.isWhole ? quantiles.map(\.whole) : quantiles
    summary.isExact = single == summary.count && gatherer.values.count == summary.moments.count
    if to > from { summary.rate = Double(summary.count) / (to - from) }
    if shift != 0 {
      (summary.firstTime, summary.lastTime) = (
        summary.firstTime.map { $0 + shift }, summary.lastTime.map { $0 + shift }
      )
    }
    return summary
  }

  /// The samples of [from, to], newest first; only those still kept individually.
  package func samples(of id: SeriesID, from: Double, to: Double, limit: Int) -> [TimedValue] {
    guard pages.contains(id), to >= from, limit > 0 else { return [] }
    let shift = shift(of: id)
    let (from, to) = (from - shift, to - shift)
    let data = pages[id.index]
    var found: [TimedValue] = []
    for chunk in data.raw.chunks(from: from, to: to).reversed() {
      for sample in chunk.samples(from: from, to: to).reversed() {
        found.append(TimedValue(time: sample.time + shift, value: data.value(of: sample)))
        if found.count == limit { return found }
      }
    }
    return found
  }

  /// The usual time between two samples in seconds: nine of ten recent intervals were no longer.
  ///
  /// - Returns: `nil` if there are too few samples.
  package func typicalInterval(of id: SeriesID) -> Double? {
    guard pages.contains(id) else { return nil }
    var times: [Double] = []
    for chunk in pages[id.index].raw.chunks.reversed() {
      times += chunk.samples.suffix(33 - times.count).reversed().map(\.time)
      if times.count >= 33 { break }
    }
    guard times.count >= 9 else { return nil }
    var intervals = zip(times, times.dropFirst()).map { $0 - $1 }
    return Selection.nearestRanks([90], of: &intervals).first
  }
}

/// One sample with its value.
package struct TimedValue: Sendable, Equatable {
  /// Seconds since 2001.
  package let time: Double
  package let value: SeriesValue
}

extension SeriesData {
  func value(of sample: RawSample) -> SeriesValue {
    switch sample.content {
    case .number(let value): return .number(value)
    case .bool(let value): return .bool(value)
    case .text(let number): return .text(texts[number])
    case .null: return .null
    }
  }
}

extension Rollup {
  /// The slots whose samples may lie in [from, to].
  func slots(from: Double, to: Double) -> ArraySlice<Slot> {
    let start = RawSamples.firstIndex(0..<slots.count) { slots[$0].digest.lastTime >= from }
    let end = RawSamples.firstIndex(start..<slots.count) { slots[$0].digest.firstTime > to }
    return slots[start..<end]
  }
}

extension SeriesSummary {
  init(_ digest: Digest, texts table: TextTable) {
    count = digest.count
    moments = digest.moments
    last = digest.lastNumber
    firstTime = count > 0 ? digest.firstTime : nil
    lastTime = count > 0 ? digest.lastTime : nil
    nulls = digest.nulls
    trues = digest.trues
    falses = digest.falses
    let all = digest.texts.reduce(0) { $0 + $1.count }
    texts = digest.texts.sorted { ($1.count, $0.number) < ($0.count, $1.number) }.map {
      TextShare(text: table[$0.number], count: $0.count, share: Double($0.count) / Double(all))
    }
  }
}
