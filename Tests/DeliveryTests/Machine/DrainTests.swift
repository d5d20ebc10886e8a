import DeliveryCore
import Testing

@Suite("Delivering from disk")
struct DrainTests {
  @Test("B-107: 250 stored events are posted as 100, 100, 50 and do not enter the memory queue")
  func batches() {
    var rig = MachineRig(stored: Array(1...250))
    while rig.inFlight != nil {
      #expect(rig.memory == [])
      rig.answer(200)
    }
    #expect(rig.batches.map(\.count) == [100, 100, 50] && rig.delivered == Array(1...250))
    #expect(rig.disk.count == 0 && rig.sent.allSatisfy { $0.source == .disk })
  }

  @Test("B-108: Draining stops on 5xx, 429 and network errors and the rest stays stored")
  func stops() {
    let outcomes: [DeliveryMachine.Outcome] = [
      .answered(status: 500, retryAfter: nil), .answered(status: 408, retryAfter: nil),
      .answered(status: 429, retryAfter: nil), .unanswered,
    ]
    for outcome in outcomes {
      var rig = MachineRig(.exact { $0.batchSize = 2 }, stored: Array(1...6))
      rig.answer(200)
      rig.conclude(outcome)
      #expect(rig.disk.numbers == [3, 4, 5, 6] && rig.inFlight == nil && rig.memory == [])
      rig.advance(by: .seconds(1))
      rig.answerAll()
      #expect(rig.delivered == Array(1...6))
    }
  }

  @Test("B-109: Draining halves on 413 and drops a single oversized event")
  func tooLarge() {
    var rig = MachineRig(.exact { $0.batchSize = 4 }, stored: Array(1...6))
    rig.answer(413)
    rig.answer(413)
    #expect(rig.batches == [[1, 2, 3, 4], [1, 2], [1]] && rig.machine.memoryBatchSize == 4)
    rig.answer(413)
    #expect(rig.droppedNumbers == [.tooLarge: [1]] && rig.batches.last == [2])
    rig.answerAll()
    #expect(rig.batches.map(\.count) == [4, 2, 1, 1, 2, 2] && rig.delivered == [2, 3, 4, 5, 6])
    #expect(rig.machine.diskBatchSize == 4)
  }

  @Test("B-110: Draining drops a batch on another 4xx and goes on")
  func refused() {
    var rig = MachineRig(.exact { $0.batchSize = 2 }, stored: Array(1...4))
    rig.answer(410)
    #expect(
      rig.droppedNumbers == [.refused: [1, 2]] && rig.batches.last == [3, 4] && rig.disk.numbers == [3, 4])
    rig.answer(200)
    #expect(rig.delivered == [3, 4])
  }

  @Test("B-111: Draining does nothing without stored events or while offline")
  func nothing() {
    let empty = MachineRig()
    #expect(empty.log.isEmpty)
    var rig = MachineRig()
    rig.handle(.stopped)
    rig.handle(.networkLost)
    rig.disk = ModelDisk([.numbered(1)])
    rig.handle(.started(stored: 1, inForeground: true))
    rig.handle(.flushRequested)
    #expect(rig.sent.isEmpty && !rig.log.contains(.read(limit: 100)))
  }

  @Test("What was put back leaves before the disk, and the disk before what is new")
  func order() {
    var rig = MachineRig(.exact { ($0.batchSize, $0.autoFlushEvents, $0.diskFlushEvents) = (3, 3, 5) })
    rig.queue(3)
    rig.queue(5)
    #expect(rig.disk.numbers == [4, 5, 6, 7, 8])
    rig.answer(500)
    rig.queue()
    rig.advance(by: .seconds(1))
    rig.answerAll()
    #expect(rig.batches.dropFirst() == [[1, 2, 3], [4, 5, 6], [7, 8], [9]])
  }

  @Test("Events that are too old are dropped, and a batch of nothing else is followed by the next")
  func expired() {
    var disk = ModelDisk((1...7).map { .numbered($0) })
    for index in [0, 1, 2, 3] { disk.expire(index) }
    var rig = MachineRig(.exact { $0.batchSize = 3 })
    rig.handle(.stopped)
    rig.disk = disk
    rig.handle(.started(stored: 7, inForeground: true))
    #expect(rig.batches == [[5, 6]] && rig.dropped == [.expired: 3] && rig.disk.numbers == [4, 5, 6, 7])
    rig.answerAll()
    #expect(rig.delivered == [5, 6, 7] && rig.dropped == [.expired: 4] && rig.disk.count == 0)
  }

  @Test("A crash repeats one batch at most, even while delivered events cannot leave the disk")
  func crash() {
    var rig = MachineRig(.exact { $0.batchSize = 2 }, stored: Array(1...6))
    rig.disk.failsRemovals = true
    rig.answer(200)
    #expect(rig.disk.numbers == Array(1...6) && rig.inFlight == nil && rig.machine.stored == 4)
    rig.queue()
    rig.handle(.flushRequested)
    #expect(rig.batches.last == [7], "memory does not wait for a disk that may never work again")
    rig.answer(200)
    rig.crash()
    rig.disk.failsRemovals = false
    rig.answerAll()
    #expect(rig.delivered == [1, 2, 7, 1, 2, 3, 4, 5, 6])
  }

  @Test("Delivered events that could not leave the disk do so with the next flush, and the rest follows")
  func removalWorksAgain() {
    var rig = MachineRig(.exact { $0.batchSize = 2 }, stored: Array(1...4))
    rig.disk.failsRemovals = true
    rig.answer(200)
    rig.disk.failsRemovals = false
    rig.advance(by: .seconds(10))
    rig.answerAll()
    #expect(rig.delivered == [1, 2, 3, 4] && rig.disk.count == 0)
  }

  @Test("A disk that cannot be read is left out until the next flush")
  func unreadable() {
    var rig = MachineRig()
    rig.handle(.stopped)
    rig.disk = ModelDisk([.numbered(1), .numbered(2)])
    rig.disk.failsReads = true
    rig.handle(.started(stored: 2, inForeground: true))
    rig.queue()
    rig.handle(.flushRequested)
    #expect(rig.batches == [[1]])
    rig.disk.failsReads = false
    rig.answerAll()
    rig.advance(by: .seconds(10))
    rig.answerAll()
    #expect(rig.sent.map(\.source) == [.memory, .disk] && rig.disk.count == 0)
  }
}
