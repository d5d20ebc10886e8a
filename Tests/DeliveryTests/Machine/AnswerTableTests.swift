import DeliveryCore
import Resilience
import Testing

/// One row of the table of answers: what an outcome does to a batch, to the breaker and to the next attempt.
struct AnswerRow: Sendable, CustomTestStringConvertible {
  enum Events: Sendable, Equatable {
    case removed, kept, dropped(DropCause), cleared
  }

  enum Next: Sendable, Equatable {
    case atOnce, after(Duration), never
  }

  let outcome: DeliveryMachine.Outcome
  let events: Events
  /// Failures in a row that the breaker has counted after two before; `nil` where it opened.
  let breakerFailures: Int?
  let next: Next
  /// The next one, where the batch had one event only.
  var alone: (events: Events, next: Next)?

  init(_ outcome: DeliveryMachine.Outcome, _ events: Events, breaker: Int?, _ next: Next) {
    (self.outcome, self.events, breakerFailures, self.next) = (outcome, events, breaker, next)
  }

  init(
    status: Int, retryAfter: Int? = nil, _ events: Events, breaker: Int?, _ next: Next,
    alone: (Events, Next)? = nil
  ) {
    self.init(
      .answered(status: status, retryAfter: retryAfter.map { .seconds($0) }), events, breaker: breaker, next)
    self.alone = alone
  }

  var testDescription: String { "\(outcome)" }

  /// Every row of the table, after two failures: the floor is 4 s, and the breaker opens for 10 s with the third.
  static let table: [AnswerRow] =
    [200, 202, 204].map { AnswerRow(status: $0, .removed, breaker: 0, .atOnce) }
    + [500, 503, 599, 408, 302, 301, 100, 600].flatMap {
      [
        AnswerRow(status: $0, .kept, breaker: nil, .after(.seconds(10))),
        AnswerRow(status: $0, retryAfter: 30, .kept, breaker: nil, .after(.seconds(30))),
      ]
    }
    + [
      AnswerRow(status: 429, .kept, breaker: nil, .after(.seconds(10))),
      AnswerRow(status: 429, retryAfter: 11, .kept, breaker: nil, .after(.seconds(11))),
      AnswerRow(status: 413, .kept, breaker: 0, .atOnce, alone: (.dropped(.tooLarge), .atOnce)),
    ]
    + [400, 422].map {
      AnswerRow(status: $0, .kept, breaker: 0, .atOnce, alone: (.dropped(.refused), .atOnce))
    }
    + [402, 405, 410, 451, 499].map {
      AnswerRow(status: $0, .dropped(.refused), breaker: 0, .atOnce)
    }
    + [401, 403, 404].map { AnswerRow(status: $0, .cleared, breaker: 0, .never) }
    + [
      AnswerRow(.unanswered, .kept, breaker: nil, .after(.seconds(10))),
      AnswerRow(.notEncodable, .dropped(.notEncodable), breaker: 2, .atOnce),
    ]
}

@Suite("Table of answers")
struct AnswerTableTests {
  /// A machine whose batches have so many events; two of them failed, and the third is in flight.
  private func rig(from source: DeliveryMachine.Source, size: Int) -> MachineRig {
    let configuration = DeliveryConfiguration.exact {
      $0.batchSize = size
      $0.retryFloor = Backoff(base: .seconds(1), maximum: .seconds(8))
    }
    var rig = MachineRig(configuration, stored: source == .disk ? Array(1...2 * size) : [])
    if source == .memory {
      rig.queue(2 * size)
      rig.handle(.flushRequested)
    }
    for _ in 0..<2 {
      rig.answer(500)
      rig.advance(by: rig.retryIn ?? .zero)
    }
    return rig
  }

  @Test("From memory, several events", arguments: AnswerRow.table)
  func memory(row: AnswerRow) { check(row, .memory, size: 2) }

  @Test("From disk, several events", arguments: AnswerRow.table)
  func disk(row: AnswerRow) { check(row, .disk, size: 2) }

  @Test("From memory, one event", arguments: AnswerRow.table)
  func memoryAlone(row: AnswerRow) { check(row, .memory, size: 1) }

  @Test("From disk, one event", arguments: AnswerRow.table)
  func diskAlone(row: AnswerRow) { check(row, .disk, size: 1) }

  private func check(_ row: AnswerRow, _ source: DeliveryMachine.Source, size: Int) {
    var rig = rig(from: source, size: size)
    let batch = rig.inFlight
    #expect(batch?.source == source && batch?.numbers == Array(1...size) && batch?.attempt == 3)
    rig.conclude(row.outcome)
    let isAlone = size == 1
    checkEvents(isAlone ? row.alone?.events ?? row.events : row.events, rig, source, size)
    checkNext(isAlone ? row.alone?.next ?? row.next : row.next, rig, size)
    let state = rig.machine.breaker.state(at: rig.now)
    #expect(state == (row.breakerFailures == nil ? .open : .closed))
    #expect(rig.machine.breaker.consecutiveFailures == row.breakerFailures ?? 0)
  }

  private func checkEvents(
    _ events: AnswerRow.Events, _ rig: MachineRig, _ source: DeliveryMachine.Source, _ size: Int
  ) {
    let batch = Array(1...size)
    // The rest, the batch that follows at once included.
    let left =
      rig.memory + rig.disk.numbers + (rig.inFlight?.source == .memory ? rig.inFlight?.numbers ?? [] : [])
    let rest = Array(size + 1...2 * size)
    switch events {
    case .removed: #expect(left == rest && rig.delivered == batch && rig.dropped.isEmpty)
    case .kept: #expect(left.sorted() == batch + rest && rig.delivered == [] && rig.dropped.isEmpty)
    case .dropped(let cause): #expect(left == rest && rig.droppedNumbers == [cause: batch])
    case .cleared:
      #expect(left == [] && rig.dropped == [.disabled: 2 * size] && rig.machine.phase == .disabled)
    }
    #expect(rig.machine.waiting == left.count)
    if source == .disk { #expect(rig.memory == []) }
  }

  private func checkNext(_ next: AnswerRow.Next, _ rig: MachineRig, _ size: Int) {
    switch next {
    case .atOnce: #expect(rig.sent.count == 4 && rig.inFlight != nil && rig.retryIn == nil)
    case .after(let wait): #expect(rig.sent.count == 3 && rig.inFlight == nil && rig.retryIn == wait)
    case .never: #expect(rig.sent.count == 3 && rig.inFlight == nil && rig.machine.nextDeadline == nil)
    }
  }
}
