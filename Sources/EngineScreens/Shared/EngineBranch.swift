import Platform

/// One branch of a simulation, or the only one that an app has: its entries, and what they came to at any moment.
struct EngineBranch<Engine: FoldedEngine>: Sendable {
  /// Where a branch left the one that it came from.
  struct Origin: Hashable, Sendable {
    let parent: Int
    /// The last step that both have.
    let step: Int
    /// When that was.
    let time: Timestamp
    /// How many entries of the parent both have.
    let place: Int
  }

  struct Entry: Sendable {
    let time: Timestamp
    let record: Engine.Record
  }

  /// Some entries in a row, and the engine before them, from which the past is folded.
  private struct Piece: Sendable {
    let before: Engine
    var entries: [Entry] = []
    /// The earliest time of its entries.
    var earliest = Timestamp.distantFuture
  }

  /// The number of entries of one piece.
  static var stride: Int { 1000 }

  /// `nil` for the main branch.
  let origin: Origin?
  /// Nothing of it is from before this moment, whatever an entry claims.
  let start: Timestamp
  /// The change from the branch it came from.
  private(set) var change: EngineChange<Engine>?
  /// The engine at the end of the record.
  private(set) var latest: Engine
  /// How many entries it ever had.
  private(set) var count = 0
  /// How many of them are no longer kept.
  private(set) var shed = 0
  private var pieces: [Piece] = []
  /// After which entry each step was over; a simulation's last entry of each step is about the simulation itself.
  private var steps: [(step: Int, place: Int)] = []

  /// A branch that begins with the state of another one.
  init(from state: Engine, origin: Origin? = nil, at start: Timestamp) {
    self.origin = origin
    self.start = start
    latest = state
    change = origin.map { EngineChange(after: $0.step, at: start) }
  }

  /// How many entries are kept.
  var kept: Int { count - shed }

  mutating func append(_ record: Engine.Record, at time: Timestamp) {
    if pieces.last.map({ $0.entries.count >= Self.stride }) ?? true { pieces.append(Piece(before: latest)) }
    let time = max(time, start)
    let last = pieces.count - 1
    pieces[last].entries.append(Entry(time: time, record: record))
    pieces[last].earliest = min(pieces[last].earliest, time)
    count += 1
    if let simulation = record.simulation { steps.append((simulation.step, count)) }
    change?.handle(record, at: time, in: latest)
    latest.handle(record, at: time)
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

  /// The state recorded up to a moment.
  ///
  /// A clock that was set back makes a moment come twice; then what was written last counts.
  func state(at moment: Timestamp) -> Engine {
    guard let piece = pieces.lastIndex(where: { $0.earliest <= moment }),
      let entry = pieces[piece].entries.lastIndex(where: { $0.time <= moment })
    else { return pieces.first?.before ?? latest }
    if piece == pieces.count - 1, entry == pieces[piece].entries.count - 1 { return latest }
    return state(ofPiece: piece, count: entry + 1)
  }

  /// How many entries there were at the end of a step.
  func place(afterStep step: Int) -> Int { steps.last { $0.step <= step }?.place ?? shed }

  /// The engine after a number of entries.
  func state(after place: Int) -> Engine {
    guard place < count else { return latest }
    let (piece, count) = max(0, place - shed).quotientAndRemainder(dividingBy: Self.stride)
    guard pieces.indices.contains(piece) else { return latest }
    return state(ofPiece: piece, count: count)
  }

  private func state(ofPiece piece: Int, count: Int) -> Engine {
    var state = pieces[piece].before
    for entry in pieces[piece].entries.prefix(count) { state.handle(entry.record, at: entry.time) }
    return state
  }

  /// Walks over the kept entries of some places.
  ///
  /// An entry is large; a closure that borrows it spares a copy of each.
  func forEach(in places: Range<Int>, _ body: (borrowing Entry) -> Void) {
    let kept = places.clamped(to: shed..<count)
    guard !kept.isEmpty else { return }
    for place in kept {
      let (piece, index) = (place - shed).quotientAndRemainder(dividingBy: Self.stride)
      body(pieces[piece].entries[index])
    }
  }
}
