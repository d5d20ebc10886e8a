/// What may be sent now, lane by lane in push order: ``QueueRules/lane(of:in:)``.
struct PushLanes: Sendable {
  private let rows: [String: Int]
  private var lanes: [PushLane]

  init(domain: SyncDomain) {
    rows = QueueRules.rows(of: domain)
    lanes = Array(repeating: PushLane(), count: 3 * rows.count + 3)
  }

  /// Adds a mutation.
  mutating func insert(_ waiting: WaitingMutation) {
    lanes[lane(of: waiting.mutation)].insert(waiting)
  }

  /// Takes a mutation out.
  mutating func remove(_ waiting: WaitingMutation) {
    lanes[lane(of: waiting.mutation)].remove(waiting)
  }

  /// Puts another content, with the same entity and operation, at the place of a mutation.
  mutating func replace(_ waiting: WaitingMutation) {
    lanes[lane(of: waiting.mutation)].replace(waiting)
  }

  /// The next mutations of the first lane that has some beyond a position.
  func next(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    var sequence = position?.sequence ?? .min
    for lane in lanes.indices.dropFirst(position?.lane ?? 0) {
      let found = lanes[lane].mutations(after: sequence, limit: limit)
      if !found.isEmpty {
        return found.map {
          QueuedMutation(
            mutation: $0.mutation, position: QueuePosition(lane: lane, sequence: $0.sequence))
        }
      }
      sequence = .min
    }
    return []
  }

  private func lane(of mutation: Mutation) -> Int { QueueRules.lane(of: mutation, rows: rows) }
}
