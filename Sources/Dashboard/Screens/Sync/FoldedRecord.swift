/// The record of a feed as far as it is folded.
struct FoldedRecord: Sendable {
  /// Which entries of a feed are folded.
  struct Extent: Hashable, Sendable {
    /// The generation of the feed's entries.
    var generation = 0
    /// How many of them, counted from the first that was ever read.
    var count = 0
  }

  private(set) var log = SyncLog()
  private(set) var extent = Extent()

  /// How many entries of a feed are still to be folded.
  func backlog(of entries: EngineEntries) -> Int {
    isOf(entries) ? max(0, entries.total - extent.count) : entries.total
  }

  /// Whether the record is not that of these entries.
  func isBehind(_ entries: EngineEntries) -> Bool { !isOf(entries) || entries.total > extent.count }

  /// Whether the entries go on from those that are folded; else older ones were found.
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
struct FoldedBacklog: Sendable {
  /// Where the folding began.
  let start: FoldedRecord.Extent
  let record: FoldedRecord

  init(of entries: EngineEntries, after record: FoldedRecord) {
    start = record.extent
    var record = record
    record.fold(entries)
    self.record = record
  }
}
