// What happens when there are more series than may have a row of their own.
extension SeriesStore {
  /// How many metrics there are, and whether structs are among them.
  ///
  /// The fields of a metric are one metric; of those that share a row every series counts, for their names are gone.
  package var metricCount: (metrics: Int, hasFields: Bool) {
    let own = ids.count - (ids[.overflow] == nil ? 0 : 1)
    return (own - fields.rows + fields.metrics + sharedSeries, fields.rows > 0)
  }

  /// How many metrics these series are of.
  package func metricCount(of series: some Sequence<SeriesID>) -> Int {
    let rows = series.compactMap(identity)
    let structs = Set(rows.lazy.filter { $0.field != nil }.map(\.metric))
    return structs.count + rows.count { $0.field == nil && (structs.isEmpty || !structs.contains($0)) }
  }

  mutating func note(_ identity: SeriesIdentity, as id: SeriesID) {
    fields.insert(identity) { ids[$0] != nil }
    ids[identity] = id
  }

  /// The series whose last sample is the oldest, if it is not newer than `time`.
  mutating func leastRecent(before time: Double, sparing spared: Int) -> Int? {
    while true {
      if shared.candidates.isEmpty { shared.candidates = oldest(1 + pages.count / 16, sparing: spared) }
      guard let next = shared.candidates.last else { return nil }
      // One that has got samples or another series meanwhile is not the oldest any more.
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

  /// The least recent series, the oldest last.
  private func oldest(_ count: Int, sparing spared: Int) -> [SharedSeries.Candidate] {
    let all = (0..<pages.count).filter { $0 != spared }.map { index in
      SharedSeries.Candidate(
        index: index, generation: pages[index].generation, time: pages[index].tally.lastTime)
    }
    let oldest = all.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    return Array(oldest.prefix(count).reversed())
  }

  /// Puts all that a series holds into the rollup of another.
  mutating func retire(_ index: Int, into other: Int) {
    let data = pages[index]
    shared.insert(data.identity)
    ids[data.identity] = nil
    fields.remove(data.identity) { ids[$0] != nil }
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

  /// Gives the place of a series that was retired to another.
  mutating func make(_ identity: SeriesIdentity, at index: Int) -> SeriesID {
    let id = SeriesID(index: index, generation: pages[index].generation &+ 1)
    pages[index] = SeriesData(identity: identity, generation: id.generation)
    note(identity, as: id)
    seriesVersion += 1
    return id
  }
}

/// The rows of fields, counted as they come and go: who asks for the number of metrics asks with every frame.
struct FieldRows: Sendable {
  private var counts: [SeriesIdentity: Int] = [:]
  /// Metrics with a row of their own beside those of their fields.
  private var withOwnRow = 0
  /// How many rows there are.
  private(set) var rows = 0
  /// How many metrics they are of, without those that have a row of their own too.
  var metrics: Int { counts.count - withOwnRow }

  /// Counts a row that is new; `hasRow` tells of those that were there before.
  mutating func insert(_ identity: SeriesIdentity, hasRow: (SeriesIdentity) -> Bool) {
    guard identity.field != nil else {
      if counts[identity] != nil { withOwnRow += 1 }
      return
    }
    rows += 1
    let metric = identity.metric
    if counts[metric] == nil, hasRow(metric) { withOwnRow += 1 }
    counts[metric, default: 0] += 1
  }

  /// Counts a row no longer; `hasRow` tells of those that stay.
  mutating func remove(_ identity: SeriesIdentity, hasRow: (SeriesIdentity) -> Bool) {
    guard identity.field != nil else {
      if counts[identity] != nil { withOwnRow -= 1 }
      return
    }
    let metric = identity.metric
    guard let count = counts[metric] else { return }
    rows -= 1
    counts[metric] = count > 1 ? count - 1 : nil
    if count == 1, hasRow(metric) { withOwnRow -= 1 }
  }
}

/// The series that have no row of their own, and those that may lose theirs next.
struct SharedSeries: Sendable {
  struct Candidate: Sendable {
    let index: Int
    let generation: Int32
    let time: Double
  }

  /// So many are told apart, by their hashes; any further count each time they are met.
  private static let limit = 1 << 17

  /// The row that they share, `nil` while there is none.
  var row: SeriesID?
  /// The least recent series at some moment, the oldest last.
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
