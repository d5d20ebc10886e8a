import DeliveryCore
import Platform
import TestSupport
import Testing

@Suite("Memory queue")
struct MemoryQueueTests {
  private static let memoryOnly = DeliveryConfiguration.exact { $0.maxDiskEvents = 0 }

  /// A queue with the events of those numbers in its three lines.
  private func queue(front: [Int] = [], back: [Int] = [], parked: [Int] = []) -> EventQueue {
    var queue = EventQueue()
    queue.front.append(front.map { .numbered($0) })
    queue.back.append(back.map { .numbered($0) })
    queue.parked.append(parked.map { .numbered($0) })
    return queue
  }

  @Test("B-49: Draining returns the oldest first")
  func oldestFirst() {
    var queue = queue(front: [1, 2], back: [3, 4, 5])
    #expect(queue.take(3).map(\.place) == [1, 2, 3])
    #expect(queue.take(0).isEmpty && queue.take(-1).isEmpty && queue.take(Int.min).isEmpty)
    #expect(queue.take(Int.max).map(\.place) == [4, 5])
    #expect(queue.take(1).isEmpty && queue.isEmpty)
  }

  @Test("B-49: What is on disk comes between what was put back and what is new")
  func diskBetween() {
    var queue = queue(front: [1], back: [3])
    #expect(queue.take(5, disk: true).map(\.place) == [1])
    #expect(queue.take(5, disk: true).isEmpty)
    #expect(queue.take(5).map(\.place) == [3])
  }

  @Test("B-50: Memory-only at capacity drops the oldest")
  func dropsOldest() {
    var rig = MachineRig(.exact { ($0.maxDiskEvents, $0.maxQueueEvents) = (0, 3) })
    rig.queue(5)
    #expect(rig.memory == [3, 4, 5])
    #expect(rig.droppedNumbers == [.memoryFull: [1, 2]])
  }

  @Test("B-50: At capacity in bytes as many of the oldest are dropped as the new event needs")
  func dropsBytes() {
    var rig = MachineRig(.exact { ($0.maxDiskEvents, $0.maxQueueBytes) = (0, 10) })
    rig.queue(5, bytes: 2)
    rig.queue(1, bytes: 5)
    #expect(rig.memory == [4, 5, 6] && rig.machine.queue.bytes == 9)
    rig.queue(1, bytes: 1000)
    #expect(rig.memory == [7])
    #expect(rig.droppedNumbers == [.memoryFull: [1, 2, 3, 4, 5, 6]])
  }

  @Test("B-51: Events put back at the front precede all others in their old order")
  func putBack() {
    var rig = MachineRig(.exact { $0.autoFlushEvents = 3 })
    rig.queue(5)
    #expect(rig.batches == [[1, 2, 3]] && rig.memory == [4, 5])
    rig.answer(503)
    #expect(rig.memory == [1, 2, 3, 4, 5])
    rig.advance(by: .seconds(1))
    #expect(rig.batches.last == [1, 2, 3, 4, 5])
  }

  @Test("B-51: Memory-only, a batch put back above capacity pushes out the newest")
  func putBackAboveCapacity() {
    var rig = MachineRig(.exact { ($0.maxDiskEvents, $0.maxQueueEvents, $0.autoFlushEvents) = (0, 4, 3) })
    rig.queue(6)
    rig.answer(503)
    #expect(rig.memory == [1, 2, 3, 4])
    #expect(rig.droppedNumbers == [.memoryFull: [5, 6]])
  }

  @Test("B-51: With disk, what is in memory moves there before a batch is put back above capacity")
  func putBackWithDisk() {
    var rig = MachineRig(.exact { ($0.maxQueueEvents, $0.autoFlushEvents) = (4, 3) })
    rig.queue(6)
    rig.answer(503)
    #expect(rig.memory == [1, 2, 3] && rig.disk.numbers == [4, 5, 6])
    rig.advance(by: .seconds(1))
    rig.answerAll()
    #expect(rig.batches.dropFirst() == [[1, 2, 3], [4, 5, 6]] && rig.dropped.isEmpty)
  }

  @Test("B-52: Capacity 1 keeps only the latest event")
  func capacityOne() {
    var rig = MachineRig(.exact { ($0.maxDiskEvents, $0.maxQueueEvents) = (0, 1) })
    rig.queue(4)
    #expect(rig.memory == [4] && rig.dropped == [.memoryFull: 3])
  }

  @Test("B-53: Parallel enqueues lose nothing below capacity")
  func parallel() async {
    let rig = Locked(MachineRig(Self.memoryOnly))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<100 { rig.withLock { $0.queue() } } }
      }
    }
    rig.withLock { rig in
      rig.answerAll()
      rig.handle(.flushRequested)
      rig.answerAll()
      #expect(rig.delivered == Array(1...800) && rig.dropped.isEmpty)
    }
  }

  @Test("B-54: At event capacity with disk, memory moves to disk and only the new event stays in memory")
  func movesToDisk() {
    var rig = MachineRig(.exact { $0.maxQueueEvents = 5 })
    rig.queue(5)
    #expect(rig.disk.count == 0)
    rig.queue()
    #expect(rig.memory == [6] && rig.disk.numbers == [1, 2, 3, 4, 5])
    #expect(rig.log == [.store(.behindNewest, (1...5).map { .numbered($0) })])
  }

  @Test("B-54: At capacity in bytes as well")
  func movesBytesToDisk() {
    var rig = MachineRig(.exact { $0.maxQueueBytes = 10 })
    rig.queue(3, bytes: 4)
    #expect(rig.memory == [3] && rig.disk.numbers == [1, 2])
  }

  @Test("B-55: The byte estimate returns to zero after draining or clearing")
  func bytes() {
    var line = EventLine((1...10).map { .numbered($0, bytes: $0) })
    #expect(line.bytes == 55)
    #expect(line.take(4).count == 4 && line.bytes == 45)
    #expect(line.takeLast(1).map(\.place) == [10] && line.bytes == 35)
    line.prepend([.numbered(11, bytes: 7)])
    #expect(line.bytes == 42 && line.all.map(\.place) == [11, 5, 6, 7, 8, 9])
    #expect(line.take(99).count == 6 && line.bytes == 0 && line.isEmpty)
    line.append([.numbered(1, bytes: 3)])
    #expect(line.takeAll().count == 1 && line.bytes == 0)

    var rig = MachineRig(Self.memoryOnly)
    rig.queue(7, bytes: 30)
    #expect(rig.machine.queue.totalBytes == 210)
    rig.handle(.flushRequested)
    #expect(rig.machine.queue.totalBytes == 0)
    rig.queue(3, bytes: 5)
    rig.handle(.stopped)
    #expect(rig.machine.queue.totalBytes == 0 && rig.machine.queue.isEmpty)
  }

  @Test("A line is a list of events, whatever is done to it")
  func likeAList() {
    var random = SeededGenerator(seed: 3)
    var line = EventLine()
    var list: [Int] = []
    for number in 1...3000 {
      let count = Int.random(in: 0...5, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        #expect(line.take(count).map(\.place) == Array(list.prefix(count)))
        list.removeFirst(min(count, list.count))
      case 1:
        #expect(line.takeLast(count).map(\.place) == Array(list.suffix(count)))
        list.removeLast(min(count, list.count))
      case 2:
        line.prepend([.numbered(number), .numbered(-number)])
        list = [number, -number] + list
      default:
        line.append(.numbered(number))
        list.append(number)
      }
      #expect(line.count == list.count && line.bytes == list.count && line.first?.place == list.first)
    }
    #expect(line == EventLine(line.all) && line.hashValue == EventLine(line.all).hashValue)
    #expect(line.all.map(\.place) == list)
  }

  @Test("B-76: Ten thousand offers in memory-only mode keep the newest two thousand")
  func tenThousand() {
    var rig = MachineRig(Self.memoryOnly)
    rig.handle(.networkLost)
    rig.queue(10_000)
    #expect(rig.memory == Array(8001...10_000))
    #expect(rig.dropped == [.memoryFull: 8000])
  }
}
