/// The entries of engines of one kind that a feed has read, the newest of them, oldest first.
///
/// The feed gives it away with each snapshot and goes on adding: only the piece that is being filled is copied then.
package struct EngineEntries: Sendable {
  /// Minimum number of entries kept; the oldest are dropped in pieces.
  package static let limit = 40_000
  private static let pieceSize = 1024

  private var pieces: [[RawEngineEntry]] = []
  /// How many were read ever.
  package private(set) var total = 0
  /// Grows when entries were found that lie before all others, so that readers start again.
  package private(set) var generation = 0

  package init() {}

  /// Adds an entry.
  package mutating func append(_ entry: RawEngineEntry) {
    if pieces.last.map({ $0.count >= Self.pieceSize }) ?? true {
      pieces.append([])
      if (pieces.count - 2) * Self.pieceSize >= Self.limit { pieces.removeFirst() }
    }
    pieces[pieces.count - 1].append(entry)
    total += 1
  }

  /// Adds what was recorded before all others, the newest part of it that there is room for.
  package mutating func prepend(_ older: [RawEngineEntry]) {
    let known = total - forgotten
    guard !older.isEmpty, forgotten == 0, known < Self.limit else { return }
    let all = older.suffix(Self.limit - known) + pieces.joined()
    generation += 1
    (pieces, total) = ([], 0)
    for entry in all { append(entry) }
  }

  /// How many of those that were read are no longer there.
  package var forgotten: Int {
    total - (pieces.isEmpty ? 0 : (pieces.count - 1) * Self.pieceSize + (pieces.last?.count ?? 0))
  }

  /// The entries after the first `count` ever read, as far as they are kept, at most `limit` of them.
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

/// Engine records, by kind: a talkative engine takes no room from the other.
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
