import Foundation
import Sync
import Testing

@Suite("Rules of the queue")
struct QueueRuleTests {
  private typealias Samples = QueueSamples

  /// The subject of one line of the table of rules.
  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let waiting: [Mutation]
    let added: Mutation.Operation
    /// The events, with the ids of the mutations; the added one is `new`.
    let changes: String
    /// The ids that wait afterwards, oldest first.
    let left: String

    init(
      _ description: String, _ waiting: [Mutation], _ added: Mutation.Operation, _ changes: String,
      left: String
    ) {
      (self.waiting, self.added, self.changes, self.left) = (waiting, added, changes, left)
      testDescription = description
    }
  }

  static let create = QueueSamples.mutation("create", .create)
  static let sentCreate = QueueSamples.mutation("create", .create, sent: true)
  static let countedCreate = QueueSamples.mutation("create", .create, attempts: 1)
  static let change = QueueSamples.mutation("update", .update)
  static let sentUpdate = QueueSamples.mutation("update", .update, sent: true)
  static let delete = QueueSamples.mutation("delete", .delete)
  static let sentDelete = QueueSamples.mutation("delete", .delete, sent: true)

  static let rules: [Rule] = [
    Rule("create on nothing", [], .create, "+new", left: "new"),
    Rule("update on nothing", [], .update, "+new", left: "new"),
    Rule("delete on nothing", [], .delete, "+new", left: "new"),
    Rule("create on a create", [create], .create, "=new", left: "create"),
    Rule("create on a create perhaps sent", [sentCreate], .create, "=new", left: "create"),
    Rule("create on a create with an update", [sentCreate, change], .create, "=new", left: "create update"),
    Rule("create on an update", [change], .create, "+new", left: "update new"),
    Rule("create on a delete", [delete], .create, "+new", left: "delete new"),
    Rule("create on a delete and a create", [delete, create], .create, "=new", left: "delete create"),
    Rule("update on a create", [create], .update, "~create", left: "create"),
    Rule("update on a create that counted", [countedCreate], .update, "~create", left: "create"),
    Rule("update on a create perhaps sent", [sentCreate], .update, "+new", left: "create new"),
    Rule("update on an update", [change], .update, "~update", left: "update"),
    Rule("update on an update perhaps sent", [sentUpdate], .update, "+new", left: "update new"),
    Rule(
      "update on a sent create and an update", [sentCreate, change], .update, "~update", left: "create update"
    ),
    Rule("update on a delete", [delete], .update, "+new", left: "delete new"),
    Rule("update on a delete and a create", [delete, create], .update, "~create", left: "delete create"),
    Rule("delete on a create", [create], .delete, "-create =new", left: ""),
    Rule("delete on a create that counted", [countedCreate], .delete, "-create +new", left: "new"),
    Rule("delete on a create perhaps sent", [sentCreate], .delete, "-create +new", left: "new"),
    Rule(
      "delete on a sent create and an update", [sentCreate, change], .delete, "-create -update +new",
      left: "new"),
    Rule("delete on an update", [change], .delete, "-update +new", left: "new"),
    Rule("delete on a delete", [delete], .delete, "=new", left: "delete"),
    Rule("delete on a delete perhaps sent", [sentDelete], .delete, "=new", left: "delete"),
    Rule("delete on a delete and a create", [delete, create], .delete, "-create =new", left: "delete"),
  ]

  @Test("what waits decides what is added", arguments: rules)
  func rule(_ rule: Rule) {
    var queue = Samples.queue(rule.waiting)
    let changes = queue.enqueue(Samples.mutation("new", rule.added))
    #expect(changes.map(\.short).joined(separator: " ") == rule.changes)
    #expect(queue.all.map(\.id).joined(separator: " ") == rule.left)
    #expect(queue.count == queue.all.count)
  }

  @Test func `A-31 Queueing the same create twice leaves one pending mutation`() {
    var queue = Samples.queue([])
    queue.enqueue(Samples.mutation("1", .create))
    queue.enqueue(Samples.mutation("2", .create))
    #expect(queue.all.map(\.id) == ["1"])
  }

  @Test(arguments: [false, true])
  func `A-32 A delete queued after a create is never treated as a duplicate and lost`(wasSent: Bool) {
    var queue = Samples.queue([Samples.mutation("1", .create, sent: wasSent)])
    queue.enqueue(Samples.mutation("2", .delete))
    // Never sent, the server needs to hear of neither.
    #expect(queue.all.map(\.operation) == (wasSent ? [.delete] : []))
  }

  @Test(arguments: Mutation.Operation.allCases)
  func `A-33 The same operation on two entities is queued twice`(operation: Mutation.Operation) {
    var queue = Samples.queue([])
    queue.enqueue(Samples.mutation("1", operation, "event", "a"))
    queue.enqueue(Samples.mutation("2", operation, "event", "b"))
    queue.enqueue(Samples.mutation("3", operation, "geofence", "a"))
    #expect(queue.count == 3)
  }

  @Test func `An update that is folded in keeps key, place and members that only the older one had`() throws {
    let old = Samples.mutation("old", .update, members: ["name": "a", "color": "red"], second: 1)
    var queue = Samples.queue([old, Samples.mutation("other", .update, "event", "e2")])
    queue.enqueue(Samples.mutation("new", .update, members: ["name": "b", "note": .null], second: 2))
    let folded = try #require(queue.drained().first)
    #expect(folded.idempotencyKey == "key-old")
    #expect(folded.createdAt == old.createdAt)
    #expect(String(decoding: folded.payload, as: UTF8.self) == #"{"color":"red","name":"b","note":null}"#)
  }

  @Test func `A payload that may have been sent never changes under its key`() {
    let old = Samples.mutation("old", .create, members: ["name": "a"], sent: true)
    var queue = Samples.queue([old])
    queue.enqueue(Samples.mutation("new", .update, members: ["name": "b"]))
    #expect(queue["old"] == old)
    #expect(queue["new"]?.idempotencyKey == "key-new")
  }

  @Test(arguments: ["", "{", "[]", "7", #"{"a":1e999}"#])
  func `A payload that cannot be read spoils no other`(payload: String) {
    var broken = Samples.mutation("broken", .update)
    broken.payload = Data(payload.utf8)
    var queue = Samples.queue([Samples.mutation("good", .create, members: ["name": "a"])])
    queue.enqueue(broken)
    #expect(queue.all.map(\.id) == ["good", "broken"])
    queue.enqueue(Samples.mutation("late", .update, members: ["name": "b"]))
    #expect(queue.all.map(\.id) == ["good", "broken", "late"])
  }

  @Test func `A mutation that waits already is not added again`() {
    var queue = Samples.queue([Samples.mutation("1", .update, sent: true)])
    let changes = queue.enqueue(Samples.mutation("1", .update, "event", "other"))
    #expect(changes.map(\.short) == ["=1"])
  }
}

extension QueueChange {
  /// A sign and the id.
  fileprivate var short: String {
    switch self {
    case .added(let mutation): "+\(mutation.id)"
    case .replaced(let mutation): "~\(mutation.id)"
    case .ignored(let mutation): "=\(mutation.id)"
    case .removed(let mutation): "-\(mutation.id)"
    }
  }
}
