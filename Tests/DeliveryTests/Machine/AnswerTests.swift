import DeliveryCore
import Testing

@Suite("Answers")
struct AnswerTests {
  /// A machine with so many batches of two events, the first of them in flight.
  private func rig(_ events: Int = 4) -> MachineRig {
    var rig = MachineRig(.exact { $0.batchSize = 2 })
    rig.queue(events)
    rig.handle(.flushRequested)
    return rig
  }

  @Test("B-62: 2xx removes the batch", arguments: [200, 201, 202, 204, 299])
  func success(status: Int) {
    var rig = rig()
    rig.answer(status)
    #expect(rig.memory == [] && rig.machine.waiting == 2 && rig.batches.last == [3, 4])
  }

  @Test("B-63: 500 puts the batch back", arguments: [500, 502, 503, 599, 408])
  func serverError(status: Int) {
    var rig = rig()
    rig.answer(status)
    #expect(rig.memory == [1, 2, 3, 4] && rig.sent.count == 1)
  }

  @Test("B-64: 429 puts the batch back")
  func rateLimited() {
    var rig = rig()
    rig.answer(429)
    #expect(rig.memory == [1, 2, 3, 4] && rig.sent.count == 1)
  }

  @Test("Another 4xx drops the batch and the next batch is sent", arguments: [402, 410, 418, 499])
  func dropped(status: Int) {
    var rig = rig()
    rig.answer(status)
    #expect(rig.droppedNumbers == [.refused: [1, 2]])
    #expect(rig.batches == [[1, 2], [3, 4]])
  }

  @Test("B-65: 400 and 422 split the batch until the bad event is alone", arguments: [400, 422])
  func refused(status: Int) {
    var rig = MachineRig(.exact { $0.batchSize = 20 })
    rig.queue(20)
    while let numbers = rig.inFlight?.numbers { rig.answer(numbers.contains(13) ? status : 200) }
    #expect(rig.droppedNumbers == [.refused: [13]])
    #expect(rig.delivered.sorted() == Array(1...20).filter { $0 != 13 })
    #expect(rig.sent.count <= 13)
  }

  @Test("An endpoint that refuses event after event is given pauses")
  func refusesAll() {
    var rig = MachineRig(.exact { $0.batchSize = 1 })
    rig.queue(100)
    rig.handle(.flushRequested)
    for _ in 0..<8 { rig.answer(422) }
    #expect(rig.inFlight == nil && rig.retryIn == .seconds(1) && rig.dropped == [.refused: 8])
    rig.advance(by: .seconds(1))
    for _ in 0..<8 { rig.answer(422) }
    #expect(rig.inFlight == nil && rig.retryIn == .seconds(2))
    rig.advance(by: .seconds(2))
    rig.answer(200)
    for _ in 0..<7 { rig.answer(422) }
    #expect(rig.inFlight != nil && rig.dropped == [.refused: 23])
  }

  @Test("B-66: 401, 403 and 404 clear the queue and report the status", arguments: [401, 403, 404])
  func disabled(status: Int) {
    var rig = rig(5)
    rig.handle(.terminated)
    rig.queue()
    rig.answer(status)
    #expect(rig.disabledBy == status && rig.machine.phase == .disabled)
    #expect(rig.memory == [] && rig.disk.count == 0 && rig.machine.waiting == 0)
    #expect(rig.dropped == [.disabled: 6] && rig.machine.nextDeadline == nil)
    rig.queue()
    #expect(rig.dropped == [.disabled: 7])
    rig.handle(.stopped)
    rig.handle(.started(stored: 0, inForeground: true))
    rig.queue(1)
    rig.handle(.flushRequested)
    #expect(rig.batches.last == [8])
  }

  @Test("B-67: 413 halves the batch size and the smaller batch is sent")
  func tooLarge() {
    var rig = MachineRig()
    rig.queue(20)
    rig.answer(413)
    #expect(rig.batches.map(\.count) == [20, 10] && rig.machine.memoryBatchSize == 10)
    rig.answer(413)
    rig.answer(413)
    rig.answer(413)
    rig.answer(413)
    #expect(rig.batches.map(\.count) == [20, 10, 5, 2, 1, 1])
    #expect(rig.droppedNumbers == [.tooLarge: [1]] && rig.batches.last == [2])
  }

  @Test("B-68: After 40, 20, 10 two successes bring the batch size back to 20 and 40")
  func recovers() {
    var rig = MachineRig(.exact { ($0.batchSize, $0.autoFlushEvents) = (40, 500) })
    rig.queue(100)
    rig.handle(.flushRequested)
    rig.answer(413)
    rig.answer(413)
    #expect(rig.batches.map(\.count) == [40, 20, 10])
    rig.answer(200)
    #expect(rig.machine.memoryBatchSize == 20)
    rig.answer(200)
    #expect(rig.machine.memoryBatchSize == 40)
    rig.answerAll()
    #expect(rig.batches.map(\.count) == [40, 20, 10, 20, 40, 30] && rig.machine.memoryBatchSize == 40)
  }

  @Test("B-68: A batch size that is no power of two comes back exactly")
  func recoversExactly() {
    var rig = MachineRig(.exact { ($0.batchSize, $0.autoFlushEvents) = (7, 500) })
    rig.queue(50)
    rig.handle(.flushRequested)
    rig.answer(413)
    rig.answer(413)
    rig.answerAll()
    #expect(rig.batches.map(\.count).prefix(7) == [7, 3, 1, 2, 4, 7, 7] && rig.delivered == Array(1...50))
  }

  @Test(
    "B-131: A 3xx answer does not lose the batch",
    arguments: [300, 301, 302, 304, 307, 308, 100, 199, 600, 0, -1])
  func redirect(status: Int) {
    var rig = rig(1)
    rig.answer(status)
    #expect(rig.memory == [1] && rig.retryIn == .seconds(1) && rig.machine.failures == 1)
    rig.advance(by: .seconds(1))
    rig.answer(200)
    #expect(rig.machine.waiting == 0 && rig.delivered == [1])
  }
}
