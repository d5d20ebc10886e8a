// Support for more series than may have a row of their own.
extension SeriesStore {
  /// Number of metrics, and whether structs are among them.
  ///
  /// The fields of a metric count as one metric; series that share a row count individually, for their names are gone.
  package var metricCount: (metrics: Int, hasFields: Bool) {
    let own = ids.keys.filter { $0 != .overflow }
    return (Self.metrics(own) + sharedSeries, own.contains { $0.field != nil })
  }

  /// Number of metrics that these series belong to.
  package func metricCount(of series: some Sequence<SeriesID>) -> Int {
    Self.metrics(series.lazy.compactMap(identity))
  }

  private static func metrics(_ series: some Sequence<SeriesIdentity>) -> Int {
    Set(series.lazy.map { SeriesIdentity(bucket: $0.bucket, name: $0.name, typeName: $0.typeName) }).count
  }

  /// The series with the oldest last sample, if that is not newer than `time`.
  mutating func leastRecent(before time: Double, sparing spared: Int) -> Int? {
    while true {
      if shared.candidates.isEmpty { shared.candidates = oldest(1 + pages.count / 16, sparing: spared) }
      guard let next = shared.candidates.last else { return nil }
      // A candidate that has since received samples or been replaced is no longer the oldest.
      let data = pages[next.index]
      guard data.generation == next.generation, data.tally.lastTime == next.time else {
        shared.candidates.removeLast()
        continue
      }
      guard next.time <= time else { return nil }
      shared.candidates.removeLast()
      return next.index
    }
  }

  /// The least recent series, oldest last.
  private func oldest(_ count: Int, sparing spared: Int) -> [SharedSeries.Candidate] {
    let all = (0..<pages.count).filter { $0 != spared }.map { index in
      SharedSeries.Candidate(
        index: index, generation: pages[index].generation, time: pages[index].tally.lastTime)
    }
    let oldest = all.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    return Array(oldest.prefix(count).reversed())
  }

  /// Moves everything a series holds into the rollup of another.
  mutating func retire(_ index: Int, into other: Int) {
    let data = pages[index]
    shared.insert(data.identity)
    ids[data.identity] = nil
    rawCount -= data.raw.count
    rolledUp += data.raw.count
    textCount -= data.texts.count
    let numbers = renumber(data.texts, into: other)
    let renumbered = { (number: Int) in number < numbers.count ? numbers[number] : 0 }
    let limits = rollupLimits
    pages[other].tally.merge(data.tally)
    pages[other].version += 1
    pages[other].rollup.merge(data.rollup, limits: limits, renumbered: renumbered)
    for chunk in data.raw.chunks {
      for sample in chunk.samples {
        pages[other].rollup.record(renumber(sample, renumbered), limits: limits)
      }
    }
  }

  /// Creates a series in the place of a retired one.
  mutating func make(_ identity: SeriesIdentity, at index: Int) -> SeriesID {
    let id = SeriesID(index: index, generation: pages[index].generation &+ 1)
    pages[index] = SeriesData(identity: identity, generation: id.generation)
    ids[identity] = id
    seriesVersion += 1
    return id
  }
}

/// The series without a row of their own, and those that may lose theirs next.
struct SharedSeries: Sendable {
  struct Candidate: Sendable {
    let index: Int
    let generation: Int32
    let time: Double
  }

  /// Maximum number of series distinguished, by their hashes; any further one counts each time it occurs.
  private static let limit = 1 << 17

  /// The row they share; `nil` if there is none.
  var row: SeriesID?
  /// The least recent series at some moment, oldest last.
  var candidates: [Candidate] = []
  private var hashes: Set<Int> = []
  private var further = 0

  var count: Int { hashes.count + further }
  var isEmpty: Bool { count == 0 }

  mutating func insert(_ identity: SeriesIdentity) {
    if hashes.count < Self.limit {
      hashes.insert(identity.hashValue)
    } else if !hashes.contains(identity.hashValue) {
      further += 1
    }
  }

  mutating func remove(_ identity: SeriesIdentity) { hashes.remove(identity.hashValue) }

  mutating func merge(_ other: SharedSeries, butNot isOwn: (Int) -> Bool) {
    further += other.further
    for hash in other.hashes where !isOwn(hash) { hashes.insert(hash) }
  }
}
