import Codecs
import DeliverySimulation
import Platform
import Testing

@testable import DashboardCore
@testable import DeliveryCore
@testable import EngineScreens

@Suite("Sentences about deliveries that readers found false")
struct DeliverySentenceTruthTests {
  /// A client whose queue was last recorded at second 100.
  private static func client(
    memory: Int = 0, disk: Int = 0, inFlight: Int = 0, oldest: Double? = nil, next: Double? = nil
  ) -> ClientState {
    var state = ClientState()
    state.lifecycle = .ready
    state.handle(.queue(queue(memory, disk, inFlight, oldest, next)), at: Timestamp(100))
    return state
  }

  private static func queue(
    _ memory: Int, _ disk: Int, _ inFlight: Int, _ oldest: Double? = nil, _ next: Double? = nil
  ) -> DeliveryQueue {
    DeliveryQueue(
      memory: memory, memoryBytes: 0, disk: disk, inFlight: inFlight, oldestAt: oldest, nextAt: next,
      nextCause: next == nil ? nil : "timer", branch: 0, step: 1, engineTime: 0, by: .rule, cause: "")
  }

  private static func batch(_ size: Int, status: Int? = 200, error: String? = nil, detail: String? = nil)
    -> DeliveryEntry
  {
    .batch(
      DeliveryBatch(
        sequence: 1, size: size, attempt: 1, status: status, error: error, latencyMs: 1, maxBatchSize: 100,
        retryAfter: nil, source: "disk", bytes: 1, detail: detail, first: "", last: "", branch: 0, step: 1,
        engineTime: 0, by: .rule, cause: ""))
  }

  private static func drop(_ cause: DropCause, _ count: Int, status: Int? = nil, setAside: Int? = nil)
    -> DeliveryEntry
  {
    .drop(
      DeliveryDrop(
        cause: cause.rawValue, count: count, status: status, answer: nil, setAside: setAside, branch: 0,
        step: 1, engineTime: 0, by: .rule))
  }

  private static func words(_ state: ClientState, at now: Double = 100) -> [String] {
    EngineSentence(of: state, at: Timestamp(now), zone: .utc).wordings
  }

  @Test("not all was delivered where events were dropped; the cause is kept while there is room")
  func dropped() {
    var state = Self.client()
    state.handle(Self.batch(3), at: Timestamp(100))
    #expect(Self.words(state)[2] == "All delivered.")
    state.handle(Self.drop(.diskFull, 12), at: Timestamp(100))
    #expect(
      Self.words(state).suffix(2) == [
        "Nothing waits; last batch 0ms ago; 12 dropped: disk full.", "Nothing waits; 12 dropped.",
      ])
    #expect(Self.words(state)[0].hasSuffix(" 12 events were dropped because the disk queue was full."))
    state.handle(Self.drop(.refused, 1, status: 400, setAside: 1), at: Timestamp(100))
    #expect(
      Self.words(state)[0].hasSuffix(
        " 12 events were dropped because the disk queue was full; 1 event was set aside after a 400 and "
          + "can be sent again."))
    #expect(Self.words(state)[2] == "Nothing waits; 12 dropped; 1 set aside.")
    state.handle(Self.drop(.expired, 1), at: Timestamp(100))
    #expect(Self.words(state)[1].contains("; 13 dropped, 12 of them: disk full; 1 set aside (400)."))
  }

  @Test("what a disabled client dropped is counted once, and after its reset as well")
  func disabled() {
    var state = Self.client()
    state.handle(Self.drop(.disabled, 36), at: Timestamp(100))
    state.lifecycle = .disabled
    #expect(Self.words(state)[0].split(separator: "36 events").count == 2)
    state.lifecycle = .ready
    #expect(
      Self.words(state)[0].hasSuffix(" 36 events were dropped because the endpoint refused this client."))
  }

  @Test("a limit smaller than the batch in flight is left out")
  func reduced() {
    var state = Self.client(inFlight: 2)
    state.batchSize.handle(first: 100, now: 1)
    #expect(!Self.words(state)[0].contains("at most"))
    state = Self.client(inFlight: 1)
    state.batchSize.handle(first: 100, now: 1)
    #expect(Self.words(state)[0].contains("at most 1 event a batch"))
  }

  @Test("a batch of one event from the disk is not counted twice")
  func single() {
    var state = Self.client(disk: 5)
    state.handle(.queue(Self.queue(0, 5, 1)), at: Timestamp(100))
    #expect(Self.words(state)[0] == "Delivering: 1 event on the way for 0ms; 4 more on disk.")
    state = Self.client(memory: 1, disk: 5)
    state.handle(.queue(Self.queue(0, 5, 1)), at: Timestamp(100))
    #expect(Self.words(state)[0] == "Delivering: 1 event on the way for 0ms; 5 on disk.")
  }

  @Test("events that are too old to be sent do not merely wait")
  func tooOld() {
    let now = 8 * 86_400.0
    var state = Self.client(disk: 2, oldest: 0, next: now + 5)
    #expect(
      Self.words(state, at: now)[0].contains("2 events wait (oldest 8d, too old to be sent), all on disk"))
    state.endedAt = Timestamp(100)
    #expect(
      Self.words(state, at: now)[0].hasSuffix(
        "2 events on disk wait for its next start; the oldest is too old to be sent."))
  }

  @Test("an attempt without an answer is told in the transport's words")
  func detail() {
    var state = Self.client(disk: 2, inFlight: 2)
    let detail = "the connection was closed"
    state.handle(Self.batch(2, status: nil, error: "unreachable", detail: detail), at: Timestamp(100))
    #expect(Self.words(state)[0].hasPrefix("Trying again after a failed attempt (\(detail)):"))
    state.handle(
      Self.batch(2, status: nil, error: "unreachable", detail: String(repeating: "x", count: 2000)),
      at: Timestamp(100))
    #expect(Self.words(state)[0].contains("unreachable"))
  }

  @Test("every cause of a drop has a short name of its own")
  func names() {
    #expect(Set(DropCause.allCases.map(DeliveryFormatter.short)).count == DropCause.allCases.count)
  }
}

extension ClientState.BatchSize {
  fileprivate mutating func handle(first: Int, now: Int) {
    (self.first, disk, halvings) = (first, now, 1)
  }
}
