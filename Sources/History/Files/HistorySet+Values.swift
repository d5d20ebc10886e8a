import Aggregation
import JSONLines

/// All rows of a window by their values, or the ends of the order where there are too many.
struct ValueOrder {
  /// What it was made for.
  struct Key: Equatable {
    let focus: SeriesIdentity
    let narrowed: String?
    let window: Range<Double>
  }

  struct Entry {
    let value: Double
    let reference: RowReference
  }

  /// So many rows are ordered whole.
  static let limit = 1_000_000
  /// Beyond, so many of the least and of the largest.
  static let endLength = 1000

  let key: Key
  /// By rising value; equal ones in the order of their lines.
  let entries: [Entry]
  let isCut: Bool
}

extension HistorySet {
  func pageByValue(of focus: SeriesIdentity, _ query: HistoryQuery, descending: Bool) throws -> HistoryPage {
    let key = ValueOrder.Key(focus: focus, narrowed: query.narrowed, window: query.window)
    let order = try valueOrder.flatMap { $0.key == key ? $0 : nil } ?? makeOrder(key)
    valueOrder = order
    var page = HistoryPage()
    (page.total, page.isCut) = (order.entries.count, order.isCut)
    guard page.total > 0 else { return page }
    func entry(_ row: Int) -> ValueOrder.Entry { order.entries[descending ? page.total - 1 - row : row] }
    let wanted: Int
    switch query.page.anchor {
    case .row(let number): wanted = number
    case .playhead: wanted = 0
    case .sample(let place, let offset):
      let index = (0..<page.total).first {
        Int(entry($0).reference.file) == place.file && entry($0).reference.offset == place.offset
      }
      wanted = (index ?? 0) + max(-1 << 40, min(1 << 40, offset))
    }
    let anchor = max(0, min(page.total - 1, wanted))
    page.first = max(0, anchor - min(2000, max(0, query.page.before)))
    page.rows = try (page.first..<min(page.total, anchor + min(2000, max(1, query.page.after)))).map {
      try row(entry($0).reference, focus)
    }
    page.anchor = anchor - page.first
    return page
  }

  private func makeOrder(_ key: ValueOrder.Key) throws -> ValueOrder {
    var entries: [ValueOrder.Entry] = []
    var isCut = false
    let blocks = try files.enumerated().flatMap { index, file in
      try file.blocks(in: key.window).map { (index, $0) }
    }
    for (done, (index, number)) in blocks.enumerated() {
      let size = UInt64(files[index].blockSize)
      guard onProgress(UInt64(done) * size, UInt64(blocks.count) * size) else {
        throw IndexPass.Failure.cancelled
      }
      let block = try files[index].block(number)
      block.forEachValue(of: key.focus, in: key.window) { place, time, value in
        guard key.narrowed.map(value.isValue) ?? true else { return }
        let reference = RowReference(
          time: time, offset: block.batch.samples[place].offset, file: index, block: number, sample: place)
        entries.append(ValueOrder.Entry(value: value.order, reference: reference))
      }
      if entries.count > ValueOrder.limit || isCut && entries.count > 100 * ValueOrder.endLength {
        isCut = true
        Self.cut(&entries)
      }
    }
    if entries.count > ValueOrder.limit || isCut {
      isCut = true
      Self.cut(&entries)
    } else {
      entries.sort(by: Self.isBefore)
    }
    return ValueOrder(key: key, entries: entries, isCut: isCut)
  }

  private static func isBefore(_ a: ValueOrder.Entry, _ b: ValueOrder.Entry) -> Bool {
    a.value != b.value ? a.value < b.value : RowReference.isBefore(a.reference, b.reference)
  }

  /// Leaves the ends of the order.
  private static func cut(_ entries: inout [ValueOrder.Entry]) {
    entries.sort(by: isBefore)
    guard entries.count > 2 * ValueOrder.endLength else { return }
    entries.removeSubrange(ValueOrder.endLength..<entries.count - ValueOrder.endLength)
  }
}

extension SeriesValue {
  /// What the value counts as when rows are ordered by value: texts by nothing, so that they stand by time.
  fileprivate var order: Double {
    switch self {
    case .number(let value): value
    case .bool(let claim): claim ? 1 : 0
    case .text, .null: -.infinity
    }
  }
}
