package import Aggregation
import Essentials
import JSONLines
package import Platform

/// The history of files that belong together, from oldest to newest; answers queries about it.
///
/// Confined to one thread.
package final class HistoryStore {
  package private(set) var files: [HistoryFile] {
    didSet { hosts = Self.hosts(of: files) }
  }
  /// The hosts of the files, in the order of their first files.
  private(set) var hosts: [HistoryHost]
  /// The history of the last host that was asked for alone; separate, so that nothing derived from it is mixed up.
  private var part: (host: String, store: HistoryStore)?
  /// The last sorted rows, reused while scrolling.
  var incrementalRows: Incremental<RowAccumulator>?
  /// The last cubes, of all times and of a window.
  var incrementalCube: Incremental<CubeAccumulator>?
  var incrementalWindowCube: Incremental<CubeAccumulator>?
  /// Faults of files that are not read, as text; cleared by the code that reports them.
  var notes: [String] = []
  /// The payloads gathered so far.
  var incrementalPayloads: Incremental<PayloadAccumulator>?
  /// The last search for the JSON of a payload.
  var incrementalOriginal: Incremental<OriginalAccumulator>?
  /// Contents of all files; valid until one grows.
  private var whole: (state: [FileState], content: Content)?

  private struct Content {
    let sums: SeriesSums
    let range: ClosedRange<Timestamp>?
    let density: TimeDensity
  }

  /// The state of a file that its sums depend on.
  private struct FileState: Equatable {
    let size: UInt64
    let indexedEnd: UInt64
  }

  /// Reports bytes done and total of long work; the work ends early if it returns `false`.
  package typealias Progress = @Sendable (_ done: UInt64, _ total: UInt64) -> Bool

  /// Called from time to time while rows are sorted, on any thread.
  package var onProgress: Progress = { _, _ in true }
  /// The same while the numbers of a histogram or payloads are gathered.
  package var onGathering: Progress = { _, _ in true }
  /// Maximum number of cores for such work.
  let workers: Int

  package init(files: [HistoryFile], workers: Int = ProcessInfo.processInfo.activeProcessorCount) {
    self.files = files
    hosts = Self.hosts(of: files)
    self.workers = workers
  }

  /// Replaces the files and discards everything derived from the old ones.
  package func replace(_ files: [HistoryFile]) {
    self.files = files
    forget()
  }

  /// Discards everything derived from the files' content.
  package func forget() {
    (incrementalRows, incrementalCube, incrementalWindowCube, incrementalPayloads) = (nil, nil, nil, nil)
    (incrementalOriginal, part) = (nil, nil)
    forgetSums()
  }

  /// Discards everything derived from the indexes.
  package func forgetSums() {
    whole = nil
    part?.store.forgetSums()
  }

  /// The history of one host's files.
  func part(ofHost name: String, _ places: [Int]) -> HistoryStore {
    if let part, part.host == name { return part.store }
    let store = HistoryStore(files: places.map { files[$0] }, workers: workers)
    (store.onProgress, store.onGathering) = (onProgress, onGathering)
    part = (name, store)
    return store
  }

  /// Earliest and latest time of all samples; `nil` if there are none.
  ///
  /// - Throws: the system error.
  package func range() throws -> ClosedRange<Timestamp>? { try everything().range }

  private func everything() throws -> Content {
    let state = files.map { FileState(size: $0.size, indexedEnd: $0.indexedEnd) }
    if let whole, whole.state == state { return whole.content }
    let content = Content(
      sums: try sums(in: .allTime, .all), range: try findRange(),
      density: try findDensity())
    whole = (state, content)
    return content
  }

  /// The density of samples over time; those of a slot are spread between its first and its last one.
  private func findDensity() throws -> TimeDensity {
    var density = TimeDensity()
    for file in files {
      for segment in file.segments {
        guard
          let level = segment.levels.last(where: { $0.rows.count >= Self.stripSlots }) ?? segment.levels.first
        else { continue }
        try level.forEachRow(level.rows.indices) { _, row throws(IndexFault) in try density.spread(row) }
      }
      for number in file.looseBlocks {
        let block = try file.block(number)
        var roles = PayloadRoles()
        for sample in block.batch.samples {
          let time = sample.time.clamped
          // Each field of a struct counts, as it does in slots and stores.
          SampleValues.forEachOfSeries(
            of: sample, in: block.batch, roles.role(of: sample.metric, in: block.catalogue)
          ) { _, _ in density.record(time: time.seconds) }
        }
      }
    }
    return density
  }

  /// Number of slots sufficient for a strip across the screen.
  private static let stripSlots = 256

  private func findRange() throws -> ClosedRange<Timestamp>? {
    try files.compactMap { try $0.timeRange() }.reduce(nil) { all, range in
      min(
        all?.lowerBound ?? range.lowerBound, range.lowerBound)...max(
          all?.upperBound ?? range.upperBound, range.upperBound)
    }
  }

  /// Sums of series in a window.
  ///
  /// - Throws: `IndexFault` if an index is damaged, otherwise the system error.
  package func sums(in window: Range<Timestamp>, _ scope: SumScope) throws -> SeriesSums {
    var sums = SeriesSums()
    for file in files { sums.merge(try file.sums(in: window, scope)) }
    return sums
  }

  /// Answers a query.
  ///
  /// - Throws: `IndexFault` if an index is damaged, otherwise the system error.
  package func answer(_ query: HistoryQuery) throws -> HistoryAnswer {
    var answer =
      switch query.scope {
      case .all: try answerOfAll(query)
      case .host(let name): try self.answer(query, ofHost: name)
      }
    for file in files {
      answer.notes += file.notes
      file.notes = []
    }
    answer.notes += notes
    notes = []
    return answer
  }

  private func answerOfAll(_ query: HistoryQuery) throws -> HistoryAnswer {
    var answer = HistoryAnswer(query: query)
    answer.files = files.map(\.name)
    (answer.range, answer.density) = (try everything().range, try everything().density)
    answer.series = try series(in: query.window)
    if let focus = query.focus {
      answer.chart = try chart(of: focus, query)
      for pin in query.pins { answer.pins[pin] = try chart(of: pin, query.pinned(pin)) }
      answer.summary = try summary(of: focus, in: query.window, narrowed: query.narrowed)
      if let selection = query.selection {
        answer.selection = try summary(of: focus, in: selection, narrowed: query.narrowed)
      }
      answer.page = try page(of: focus, query)
      if query.wantsDetail, let anchor = answer.page.anchor, answer.page.rows.indices.contains(anchor) {
        answer.detail = try detail(of: focus, answer.page.rows[anchor], query)
      }
    }
    if let span = query.storeSpan { answer.store = try store(before: query.playhead, span: span) }
    if let histogram = query.histogram {
      answer.cube = try histogram.series.map {
        try cube(of: $0, isOfTexts: histogram.isOfTexts, in: histogram.window, host: histogram.host)
      }
      answer.payloads = histogram.wantsPayloads ? try payloads() : nil
      answer.original = try histogram.original.map { OriginalAnswer(query: $0, json: try original(of: $0)) }
    }
    if let hosts = query.hosts {
      answer.hosts = try compareHosts(
        hosts, query, pooled: query.focus == nil || query.narrowed != nil ? nil : answer.chart)
    }
    return answer
  }

  private func series(in window: Range<Timestamp>) throws -> [HistorySeries] {
    let everything = try everything()
    let (all, range) = (everything.sums, everything.range)
    let isWhole =
      range.map { window.lowerBound <= $0.lowerBound && window.upperBound > $0.upperBound } ?? true
    return HistorySeries.list(of: all, inside: isWhole ? all : try sums(in: window, .all))
  }

  /// The summary of one series in a window.
  ///
  /// - Throws: `IndexFault` if an index is damaged, otherwise the system error.
  package func summary(
    of focus: SeriesIdentity, in window: Range<Timestamp>, narrowed: String? = nil
  ) throws -> HistorySummary {
    HistorySummary(try sums(in: window, .one(focus))[focus], of: focus, narrowed: narrowed)
  }
}

extension HistorySummary {
  /// - Parameters:
  ///   - sum: the sum of the samples.
  ///   - narrowed: the text of the samples to count; `nil` for all.
  package init(_ sum: SeriesSums.Sum, of focus: SeriesIdentity, narrowed: String?) {
    self.init()
    count = sum.count(of: narrowed)
    let cell = sum.cell
    guard cell.count > 0 else { return }
    (firstTime, lastTime) = (cell.firstTime, cell.lastTime)
    (numbers, nulls) = (cell.numbers, cell.nulls)
    guard cell.numbers > 0 else { return }
    (minimum, maximum, mean) = (cell.minimum, cell.maximum, cell.mean)
    quantiles = cell.quantiles([50, 95, 99], of: focus)
  }
}

extension HistorySeries {
  /// All series in order.
  ///
  /// - Parameters:
  ///   - all: the sums of all times.
  ///   - inside: those of the window.
  package static func list(of all: SeriesSums, inside: SeriesSums) -> [HistorySeries] {
    all.series.map { identity, sum in
      let seen = inside.series[identity]
      return HistorySeries(
        identity: identity, count: seen?.cell.count ?? 0, total: sum.cell.count, values: seen?.values ?? [])
    }.sorted { $0.identity.isBefore($1.identity) }
  }
}

extension SeriesIdentity {
  /// By bucket (those without one last), name, type and field.
  fileprivate func isBefore(_ other: SeriesIdentity) -> Bool {
    if bucket != other.bucket {
      guard let bucket else { return false }
      return other.bucket.map { bucket < $0 } ?? true
    }
    return (name, typeName, field ?? "") < (other.name, other.typeName, other.field ?? "")
  }
}

extension TimeDensity {
  fileprivate mutating func spread(_ row: PackedRow) throws(IndexFault) {
    var (first, last, count) = (Timestamp.distantFuture, Timestamp.distantPast, 0)
    try row.forEach(withHistogram: false) { _, cell in
      first = min(first, cell.firstTime)
      last = max(last, cell.lastTime)
      count &+= cell.count
    }
    record(count: count, from: first.seconds, to: last.seconds)
  }
}
