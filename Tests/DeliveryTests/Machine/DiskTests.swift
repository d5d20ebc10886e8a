import DeliveryCore
import Testing

@Suite("Moving events to disk")
struct DiskTests {
  @Test("B-94: Queueing alone writes no file")
  func queueing() {
    var rig = MachineRig()
    rig.queue(499)
    #expect(rig.disk.peak == 0)
  }

  @Test("B-95: A disk flush stores all memory events in order; an empty queue writes nothing")
  func order() {
    var rig = MachineRig(.exact { $0.autoFlushEvents = 3 })
    rig.handle(.terminated)
    #expect(rig.log.isEmpty)
    rig.queue(3)
    rig.answer(500)
    rig.queue(4)
    rig.handle(.terminated)
    #expect(rig.disk.numbers == Array(1...7) && rig.memory == [])
  }

  @Test("B-96: A second disk flush does not lose what the first one stored")
  func second() {
    var rig = MachineRig()
    rig.handle(.networkLost)
    rig.queue(3)
    rig.handle(.flushRequested)
    rig.queue(2)
    rig.handle(.flushRequested)
    #expect(rig.disk.numbers == Array(1...5))
  }

  @Test("B-97: Beyond the disk cap the oldest are dropped")
  func cap() {
    var rig = MachineRig(.exact { $0.maxDiskEvents = 4 })
    rig.handle(.networkLost)
    rig.queue(3)
    rig.handle(.flushRequested)
    rig.queue(3)
    rig.handle(.flushRequested)
    #expect(rig.disk.numbers == [3, 4, 5, 6] && rig.dropped == [.diskFull: 2])
  }

  @Test("B-97: A cap that became smaller counts at the start")
  func smallerCap() {
    var rig = MachineRig(.exact { $0.maxDiskEvents = 4 }, stored: Array(1...10))
    #expect(rig.dropped == [.diskFull: 6])
    rig.answerAll()
    #expect(rig.delivered == [7, 8, 9, 10])
  }

  @Test("B-97: Of a batch in flight those beyond the cap are counted once its outcome is known")
  func capInFlight() {
    for status in [200, 500, 410] {
      var rig = MachineRig(.exact { $0.maxDiskEvents = 4 }, stored: [1, 2, 3, 4])
      rig.queue(2)
      rig.handle(.terminated)
      #expect(rig.disk.numbers == [3, 4, 5, 6] && rig.dropped == [:] && rig.machine.waiting == 6)
      rig.answer(status)
      #expect(rig.dropped == [200: [:], 500: [.diskFull: 2], 410: [.refused: 4]][status])
      #expect(rig.machine.waiting == (status == 500 ? 4 : 2))
    }
  }

  @Test("B-98: The disk-flush threshold is reached by count")
  func thresholdByCount() {
    var rig = MachineRig(.exact { ($0.diskFlushEvents, $0.autoFlushEvents) = (5, 100) })
    rig.handle(.networkLost)
    rig.queue(4)
    #expect(rig.disk.count == 0)
    rig.queue()
    #expect(rig.disk.numbers == [1, 2, 3, 4, 5] && rig.memory == [])
  }

  @Test("B-98: The disk-flush threshold is reached by bytes")
  func thresholdByBytes() {
    var rig = MachineRig(.exact { $0.diskFlushBytes = 100 })
    rig.queue(2, bytes: 49)
    #expect(rig.disk.count == 0)
    rig.queue(1, bytes: 2)
    #expect(rig.disk.numbers == [1, 2, 3])
  }

  @Test("B-130: Events moved to disk by the threshold are delivered without any further event")
  func thresholdDelivers() {
    var rig = MachineRig(.exact { ($0.diskFlushEvents, $0.autoFlushEvents) = (5, 100) })
    rig.queue(5)
    #expect(rig.sent.first?.source == .disk)
    rig.answerAll()
    #expect(rig.delivered == [1, 2, 3, 4, 5] && rig.disk.count == 0)
  }

  @Test("B-130: While a retry is armed as well")
  func thresholdWhileArmed() {
    var rig = MachineRig(.exact { ($0.diskFlushEvents, $0.autoFlushEvents) = (5, 2) })
    rig.queue(2)
    rig.answer(503)
    rig.queue(3)
    #expect(rig.disk.numbers == Array(1...5) && rig.sent.count == 1)
    rig.advance(by: .seconds(1))
    rig.answerAll()
    #expect(rig.delivered == Array(1...5))
  }

  @Test("B-105: Clearing removes memory, parked events and file")
  func clearing() {
    var rig = MachineRig(.exact { $0.maxQueueEvents = 2 })
    rig.handle(.networkLost)
    rig.queue(2)
    rig.handle(.flushRequested)
    rig.disk.failsStores = true
    rig.queue(5)
    #expect(rig.disk.count == 2 && rig.machine.queue.parked.count == 3 && rig.machine.waiting == 7)
    rig.handle(.stopped)
    #expect(rig.disk.count == 0 && rig.memory == [] && rig.machine.waiting == 0)
    #expect(rig.dropped == [.reset: 7] && rig.log.contains(.clearDisk))
  }

  @Test("B-106: Disk cap 0: no file ever, oldest dropped at capacity, disk flush is a no-op")
  func memoryOnly() {
    var rig = MachineRig(.exact { ($0.maxDiskEvents, $0.maxQueueEvents, $0.diskFlushEvents) = (0, 3, 2) })
    rig.handle(.networkLost)
    rig.queue(5)
    rig.handle(.flushRequested)
    rig.handle(.enteredBackground)
    rig.handle(.terminated)
    #expect(rig.memory == [3, 4, 5] && rig.dropped == [.memoryFull: 2] && rig.disk.peak == 0)
    let touched = rig.log.filter { if case .drop = $0 { false } else { $0 != .endFlush } }
    #expect(touched == [])
  }

  @Test("B-113: Events already sent are not in the background snapshot")
  func snapshot() {
    var rig = MachineRig(.exact { $0.batchSize = 2 })
    rig.queue(5)
    rig.handle(.enteredBackground)
    rig.answer(200)
    rig.answer(500)
    #expect(rig.disk.numbers == [3, 4, 5] && rig.delivered == [1, 2])
  }

  @Test("B-113: A background flush that delivers everything writes nothing")
  func nothingLeft() {
    var rig = MachineRig(.exact { $0.batchSize = 2 })
    rig.queue(5)
    rig.handle(.enteredBackground)
    rig.answerAll()
    #expect(rig.disk.peak == 0 && rig.machine.waiting == 0)
  }

  @Test("Termination stores what is in flight too; after its answer it leaves the disk")
  func termination() {
    var rig = MachineRig(.exact { $0.batchSize = 2 })
    rig.queue(5)
    rig.handle(.flushRequested)
    rig.handle(.terminated)
    #expect(rig.disk.numbers == Array(1...5) && rig.machine.inFlight?.source == .disk)
    rig.answer(200)
    #expect(rig.disk.numbers == [3, 4, 5] && rig.inFlight?.source == .disk)
    rig.answerAll()
    #expect(rig.delivered == Array(1...5) && rig.disk.count == 0)
  }

  @Test("A batch that was put on disk in flight halves the size of the batches from disk")
  func terminationTooLarge() {
    var rig = MachineRig(.exact { $0.batchSize = 4 })
    rig.queue(4)
    rig.handle(.flushRequested)
    rig.handle(.terminated)
    rig.answer(413)
    #expect(rig.batches == [[1, 2, 3, 4], [1, 2]])
  }
}
