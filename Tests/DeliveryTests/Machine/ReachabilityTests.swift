import DeliveryCore
import Testing

@Suite("Reachability")
struct ReachabilityTests {
  @Test("B-90: Offline: no HTTP attempt, all events are kept in memory or on disk")
  func offline() {
    var rig = MachineRig(.exact { $0.diskFlushEvents = 30 })
    rig.handle(.networkLost)
    rig.queue(25)
    rig.handle(.flushRequested)
    #expect(rig.disk.numbers == Array(1...25) && rig.memory == [])
    rig.queue(40)
    rig.advance(by: .seconds(5))
    #expect(rig.disk.numbers == Array(1...55) && rig.memory == Array(56...65))
    rig.advance(by: .seconds(5))
    #expect(rig.disk.numbers == Array(1...65), "the timer stores what is in memory")
    rig.handle(.enteredBackground)
    rig.handle(.enteredForeground)
    rig.advance(by: .seconds(3600))
    #expect(rig.sent.isEmpty && rig.dropped.isEmpty && rig.machine.waiting == 65)
  }

  @Test("B-90: Memory-only and offline, events stay in memory")
  func memoryOnly() {
    var rig = MachineRig(.exact { $0.maxDiskEvents = 0 })
    rig.handle(.networkLost)
    rig.queue(25)
    rig.handle(.flushRequested)
    rig.advance(by: .seconds(100))
    #expect(rig.sent.isEmpty && rig.memory == Array(1...25))
  }

  @Test("B-90: A batch in flight when the network goes is kept, and no retry is armed")
  func lostMeanwhile() {
    var rig = MachineRig()
    rig.queue(2)
    rig.handle(.flushRequested)
    rig.handle(.networkLost)
    rig.queue()
    rig.conclude(.unanswered)
    #expect(rig.machine.retryAt == nil && rig.disk.numbers == [1, 2, 3])
  }

  @Test("B-91: Going online flushes")
  func online() {
    var rig = MachineRig()
    rig.handle(.networkLost)
    rig.queue(3)
    rig.handle(.flushRequested)
    rig.queue(2)
    rig.handle(.networkFound)
    rig.advance(by: .milliseconds(1999))
    #expect(rig.sent.isEmpty)
    rig.advance(by: .milliseconds(1))
    rig.answerAll()
    #expect(rig.batches == [[1, 2, 3], [4, 5]] && rig.machine.waiting == 0)
  }

  @Test("B-91: Going online ends the wait that was left of a retry")
  func retryEnds() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    rig.answer(503, retryAfter: .seconds(1000))
    rig.handle(.networkLost)
    rig.handle(.networkFound)
    rig.advance(by: .seconds(2))
    #expect(rig.sent.count == 2)
  }

  @Test("B-92: Repeated offline or online reports change nothing")
  func repeated() {
    var rig = MachineRig()
    rig.handle(.networkFound)
    #expect(rig.machine.network == .online)
    rig.handle(.networkLost)
    rig.handle(.networkLost)
    rig.queue()
    rig.handle(.networkFound)
    rig.advance(by: .seconds(1))
    rig.handle(.networkFound)
    #expect(rig.machine.network == .returning(at: .seconds(2)))
    rig.advance(by: .seconds(1))
    rig.handle(.networkFound)
    #expect(rig.batches == [[1]] && rig.machine.network == .online)
  }

  @Test("B-92: A network that goes again within two seconds never counted as there")
  func flapping() {
    var rig = MachineRig()
    rig.handle(.networkLost)
    rig.queue()
    for _ in 0..<20 {
      rig.handle(.networkFound)
      rig.advance(by: .milliseconds(1500))
      rig.handle(.networkLost)
    }
    #expect(rig.sent.isEmpty)
  }

  @Test("B-93: Stopping the monitor cancels a pending online action")
  func stopping() {
    var rig = MachineRig()
    rig.handle(.networkLost)
    rig.queue()
    rig.handle(.networkFound)
    rig.handle(.stopped)
    #expect(rig.machine.nextDeadline == nil)
    rig.forgetLog()
    rig.advance(by: .seconds(60))
    #expect(rig.log.isEmpty && rig.sent.isEmpty)
  }
}
