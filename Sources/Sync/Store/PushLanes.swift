/// Mutations that may be sent now, lane by lane in push order: ``QueueRules/lane(of:in:)``.
struct PushLanes: Sendable {
  private let rows: [String: Int]
  private var lanes: [PushLane]

  init(domain: SyncDomain) {
    rows = QueueRules.rows(of: domain)
    lanes = Array(repeating: PushLane(), count: 3 * rows.count + 3)
  }

  /// Adds a mutation.
  mutating func insert(_ entry: PushLane.Entry, of mutation: Mutation) {
    lanes[QueueRules.lane(of: mutation, rows: rows)].insert(entry)
  }

  /// Takes a mutation out.
  mutating func remove(_ sequence: Int, of mutation: Mutation) {
    lanes[QueueRules.lane(of: mutation, rows: rows)].remove(sequence)
  }

  /// The next mutations of the first lane that has some beyond a position.
  func next(after position: QueuePosition?, limit: Int) -> (lane: Int, entries: [PushLane.Entry])? {
    var sequence = position?.sequence ?? .min
    for lane in lanes.indices.dropFirst(position?.lane ?? 0) {
      let found = lanes[lane].mutations(after: sequence, limit: limit)
      if !found.isEmpty { return (lane, found) }
      sequence = .min
    }
    return nil
  }
}
