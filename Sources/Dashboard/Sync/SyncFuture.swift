import Sync

/// One future of a simulation, or the only one that an app has: its entries, and what they came to at any moment.
struct SyncFuture: Sendable {
  /// Where a future left the one that it came from.
  struct Origin: Hashable, Sendable {
    let parent: Int
    /// The last step that both have.
    let step: Int
    /// When that was, in seconds since 2001.
    let time: Double
    /// How many entries of the parent both have.
    let place: Int
  }

  struct Entry: Sendable {
    /// In seconds since 2001.
    let time: Double
    let record: SyncRecord
  }

  /// Some entries in a row, and the picture before them, from which the past is folded.
  private struct Piece: Sendable {
    let before: SyncPicture
    var entries: [Entry] = []
    /// The earliest time of its entries.
    var earliest = Double.infinity
  }

  /// So many entries are in one piece.
  static let stride = 1000

  /// `nil` for the trunk.
  let origin: Origin?
  /// Nothing of it is from before this moment, whatever an entry claims.
  let start: Double
  /// What it does otherwise than the future that it came from.
  private(set) var change: SyncChange?
  /// The picture at the end of the record.
  private(set) var latest: SyncPicture
  /// How many entries it ever had.
  private(set) var count = 0
  /// How many of them are no longer kept.
  private(set) var shed = 0
  private var pieces: [Piece] = []
  /// After which entry each step was over; a simulation's last entry of each step is about the simulation itself.
  private var steps: [(step: Int, place: Int)] = []

  /// A future that begins with a picture.
  init(from picture: SyncPicture, origin: Origin? = nil, at start: Double) {
    self.origin = origin
    self.start = start
    latest = picture
    change = origin.map { SyncChange(after: $0.step, at: start, configuration: picture.configuration) }
  }

  /// How many entries are kept.
  var kept: Int { count - shed }

  mutating func append(_ record: SyncRecord, at time: Double) {
    if pieces.last.map({ $0.entries.count >= Self.stride }) ?? true { pieces.append(Piece(before: latest)) }
    let time = max(time, start)
    let last = pieces.count - 1
    pieces[last].entries.append(Entry(time: time, record: record))
    pieces[last].earliest = min(pieces[last].earliest, time)
    count += 1
    if case .simulation(let simulation) = record { steps.append((simulation.step, count)) }
    change?.take(record, at: time)
    latest.take(record, at: time)
  }

  /// Forgets the oldest piece; the newest stays.
  ///
  /// - Returns: How many entries that were.
  mutating func shrink() -> Int {
    guard pieces.count > 1 else { return 0 }
    let gone = pieces.removeFirst().entries.count
    shed += gone
    steps.removeFirst(steps.firstIndex { $0.place > shed } ?? steps.count)
    return gone
  }

  // MARK: The past

  /// The picture of what was recorded up to a moment.
  ///
  /// A clock that was set back makes a moment come twice; then what was written last counts.
  func picture(at moment: Double) -> SyncPicture {
    guard let piece = pieces.lastIndex(where: { $0.earliest <= moment }),
      let entry = pieces[piece].entries.lastIndex(where: { $0.time <= moment })
    else { return pieces.first?.before ?? latest }
    if piece == pieces.count - 1, entry == pieces[piece].entries.count - 1 { return latest }
    return picture(ofPiece: piece, count: entry + 1)
  }

  /// How many entries there were at the end of a step.
  func place(afterStep step: Int) -> Int { steps.last { $0.step <= step }?.place ?? shed }

  /// The picture after so many entries.
  func picture(after place: Int) -> SyncPicture {
    guard place < count else { return latest }
    let (piece, count) = max(0, place - shed).quotientAndRemainder(dividingBy: Self.stride)
    guard pieces.indices.contains(piece) else { return latest }
    return picture(ofPiece: piece, count: count)
  }

  private func picture(ofPiece piece: Int, count: Int) -> SyncPicture {
    var picture = pieces[piece].before
    for entry in pieces[piece].entries.prefix(count) { picture.take(entry.record, at: entry.time) }
    return picture
  }

  /// Walks over the kept entries of some places.
  func forEach(in places: Range<Int>, _ body: (Entry) -> Void) {
    let kept = places.clamped(to: shed..<count)
    guard !kept.isEmpty else { return }
    for place in kept {
      let (piece, index) = (place - shed).quotientAndRemainder(dividingBy: Self.stride)
      body(pieces[piece].entries[index])
    }
  }
}
