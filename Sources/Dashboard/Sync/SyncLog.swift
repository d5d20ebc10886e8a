import Sync

/// The record of a sync engine as far as it is kept, and what it came to at any moment of it.
///
/// Entries come in the order of the file. Each future of a simulation is folded by itself, because its entries begin
/// again at the moment at which it branched off.
package struct SyncLog: Sendable {
  /// So many entries are kept; the oldest go first.
  package static let limit = 20_000
  /// A picture is kept every so many entries, from which the past is folded.
  private static let stride = 500

  private struct Future: Sendable {
    var entries: [(time: Double, record: SyncRecord)] = []
    /// The picture before the entry of the same place times ``SyncLog/stride``.
    var checkpoints: [SyncPicture] = []
    var latest = SyncPicture()

    mutating func append(_ record: SyncRecord, at time: Double) {
      if entries.count.isMultiple(of: SyncLog.stride) { checkpoints.append(latest) }
      entries.append((time, record))
      latest.take(record, at: time)
    }

    /// Forgets the older half.
    mutating func shrink() {
      let pieces = checkpoints.count / 2
      guard pieces > 0 else { return }
      checkpoints.removeFirst(pieces)
      entries.removeFirst(min(entries.count, pieces * SyncLog.stride))
    }

    /// The picture of what was recorded up to a moment.
    func picture(at moment: Double) -> SyncPicture {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].time <= moment { low = middle + 1 } else { high = middle }
      }
      guard low < entries.count else { return latest }
      let piece = min(low / SyncLog.stride, max(0, checkpoints.count - 1))
      guard checkpoints.indices.contains(piece) else { return SyncPicture() }
      var picture = checkpoints[piece]
      for entry in entries[(piece * SyncLog.stride)..<low] { picture.take(entry.record, at: entry.time) }
      return picture
    }
  }

  private var futures: [Int: Future] = [:]
  private var lastBranch = 0
  /// Entries whose value is not what their metric promises.
  package private(set) var unreadable = 0

  package init() {}

  /// Whether there is no record of a sync engine.
  package var isEmpty: Bool { futures.isEmpty }

  /// The futures that were played, the trunk first.
  package var branches: [Int] { futures.keys.sorted() }

  /// Takes entries in.
  package mutating func append(_ new: some Sequence<RawSyncEntry>) {
    for raw in new {
      guard let record = raw.record else {
        unreadable += 1
        continue
      }
      // What does not say belongs to the future that was written last.
      let branch = record.branch ?? lastBranch
      lastBranch = branch
      guard futures[branch] != nil || futures.count < 64 else { continue }
      futures[branch, default: Future()].append(record, at: raw.time)
      if let count = futures[branch]?.entries.count, count > Self.limit { futures[branch]?.shrink() }
    }
  }

  /// What was known at a moment, or is now.
  ///
  /// - Parameters:
  ///   - branch: The future.
  ///   - moment: In seconds since 2001; `nil` for the end of the record.
  package func picture(of branch: Int = 0, at moment: Double? = nil) -> SyncPicture {
    guard let future = futures[branch] else { return SyncPicture() }
    return moment.map(future.picture) ?? future.latest
  }
}
