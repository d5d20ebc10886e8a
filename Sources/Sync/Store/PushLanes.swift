/// What may be sent now, lane by lane in push order.
///
/// Creates come first, of what others depend on before what depends on it; then updates; then deletes the other way
/// round. Kinds that the domain does not know come last, in order of appearance.
struct PushLanes: Sendable {
  private let rows: [String: Int]
  private var unknown: [String: Int] = [:]
  private var lanes: [PushLane]

  init(domain: SyncDomain) {
    var named: [String: EntityKind] = [:]
    var order: [EntityKind] = []
    for kind in domain.kinds where named.updateValue(kind, forKey: kind.name) == nil { order.append(kind) }
    // Nobody promises that sorting keeps the order of equals: between equal ranks the place in the domain decides.
    let sorted = order.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    rows = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.element.name, $0) })
    lanes = Array(repeating: PushLane(), count: 3 * sorted.count)
  }

  /// Adds a mutation.
  mutating func insert(_ waiting: WaitingMutation) {
    lanes[makeLane(of: waiting.mutation)].insert(waiting)
  }

  /// Takes a mutation out.
  mutating func remove(_ waiting: WaitingMutation) {
    lanes[makeLane(of: waiting.mutation)].remove(waiting)
  }

  /// Puts another content, with the same entity and operation, at the place of a mutation.
  mutating func replace(_ waiting: WaitingMutation) {
    lanes[makeLane(of: waiting.mutation)].replace(waiting)
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

  private mutating func makeLane(of mutation: Mutation) -> Int {
    let kind = mutation.entity.kind
    guard let row = rows[kind] else {
      return makeUnknownLane(of: kind) + Self.number(of: mutation.operation)
    }
    switch mutation.operation {
    case .create: return row
    case .update: return rows.count + row
    case .delete: return 3 * rows.count - 1 - row
    }
  }

  private mutating func makeUnknownLane(of kind: String) -> Int {
    if let first = unknown[kind] { return first }
    let first = lanes.count
    unknown[kind] = first
    lanes += [PushLane(), PushLane(), PushLane()]
    return first
  }

  private static func number(of operation: Mutation.Operation) -> Int {
    switch operation {
    case .create: 0
    case .update: 1
    case .delete: 2
    }
  }
}
