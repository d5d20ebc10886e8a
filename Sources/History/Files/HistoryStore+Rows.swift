import Aggregation

// Tables whose rows must be examined individually: those sorted by value or filtered.
extension HistoryStore {
  func orderedPage(of focus: SeriesIdentity, _ query: HistoryQuery) throws -> HistoryPage {
    let key = RowAccumulator.Key(
      focus: focus, narrowed: query.narrowed, window: query.window, filter: query.filter,
      isByTime: query.page.order == .time)
    let order = try gathered(
      in: \.incrementalRows, RowAccumulator(key, files: namedFiles), in: query.window,
      onProgress: onProgress,
      isWanted: { $0.key == key })
    var page = HistoryPage()
    (page.total, page.isCut) = (order.entries.count, order.isCut)
    guard page.total > 0 else { return page }
    let isDescending = query.page.order == .value(descending: true)
    func entry(_ row: Int) -> RowAccumulator.Entry {
      order.entries[isDescending ? page.total - 1 - row : row]
    }
    let wanted = key.isByTime ? order.rowByTime(query) : order.rowByValue(query, isDescending: isDescending)
    let anchor = max(0, min(page.total - 1, wanted))
    page.first = max(0, anchor - min(Self.pageLimit, max(0, query.page.before)))
    let end = min(page.total, anchor + min(Self.pageLimit, max(1, query.page.after)))
    page.rows = try (page.first..<end).map { try row(entry($0).reference, focus) }
    page.anchor = anchor - page.first
    return page
  }
}

extension RowOrder {
  /// The row number of an anchor, for rows sorted by time.
  fileprivate func rowByTime(_ query: HistoryQuery) -> Int {
    switch query.page.anchor {
    case .row(let number): return number
    case .playhead: return firstRow { $0.time > query.playhead } - 1
    case .sample(let place, let offset):
      let row = firstRow { ($0.time, Int($0.file), $0.offset) >= (place.time, place.file, place.offset) }
      return row + HistoryPageQuery.bounded(offset)
    }
  }

  /// The first row from which a claim holds.
  private func firstRow(_ holds: (RowReference) -> Bool) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(entries[middle].reference) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The row number of an anchor, for rows sorted by value.
  fileprivate func rowByValue(_ query: HistoryQuery, isDescending: Bool) -> Int {
    switch query.page.anchor {
    case .row(let number): return number
    case .playhead: return 0
    case .sample(let place, let offset):
      let index = entries.firstIndex {
        Int($0.reference.file) == place.file && $0.reference.offset == place.offset
      }
      let row = index.map { isDescending ? entries.count - 1 - $0 : $0 }
      return (row ?? 0) + HistoryPageQuery.bounded(offset)
    }
  }
}

extension HistoryPageQuery {
  /// The offset, limited so that it can be added to any row number.
  package static func bounded(_ offset: Int) -> Int { max(-1 << 40, min(1 << 40, offset)) }
}
