import DashboardCore

/// The extent of the folded entries of a feed.
struct RecordExtent: Hashable, Sendable {
  /// The generation of the feed's entries.
  var generation = 0
  /// Number of folded entries, counted from the first one ever read.
  var count = 0
}

/// The folded part of a feed's record.
struct FoldedRecord<Engine: FoldedEngine>: Sendable {
  private(set) var log = EngineLog<Engine>()
  private(set) var extent = RecordExtent()

  /// Number of entries in a feed that are not folded yet.
  func backlog(of entries: EngineEntries) -> Int {
    isOf(entries) ? max(0, entries.total - extent.count) : entries.total
  }

  /// True if the record does not cover all of these entries.
  func isBehind(_ entries: EngineEntries) -> Bool { !isOf(entries) || entries.total > extent.count }

  /// True if the entries continue the folded ones; otherwise older entries were found.
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

/// A backlog folded off the loop.
struct FoldedBacklog<Engine: FoldedEngine>: Sendable {
  /// Start of the folding.
  let start: RecordExtent
  let record: FoldedRecord<Engine>

  init(of entries: EngineEntries, after record: FoldedRecord<Engine>) {
    start = record.extent
    var record = record
    record.fold(entries)
    self.record = record
  }
}
