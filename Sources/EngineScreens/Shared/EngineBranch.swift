import Platform

/// One branch of a simulation, or the only branch of an app: its entries, and the state they lead to at any moment.
struct EngineBranch<Engine: FoldedEngine>: Sendable {
  /// The fork point of a branch.
  struct Origin: Hashable, Sendable {
    let parent: Int
    /// The last common step.
    let step: Int
    /// The time of the fork.
    let time: Timestamp
    /// Number of common entries of the parent.
    let place: Int
  }

  struct Entry: Sendable {
    let time: Timestamp
    let record: Engine.Record
  }

  /// Consecutive entries and the engine before them, from which the past is folded.
  private struct Piece: Sendable {
    let before: Engine
    var entries: [Entry] = []
    /// The earliest time of its entries.
    var earliest = Timestamp.distantFuture
  }

  /// Number of entries per piece.
  static var stride: Int { 1000 }

  /// The fork point; `nil` for the main branch.
  let origin: Origin?
  /// The earliest time of the branch, whatever its entries claim.
  let start: Timestamp
  /// The change relative to its parent.
  private(set) var change: EngineChange<Engine>?
  /// The engine at the end of the record.
  private(set) var latest: Engine
  /// Number of entries ever appended.
  private(set) var count = 0
  /// Number of entries no longer kept.
  private(set) var shed = 0
  private var pieces: [Piece] = []
  /// The number of entries at the end of each step; a simulation ends each step with a statement about itself.
  private var steps: [(step: Int, place: Int)] = []

  /// A branch that begins with the state of another one.
  init(from state: Engine, origin: Origin? = nil, at start: Timestamp) {
    self.origin = origin
    self.start = start
    latest = state
    change = origin.map { EngineChange(after: $0.step, at: start) }
  }

  /// Number of kept entries.
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

  /// Drops the oldest piece; the newest one stays.
  ///
  /// - Returns: The number of dropped entries.
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
  /// After the clock was set back, a moment occurs twice; then the later entry counts.
  func state(at moment: Timestamp) -> Engine {
    guard let piece = pieces.lastIndex(where: { $0.earliest <= moment }),
      let entry = pieces[piece].entries.lastIndex(where: { $0.time <= moment })
    else { return pieces.first?.before ?? latest }
    if piece == pieces.count - 1, entry == pieces[piece].entries.count - 1 { return latest }
    return state(ofPiece: piece, count: entry + 1)
  }

  /// Number of entries at the end of a step.
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

  /// Iterates over the kept entries of a range.
  ///
  /// Entries are large; borrowing avoids a copy of each.
  func forEach(in places: Range<Int>, _ body: (borrowing Entry) -> Void) {
    let kept = places.clamped(to: shed..<count)
    guard !kept.isEmpty else { return }
    for place in kept {
      let (piece, index) = (place - shed).quotientAndRemainder(dividingBy: Self.stride)
      body(pieces[piece].entries[index])
    }
  }
}
