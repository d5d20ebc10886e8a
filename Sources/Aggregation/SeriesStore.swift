/// The time series of all input, in bounded memory.
///
/// The newest samples are kept individually within a budget across all series; samples that exceed it go into rollups,
/// whose steps grow with the time they cover. The store is a value: a copy is an immutable snapshot that shares nearly
/// all memory with the store that keeps changing.
///
///     var store = SeriesStore()
///     let id = store.series(for: SeriesIdentity(bucket: "sync", name: "push_ms", typeName: "Double"))
///     store.record(id, time: 816_918_481.1, value: .number(428.5))
///     let now = store.summary(of: id, from: 816_918_400, to: 816_918_520, percentiles: [50, 95])
package struct SeriesStore: Sendable {
  /// Size limits of the store.
  package struct Limits: Sendable {
    /// Raw samples across all series, 16 bytes each.
    package var rawSamples: Int
    /// Series with a row of their own; beyond that, the least recent ones share a row.
    package var series: Int
    /// Distinct texts across all series.
    package var texts: Int

    package init(rawSamples: Int = 600_000, series: Int = 20_000, texts: Int = 40_000) {
      self.rawSamples = max(0, rawSamples)
      self.series = max(1, series)
      self.texts = texts
    }
  }

  package let limits: Limits
  /// Number of samples ever recorded.
  package internal(set) var recorded = 0
  /// Number of series without a row of their own, which share the last row.
  package var sharedSeries: Int { shared.count }
  /// Increases whenever a series gains or loses its row.
  package internal(set) var seriesVersion = 0
  /// Number of samples that are in rollups and no longer kept individually.
  package internal(set) var rolledUp = 0
  /// Counts of all samples over time.
  package internal(set) var density = TimeDensity()
  var pages = SeriesPages()
  var rawCount = 0
  var textCount = 0
  /// The series of each full chunk, in the order they filled up; the first loses its oldest chunk next.
  var fullChunks: [Int32] = []
  /// Index of the first entry of `fullChunks` that is not processed yet.
  var fullChunksStart = 0
  var ids: [SeriesIdentity: SeriesID] = [:]
  var shared = SharedSeries()
  /// Seconds added to all times of a series when they are read, for clocks that differ from the reader's.
  ///
  /// Windows are in the shifted times; the samples keep their own.
  package var shifts: [SeriesID: Double] = [:]

  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Number of series.
  package var count: Int { pages.count }
  /// All series, in order of first appearance while there is room.
  package var allSeries: [SeriesID] {
    (0..<pages.count).map { SeriesID(index: $0, generation: pages[$0].generation) }
  }

  /// The series with this identity, created if necessary; if there are too many, it replaces the least recent one.
  ///
  /// The content of the replaced series goes to the row that all such series share, and its ID becomes invalid (see `isKnown`).
  ///
  /// - Parameter time: time of the next sample, in seconds since 2001; a series older than all others goes straight to
  ///   the shared row.
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

  /// True if an ID may be kept for the next sample: its series still has a row of its own.
  package func isKnown(_ id: SeriesID) -> Bool {
    shared.row == nil || pages.contains(id) && id != shared.row
  }

  /// The series with this identity; `nil` if it has no row.
  package func id(of identity: SeriesIdentity) -> SeriesID? { ids[identity] }

  /// The identity of a series; `nil` for an unknown ID.
  package func identity(of id: SeriesID) -> SeriesIdentity? {
    pages.contains(id) ? pages[id.index].identity : nil
  }

  /// Counts of the samples of a series so far.
  package func tally(of id: SeriesID) -> SeriesTally {
    pages.contains(id) ? pages[id.index].tally.shifted(by: shift(of: id)) : SeriesTally()
  }

  /// Differs after every change of the series.
  package func version(of id: SeriesID) -> Int {
    guard pages.contains(id) else { return 0 }
    let shift = shift(of: id)
    return pages[id.index].version &+ (shift == 0 ? 0 : Int(truncatingIfNeeded: shift.bitPattern >> 8))
  }

  /// Seconds added to the times of a series.
  package func shift(of id: SeriesID) -> Double { shifts.isEmpty ? 0 : shifts[id] ?? 0 }

  /// Limits of one rollup, tighter the more series there are.
  var rollupLimits: Rollup.Limits {
    let slots = max(4, min(64, 8192 / max(1, pages.count)))
    return Rollup.Limits(slots: slots, bins: slots > 8 ? 48 : slots > 4 ? 12 : 4)
  }

  /// Maximum number of samples kept individually; with many series, rollups and names take part of the memory.
  var rawBudget: Int {
    let share = min(1, Double(pages.count) / 20_000)
    return Int(Double(limits.rawSamples) * (1 - 0.75 * share))
  }

  /// Samples in a full chunk; fewer with many series, whose open chunks alone would fill the budget.
  var chunkCapacity: Int { max(16, min(256, limits.rawSamples / max(1, 4 * pages.count))) }
}
