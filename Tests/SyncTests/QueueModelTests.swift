import Foundation
import Sync
import TestSupport
import Testing

/// The rules once more, as simply as they can be said: a list that is searched from end to end.
private struct NaiveQueue {
  var waiting: [Mutation] = []
  let lanes: [String]

  init(domain: SyncDomain) {
    let up = domain.kinds.map(\.name)
    let sorted = up.sorted {
      (domain[$0]?.rank ?? 0, up.firstIndex(of: $0) ?? 0) < (
        domain[$1]?.rank ?? 0, up.firstIndex(of: $1) ?? 0
      )
    }
    lanes =
      sorted.map { "create \($0)" } + sorted.map { "update \($0)" } + sorted.reversed().map { "delete \($0)" }
  }

  /// The changes that may be sent, in push order.
  var sendable: [Mutation] {
    let heads = waiting.filter { mutation in waiting.first { $0.entity == mutation.entity } == mutation }
    return lanes.flatMap { lane in heads.filter { "\($0.operation) \($0.entity.kind)" == lane } }
  }

  /// - Returns: Whether it was added.
  mutating func enqueue(_ mutation: Mutation) -> Bool {
    let own = waiting.filter { $0.entity == mutation.entity }
    switch mutation.operation {
    case .create:
      if own.last(where: { $0.operation != .update })?.operation == .create { return false }
    case .update:
      if let last = own.last, last.operation != .delete, !last.mayHaveBeenSent {
        let index = waiting.firstIndex { $0.id == last.id } ?? 0
        let members = (MemberPayload.members(of: last.payload) ?? [:])
          .merging(MemberPayload.members(of: mutation.payload) ?? [:]) { $1 }
        waiting[index].payload = MemberPayload.payload(of: members) ?? Data()
        return false
      }
    case .delete:
      let gone = own.filter { $0.operation != .delete }
      waiting.removeAll { $0.entity == mutation.entity && $0.operation != .delete }
      let isNews =
        own.first?.operation == .create && own.first?.mayHaveBeenSent == false && own.first?.attempts == 0
      if isNews || gone.count < own.count { return false }
      waiting.append(mutation)
      return true
    }
    waiting.append(mutation)
    return true
  }
}

@Suite("The queue against a model")
struct QueueModelTests {
  private enum Action {
    case enqueue(Mutation.Operation, kind: Int, entity: Int, value: Int)
    /// Marks or takes out the sendable mutation of that number, as a run would.
    case send(Int), count(Int), acknowledge(Int), bury(Int)
    case drain(limit: Int)
  }

  private struct Run {
    var queue = StoredQueue(domain: .sample)
    var model = NaiveQueue(domain: .sample)
    var (added, removed, acknowledged, dead) = (0, 0, 0, 0)

    mutating func perform(_ action: Action, number: Int) -> String? {
      switch action {
      case .enqueue(let operation, let kind, let entity, let value):
        return enqueue(operation, SyncDomain.sample.kinds[kind].name, "\(entity)", value, id: "m\(number)")
          ?? fault
      case .send(let place): edit(place) { $0.mayHaveBeenSent = true }
      case .count(let place):
        edit(place) {
          $0.mayHaveBeenSent = true
          $0.attempts += 1
        }
      case .acknowledge(let place): acknowledged += take(place)
      case .bury(let place): dead += take(place)
      case .drain(let limit):
        return queue.drained(limit: limit) == model.sendable
          ? nil : "asked for \(limit) at a time, other ones come"
      }
      return fault
    }

    private mutating func enqueue(
      _ operation: Mutation.Operation, _ kind: String, _ entity: String, _ value: Int, id: String
    ) -> String? {
      let mutation = QueueSamples.mutation(
        id, operation, kind, entity, members: ["m\(value % 3)": .int(Int64(value))])
      let changes = queue.enqueue(mutation)
      let expected = model.enqueue(mutation)
      let wasAdded = changes.contains { if case .added = $0 { true } else { false } }
      added += wasAdded ? 1 : 0
      removed += changes.count { if case .removed = $0 { true } else { false } }
      return wasAdded == expected ? nil : "the rules decide otherwise"
    }

    private mutating func edit(_ place: Int, _ body: (inout Mutation) -> Void) {
      guard var mutation = sendable(place) else { return }
      body(&mutation)
      queue.put(mutation)
      if let index = model.waiting.firstIndex(where: { $0.id == mutation.id }) {
        model.waiting[index] = mutation
      }
    }

    private mutating func take(_ place: Int) -> Int {
      guard let mutation = sendable(place) else { return 0 }
      queue.remove(mutation.id)
      model.waiting.removeAll { $0.id == mutation.id }
      return 1
    }

    private func sendable(_ place: Int) -> Mutation? {
      let all = model.sendable
      return all.isEmpty ? nil : all[place % all.count]
    }

    private var fault: String? {
      if queue.all != model.waiting { return "other mutations wait" }
      if queue.drained() != model.sendable { return "others may be sent" }
      if added != removed + acknowledged + dead + queue.count { return "a mutation got lost" }
      return nil
    }
  }

  private static func makeChecker() -> ModelChecker<Action> {
    ModelChecker(
      length: 80,
      action: { random in
        let place = Int(random.next() % 16)
        return switch random.next() % 12 {
        case 0...6:
          .enqueue(
            Mutation.Operation.allCases[Int(random.next() % 3)], kind: Int(random.next() % 4),
            entity: Int(random.next() % 3), value: Int(random.next() % 100))
        case 7: .send(place)
        case 8: .count(place)
        case 9: .acknowledge(place)
        case 10: .bury(place)
        default: .drain(limit: 1 + place)
        }
      },
      run: { actions, _ in
        var run = Run()
        for (number, action) in actions.enumerated() {
          if let fault = run.perform(action, number: number) { return fault }
        }
        return nil
      })
  }

  @Test func `No sequence of operations loses, doubles or reorders a mutation`() {
    let checker = Self.makeChecker()
    for seed in UInt64(0)..<UInt64(trials(20, long: 150)) {
      if let failure = checker.check(seed: seed) {
        Issue.record("\(failure)")
        return
      }
    }
  }

  @Test func `Five thousand mutations in and out of order are what a sorted list has`() {
    var random = SeededGenerator(seed: 1)
    var queue = StoredQueue(domain: .sample)
    var waiting: [String] = []
    for number in 0..<5_000 {
      queue.enqueue(QueueSamples.mutation("\(number)", .create, "event", "\(number)"))
      waiting.append("\(number)")
    }
    let gone = Set(waiting.filter { _ in random.next() % 3 > 0 })
    for id in gone.sorted() { queue.remove(id) }
    #expect(queue.drained(limit: 77).map(\.id) == waiting.filter { !gone.contains($0) })
    // An update waits behind each, and comes into its lane when that one goes.
    for id in waiting where !gone.contains(id) {
      queue.put(QueueSamples.mutation(id, .create, "event", id, sent: true))
      queue.enqueue(QueueSamples.mutation("u\(id)", .update, "event", id))
    }
    for id in waiting.filter({ !gone.contains($0) }).shuffled(using: &random) { queue.remove(id) }
    #expect(queue.drained(limit: 50).map(\.id) == waiting.filter { !gone.contains($0) }.map { "u\($0)" })
  }
}
