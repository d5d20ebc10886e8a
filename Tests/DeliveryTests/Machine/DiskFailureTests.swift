import DeliveryCore
import Testing

@Suite("A disk that fails")
struct DiskFailureTests {
  /// A machine offline with room for two events in memory and five on disk, which takes no writes.
  private func rig() -> MachineRig {
    var rig = MachineRig(.exact { ($0.maxQueueEvents, $0.maxDiskEvents) = (2, 5) })
    rig.handle(.networkLost)
    rig.disk.failsStores = true
    return rig
  }

  @Test("Memory is kept and later events are parked; the oldest of those are dropped beyond the cap")
  func parks() {
    var rig = rig()
    rig.queue(9)
    #expect(rig.machine.queue.back.all.map(\.place) == [1, 2])
    #expect(rig.machine.queue.parked.all.map(\.place) == [5, 6, 7, 8, 9])
    #expect(rig.droppedNumbers == [.parkedFull: [3, 4]])
  }

  @Test("A disk that refuses writes is asked once a second, not with every event")
  func asksSeldom() {
    var rig = rig()
    rig.queue(6)
    #expect(rig.log.filter(\.isStore).count == 1)
    rig.advance(by: .seconds(1))
    rig.queue(6)
    #expect(rig.log.filter(\.isStore).count == 2)
  }

  @Test("As soon as a write succeeds everything is on disk, in order")
  func recovers() {
    var rig = rig()
    rig.queue(6)
    rig.disk.failsStores = false
    rig.advance(by: .seconds(1))
    rig.queue()
    #expect(rig.disk.numbers == [2, 3, 4, 5, 6] && rig.memory == [7] && rig.dropped == [.diskFull: 1])
  }

  @Test("Without any further event the timer tries again")
  func timer() {
    var rig = rig()
    rig.queue(6)
    rig.disk.failsStores = false
    rig.advance(by: .seconds(10))
    #expect(rig.memory == [] && rig.disk.numbers == [2, 3, 4, 5, 6])
  }

  @Test("Online, parked events are sent behind those in memory")
  func sends() {
    var rig = rig()
    rig.queue(6)
    rig.handle(.networkFound)
    rig.advance(by: .seconds(2))
    rig.answerAll()
    #expect(rig.delivered == [1, 2, 3, 4, 5, 6] && rig.machine.waiting == 0)
  }

  @Test(
    "A store at capacity and one at the threshold, both for one event, keep the order when the first one fails"
  )
  func twoStores() {
    var rig = MachineRig(.exact { ($0.maxQueueEvents, $0.diskFlushBytes) = (3, 10) })
    rig.handle(.networkLost)
    rig.queue(3)
    rig.disk.failsStores = true
    rig.queue(1, bytes: 10)
    #expect(rig.log.filter(\.isStore).count == 1 && rig.memory == [1, 2, 3, 4])
  }

  @Test("No event leaves the disk unsent when a store and a removal meet")
  func storeMeetsRemoval() {
    var rig = MachineRig(
      .exact { ($0.maxDiskEvents, $0.diskFlushEvents, $0.batchSize, $0.autoFlushEvents) = (4, 3, 2, 100) },
      stored: [1, 2, 3, 4])
    // Delivered, and still on disk.
    rig.disk.failsRemovals = true
    rig.answer(200)
    rig.disk.failsRemovals = false
    rig.queue(3)
    rig.answerAll()
    // One more is stored than the disk may hold, on top of the two that have to leave.
    #expect(rig.delivered == [1, 2, 4, 5, 6, 7] && rig.dropped == [.diskFull: 1])
    #expect(rig.machine.waiting == 0 && rig.disk.count == 0)
  }

  @Test("A disk from which nothing can be removed does not grow without end")
  func bounded() {
    var rig = MachineRig(.exact { ($0.maxDiskEvents, $0.maxQueueEvents) = (5, 2) })
    rig.handle(.networkLost)
    rig.disk.failsRemovals = true
    rig.queue(1000)
    #expect(rig.disk.peak <= 3 * 5 + 2 && rig.machine.queue.parked.count <= 5)
    rig.disk.failsRemovals = false
    rig.handle(.networkFound)
    rig.advance(by: .seconds(2))
    rig.answerAll()
    #expect(rig.delivered == rig.delivered.sorted() && rig.delivered.last == 1000)
    #expect(rig.delivered.count + rig.dropped.values.reduce(0, +) == 1000)
  }
}

extension DeliveryMachine.Action {
  fileprivate var isStore: Bool { if case .store = self { true } else { false } }
}
