import DashboardCore

/// Which entries of a feed are folded.
struct RecordExtent: Hashable, Sendable {
  /// The generation of the feed's entries.
  var generation = 0
  /// How many of them, counted from the first that was ever read.
  var count = 0
}

/// The record of a feed as far as it is folded.
struct FoldedRecord<Engine: FoldedEngine>: Sendable {
  private(set) var log = EngineLog<Engine>()
  private(set) var extent = RecordExtent()

  /// How many entries of a feed are still to be folded.
  func backlog(of entries: EngineEntries) -> Int {
    isOf(entries) ? max(0, entries.total - extent.count) : entries.total
  }

  /// True if the record is not that of these entries.
  func isBehind(_ entries: EngineEntries) -> Bool { !isOf(entries) || entries.total > extent.count }

  /// True if the entries go on from those that are folded; else older ones were found.
  private func isOf(_ entries: EngineEntries) -> Bool { entries.generation == extent.generation }

  /// Folds all entries that are not folded yet.
  mutating func fold(_ entries: EngineEntries) {
    if !isOf(entries) {
      self = FoldedRecord()
      extent.generation = entries.generation
    }
    log.append(entries.after(extent.count))
    extent.count = max(extent.count, entries.total)
  }
}

/// A backlog that was folded beside the loop.
struct FoldedBacklog<Engine: FoldedEngine>: Sendable {
  /// Where the folding began.
  let start: RecordExtent
  let record: FoldedRecord<Engine>

  init(of entries: EngineEntries, after record: FoldedRecord<Engine>) {
    start = record.extent
    var record = record
    record.fold(entries)
    self.record = record
  }
}
