/// The newest entries a feed has read from engines of one kind, oldest first.
///
/// The feed shares it with each snapshot and keeps appending: only the piece being filled is then copied.
package struct EngineEntries: Sendable {
  /// Minimum number of entries kept; the oldest are dropped in pieces.
  package static let limit = 40_000
  private static let pieceSize = 1024

  private var pieces: [[RawEngineEntry]] = []
  /// Number of entries ever read.
  package private(set) var total = 0
  /// Grows when entries older than all others are found, so that readers start over.
  package private(set) var generation = 0

  package init() {}

  package mutating func append(_ entry: RawEngineEntry) {
    if pieces.last.map({ $0.count >= Self.pieceSize }) ?? true {
      pieces.append([])
      if (pieces.count - 2) * Self.pieceSize >= Self.limit { pieces.removeFirst() }
    }
    pieces[pieces.count - 1].append(entry)
    total += 1
  }

  /// Adds entries recorded before all others: as many of the newest as there is room for.
  package mutating func prepend(_ older: [RawEngineEntry]) {
    let known = total - forgotten
    guard !older.isEmpty, forgotten == 0, known < Self.limit else { return }
    let all = older.suffix(Self.limit - known) + pieces.joined()
    generation += 1
    (pieces, total) = ([], 0)
    for entry in all { append(entry) }
  }

  /// Number of entries read and dropped since.
  package var forgotten: Int {
    total - (pieces.isEmpty ? 0 : (pieces.count - 1) * Self.pieceSize + (pieces.last?.count ?? 0))
  }

  /// The entries after the first `count` ever read, as far as they are still kept; at most `limit` of them.
  package func after(_ count: Int, limit: Int = .max) -> [RawEngineEntry] {
    var place = max(0, count - forgotten)
    let end = min(total - forgotten, place + min(max(0, limit), total))
    var entries: [RawEngineEntry] = []
    while place < end {
      let (piece, start) = place.quotientAndRemainder(dividingBy: Self.pieceSize)
      let found = pieces[piece][start..<min(pieces[piece].count, start + end - place)]
      entries += found
      place += found.count
    }
    return entries
  }
}

/// Engine records by kind, so that a chatty engine does not displace the records of the other.
package struct EngineRecords: Sendable {
  package var sync = EngineEntries()
  package var delivery = EngineEntries()

  package init() {}

  package subscript(_ kind: EngineKind) -> EngineEntries {
    get {
      switch kind {
      case .sync: sync
      case .delivery: delivery
      }
    }
    _modify {
      switch kind {
      case .sync: yield &sync
      case .delivery: yield &delivery
      }
    }
  }
}
