/// The time series of everything that was read, in bounded memory.
///
/// The newest samples are kept one by one under a budget over all series; what leaves it goes into rollups, whose
/// steps grow with the time they cover. The store is a value: a copy is an immutable snapshot that shares nearly
/// all memory with the store that goes on changing.
///
///     var store = SeriesStore()
///     let id = store.series(for: SeriesIdentity(bucket: "sync", name: "push_ms", typeName: "Double"))
///     store.record(id, time: 816_918_481.1, value: .number(428.5))
///     let now = store.summary(of: id, from: 816_918_400, to: 816_918_520, percentiles: [50, 95])
package struct SeriesStore: Sendable {
  /// How much the store may hold.
  package struct Limits: Sendable {
    /// Raw samples over all series, 16 bytes each.
    package var rawSamples: Int
    /// Series with a row of their own; the least recent of all others share one.
    package var series: Int
    /// Distinct texts over all series.
    package var texts: Int

    package init(rawSamples: Int = 600_000, series: Int = 20_000, texts: Int = 40_000) {
      self.rawSamples = max(0, rawSamples)
      self.series = max(1, series)
      self.texts = texts
    }
  }

  package let limits: Limits
  /// How many samples were recorded, ever.
  package internal(set) var recorded = 0
  /// How many series have no row of their own and share the last one.
  package var sharedSeries: Int { shared.count }
  /// Grows whenever a series gets or loses its row.
  package internal(set) var seriesVersion = 0
  /// How many samples went from single samples into rollups.
  package internal(set) var rolledUp = 0
  /// All samples by time.
  package internal(set) var density = TimeDensity()
  var pages = SeriesPages()
  var rawCount = 0
  var textCount = 0
  /// The series of each full chunk, in the order of filling; the first loses its oldest chunk next.
  var fullChunks: [Int32] = []
  /// The entries of `fullChunks` before this one are done with.
  var fullChunksStart = 0
  var ids: [SeriesIdentity: SeriesID] = [:]
  var shared = SharedSeries()

  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// How many series there are.
  package var count: Int { pages.count }
  /// All series, while there is room in the order of their first appearance.
  package var allSeries: [SeriesID] {
    (0..<pages.count).map { SeriesID(index: $0, generation: pages[$0].generation) }
  }

  /// The series of this identity; made if need be, in the place of the least recent one if there are too many.
  ///
  /// The content of the replaced one goes to the row that all such series share, and its number is good no longer
  /// (see `isKnown`).
  ///
  /// - Parameter time: The time of the sample to come, in seconds since 2001; a series that is older than all others
  ///   shares the last row at once.
  package mutating func series(for identity: SeriesIdentity, at time: Double = .infinity) -> SeriesID {
    if let known = ids[identity] { return known }
    guard pages.count >= limits.series else { return make(identity) }
    let others = shared.row ?? ids[.overflow] ?? make(.overflow)
    shared.row = others
    if identity == .overflow { return others }
    guard let index = leastRecent(before: time, sparing: others.index) else {
      shared.insert(identity)
      return others
    }
    retire(index, into: others.index)
    shared.remove(identity)
    return make(identity, at: index)
  }

  private mutating func make(_ identity: SeriesIdentity) -> SeriesID {
    let id = SeriesID(index: pages.count, generation: 0)
    pages.append(SeriesData(identity: identity))
    ids[identity] = id
    seriesVersion += 1
    return id
  }

  /// True if a number may be kept for the next sample: its series still has a row, and one of its own.
  package func isKnown(_ id: SeriesID) -> Bool {
    shared.row == nil || pages.contains(id) && id != shared.row
  }

  /// The series of this identity, `nil` if nothing asked for it yet.
  package func id(of identity: SeriesIdentity) -> SeriesID? { ids[identity] }

  /// The identity of a series; `nil` for a number of another store.
  package func identity(of id: SeriesID) -> SeriesIdentity? {
    pages.contains(id) ? pages[id.index].identity : nil
  }

  /// The tally of a series so far.
  package func tally(of id: SeriesID) -> SeriesTally {
    pages.contains(id) ? pages[id.index].tally : SeriesTally()
  }

  /// A number that grows with every change of the series.
  package func version(of id: SeriesID) -> Int {
    pages.contains(id) ? pages[id.index].version : 0
  }

  /// Slots and bins that one rollup may use, fewer the more series there are.
  var rollupLimits: Rollup.Limits {
    let slots = max(4, min(64, 8192 / max(1, pages.count)))
    return Rollup.Limits(slots: slots, bins: slots > 8 ? 48 : slots > 4 ? 12 : 4)
  }

  /// Single samples that are kept at most: with many series their rollups and names take a part of the memory.
  var rawBudget: Int {
    let share = min(1, Double(pages.count) / 20_000)
    return Int(Double(limits.rawSamples) * (1 - 0.75 * share))
  }

  /// Samples in a full chunk; fewer if there are many series, whose open chunks alone would fill the budget.
  var chunkCapacity: Int { max(16, min(256, limits.rawSamples / max(1, 4 * pages.count))) }
}
