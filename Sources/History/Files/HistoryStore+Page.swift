package import Aggregation
package import JSONLines
import Platform

/// A sample found for the table, before it becomes a row.
struct RowReference {
  let time: Timestamp
  let offset: UInt64
  let file: Int32
  let block: Int32
  /// Index among the block's samples.
  let sample: Int32

  init(time: Timestamp, offset: UInt64, file: Int, block: Int, sample: Int) {
    (self.time, self.offset) = (time, offset)
    self.file = Int32(truncatingIfNeeded: file)
    self.block = Int32(truncatingIfNeeded: block)
    self.sample = Int32(truncatingIfNeeded: sample)
  }

  static func isBefore(_ a: RowReference, _ b: RowReference) -> Bool {
    (a.time, a.file, a.offset) < (b.time, b.file, b.offset)
  }
}

// The table of samples: any part of it without the rest.
extension HistoryStore {
  /// Maximum number of rows on a page before its anchor, and from the anchor on.
  package static let pageLimit = 2000

  func page(of focus: SeriesIdentity, _ query: HistoryQuery) throws -> HistoryPage {
    guard query.page.before + query.page.after > 0, !query.window.isEmpty else { return HistoryPage() }
    let isWhole = query.page.order == .time && query.filter == nil
    return isWhole ? try pageByTime(of: focus, query) : try orderedPage(of: focus, query)
  }

  private func pageByTime(of focus: SeriesIdentity, _ query: HistoryQuery) throws -> HistoryPage {
    let rows = TimeRows(history: self, focus: focus, narrowed: query.narrowed, window: query.window)
    var page = HistoryPage()
    page.total = try rows.count(before: query.window.upperBound)
    guard page.total > 0 else { return page }
    let anchor = max(0, min(page.total - 1, try rows.row(of: query.page.anchor, playhead: query.playhead)))
    let (before, after) = (
      min(Self.pageLimit, max(0, query.page.before)), min(Self.pageLimit, max(1, query.page.after))
    )
    page.first = max(0, anchor - before)
    let references = try rows.references(page.first..<min(page.total, anchor + after))
    page.rows = try references.map { try row($0, focus) }
    page.anchor = references.isEmpty ? nil : min(references.count - 1, anchor - page.first)
    return page
  }

  /// A sample as a table row.
  func row(_ reference: RowReference, _ focus: SeriesIdentity) throws -> HistoryRow {
    let file = files[Int(reference.file)]
    let block = try file.block(Int(reference.block))
    // A block that has changed in the meantime holds other samples.
    guard block.batch.samples.indices.contains(Int(reference.sample)) else { throw IndexFault.otherFile }
    let sample = block.batch.samples[Int(reference.sample)]
    let line = try file.linesBefore(Int(reference.block)) + Int(block.lines[Int(reference.sample)])
    let place = SamplePlace(file: Int(reference.file), offset: sample.offset, time: sample.time.clamped)
    return HistoryRow(sample, of: block.batch, focus, at: place, line: line)
  }
}

extension HistoryRow {
  /// The row of a sample.
  package init(
    _ sample: Sample, of batch: SampleBatch, _ focus: SeriesIdentity, at place: SamplePlace, line: Int
  ) {
    var value = SeriesValue.null
    var fields: [HistoryField] = []
    SampleValues.forEach(of: sample, in: batch) { field, found in
      if field == focus.field {
        value = found
      } else if let field, fields.count < 16 {
        fields.append(HistoryField(name: field, value: found))
      }
    }
    self.init(place: place, line: line, value: value, fields: fields)
  }
}

/// The rows of a window by time, found by counting whole slots and reading only the blocks of one slot.
struct TimeRows {
  let history: HistoryStore
  let focus: SeriesIdentity
  let narrowed: String?
  let window: Range<Timestamp>

  /// The shortest slot length available in all indexes.
  private var exponent: Int {
    history.files.flatMap(\.segments).compactMap { $0.levels.first?.exponent }.max()
      ?? SlotTime.exponents.upperBound
  }

  /// Number of rows before a moment.
  func count(before moment: Timestamp) throws -> Int {
    guard moment > window.lowerBound else { return 0 }
    let part = window.lowerBound..<min(moment, window.upperBound)
    return try history.sums(in: part, .one(focus))[focus].count(of: narrowed)
  }

  /// The row number of an anchor.
  func row(of anchor: HistoryPageQuery.Anchor, playhead: Timestamp) throws -> Int {
    switch anchor {
    case .row(let number): return number
    case .playhead: return try row(at: playhead)
    case .sample(let place, let offset):
      let slot = slot(of: place.time)
      let list = try references(in: slot)
      let index = list.firstIndex {
        ($0.time, Int($0.file), $0.offset) >= (place.time, place.file, place.offset)
      }
      return try count(before: slot.lowerBound) + (index ?? list.count)
        + HistoryPageQuery.bounded(offset)
    }
  }

  private func row(at moment: Timestamp) throws -> Int {
    let moment = moment.clamped
    let slot = slot(of: moment)
    let list = try references(in: slot)
    return try count(before: slot.lowerBound) + list.prefix { $0.time <= moment }.count - 1
  }

  /// The rows with these numbers, which must exist.
  func references(_ rows: Range<Int>) throws -> [RowReference] {
    var found: [RowReference] = []
    var next = rows.lowerBound
    while next < rows.upperBound {
      let (slot, before) = try slot(ofRow: next)
      let list = try references(in: slot)
      guard next - before < list.count else { break }
      let part = list[(next - before)..<min(list.count, rows.upperBound - before)]
      found += part
      next += part.count
    }
    return found
  }

  /// The part of the window that the slot of a time covers.
  private func slot(of time: Timestamp) -> Range<Timestamp> {
    slot(SlotTime.key(of: time, exponent: exponent))
  }

  private func slot(_ key: Int64) -> Range<Timestamp> {
    let start = max(window.lowerBound, min(window.upperBound, SlotTime.start(of: key, exponent: exponent)))
    let end = max(start, min(window.upperBound, SlotTime.start(of: key + 1, exponent: exponent)))
    return start..<end
  }

  /// The slot of a row and the number of rows before it, by bisection over the slot edges.
  private func slot(ofRow row: Int) throws -> (slot: Range<Timestamp>, before: Int) {
    let exponent = exponent
    var low = SlotTime.key(of: window.lowerBound, exponent: exponent)
    var high = SlotTime.key(of: window.upperBound, exponent: exponent)
    var before = 0
    while low < high {
      // Rounded up: `low` is always a slot with no more than `row` rows before it.
      let middle = low + (high - low + 1) / 2
      let count = try count(before: SlotTime.start(of: middle, exponent: exponent))
      if count <= row { (low, before) = (middle, count) } else { high = middle - 1 }
    }
    return (slot(low), before)
  }

  /// The samples in a part of the window, in order.
  private func references(in slot: Range<Timestamp>) throws -> [RowReference] {
    guard !slot.isEmpty else { return [] }
    var found: [RowReference] = []
    for (index, file) in history.files.enumerated() {
      for number in try file.blocks(in: slot) {
        let block = try file.block(number)
        block.forEachValue(of: focus, in: slot) { place, time, value in
          guard narrowed.map(value.isValue) ?? true else { return }
          found.append(
            RowReference(
              time: time, offset: block.batch.samples[place].offset, file: index, block: number, sample: place
            ))
        }
      }
    }
    let isSorted = zip(found, found.dropFirst()).allSatisfy { !RowReference.isBefore($1, $0) }
    return isSorted ? found : found.sorted(by: RowReference.isBefore)
  }
}

extension SeriesValue {
  /// True if it is the text or bool that values are narrowed to.
  func isValue(_ wanted: String) -> Bool {
    label.map { TextTable.cut($0) == TextTable.cut(wanted) } ?? false
  }
}
