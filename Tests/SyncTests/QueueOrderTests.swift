import Sync
import Testing

@Suite("Order of the queue")
struct QueueOrderTests {
  private typealias Samples = QueueSamples

  @Test func `Creates go up the ranks, then updates, deletes go down, unknown kinds come last`() {
    var queue = Samples.queue([])
    for operation in [Mutation.Operation.delete, .update, .create] {
      for kind in ["alien", "event", "propertyDefinition", "geofence", "eventType"] {
        queue.enqueue(Samples.mutation("\(operation) \(kind)", operation, kind, "\(operation)"))
      }
    }
    #expect(
      queue.drained().map(\.id) == [
        "create eventType", "create geofence", "create propertyDefinition", "create event",
        "update eventType", "update geofence", "update propertyDefinition", "update event",
        "delete event", "delete propertyDefinition", "delete geofence", "delete eventType",
        "create alien", "update alien", "delete alien",
      ])
  }

  @Test func `One answer has one kind and one operation, at most as many as were asked for`() {
    var queue = Samples.queue([])
    for number in 0..<120 {
      queue.enqueue(
        Samples.mutation("\(number)", .create, number.isMultiple(of: 2) ? "event" : "eventType", "\(number)"))
    }
    var (sizes, position): ([Int], QueuePosition?) = ([], nil)
    while case let batch = queue.next(after: position, limit: 50), let last = batch.last {
      #expect(Set(batch.map(\.mutation.entity.kind)).count == 1)
      sizes.append(batch.count)
      position = last.position
    }
    #expect(sizes == [50, 10, 50, 10])
    #expect(queue.next(after: nil, limit: 0).isEmpty)
    #expect(queue.next(after: nil, limit: -1).isEmpty)
  }

  @Test func `The order of creation is the order of adding, whatever the clock said`() {
    var queue = Samples.queue([])
    for (id, second) in [("a", 5.0), ("b", -1e12), ("c", 1e12), ("d", 0)] {
      queue.enqueue(Samples.mutation(id, .update, "event", id, second: second))
    }
    #expect(queue.drained().map(\.id) == ["a", "b", "c", "d"])
  }

  @Test func `What waits behind another of its entity is left out until that one is gone`() {
    var queue = Samples.queue([
      Samples.mutation("delete", .delete), Samples.mutation("other", .delete, "event", "e2"),
    ])
    queue.enqueue(Samples.mutation("again", .create))
    #expect(queue.drained().map(\.id) == ["delete", "other"])
    queue.remove("delete")
    #expect(queue.drained().map(\.id) == ["again", "other"])

  }

  @Test func `A second update goes in the same run once the first is acknowledged`() throws {
    var queue = Samples.queue([Samples.mutation("first", .update, sent: true)])
    queue.enqueue(Samples.mutation("second", .update))
    let first = try #require(queue.next(after: nil, limit: 50).last)
    #expect(first.mutation.id == "first")
    #expect(queue.next(after: first.position, limit: 50).isEmpty)
    queue.remove("first")
    #expect(queue.next(after: first.position, limit: 50).map(\.mutation.id) == ["second"])
  }

  @Test func `A counted failure keeps the place`() {
    var queue = Samples.queue((0..<3).map { Samples.mutation("\($0)", .create, "event", "\($0)") })
    queue.put(Samples.mutation("0", .create, "event", "0", sent: true, attempts: 1))
    #expect(queue.drained().map(\.id) == ["0", "1", "2"])
    #expect(queue["0"]?.attempts == 1)
  }

  @Test func `A mutation that is put with another entity leaves its old one`() {
    var queue = Samples.queue([Samples.mutation("a", .create), Samples.mutation("b", .update)])
    queue.put(Samples.mutation("a", .delete, "geofence", "g"))
    #expect(queue.drained().map(\.id) == ["b", "a"])
    queue.put(Samples.mutation("a", .delete))
    #expect(queue.all.map(\.id) == ["a", "b"])
    #expect(queue.drained().map(\.id) == ["a"])
  }
}
