import DeliveryCore
import Resilience
import Testing

@Suite("Flushing")
struct FlushTests {
  @Test("B-56: Seven events at batch size 3 are posted as 3, 3, 1")
  func batches() {
    var rig = MachineRig(.exact { $0.batchSize = 3 })
    rig.queue(7)
    rig.handle(.flushRequested)
    rig.answerAll()
    #expect(rig.batches == [[1, 2, 3], [4, 5, 6], [7]])
    #expect(rig.delivered == Array(1...7) && rig.endedFlushes == 1)
  }

  @Test("B-57: The twentieth queued event triggers a flush, the nineteenth does not")
  func twentieth() {
    var rig = MachineRig()
    rig.queue(19)
    #expect(rig.sent.isEmpty)
    rig.queue()
    #expect(rig.batches == [Array(1...20)])
  }

  @Test("B-58: A second flush during a running one sends nothing extra")
  func second() {
    var rig = MachineRig()
    rig.queue(3)
    rig.handle(.flushRequested)
    rig.handle(.flushRequested)
    rig.queue(2)
    rig.handle(.flushRequested)
    #expect(rig.batches == [[1, 2, 3]] && rig.endedFlushes == 0)
    rig.answer(200)
    #expect(rig.batches == [[1, 2, 3], [4, 5]] && rig.endedFlushes == 0)
    rig.answer(200)
    #expect(rig.endedFlushes == 1 && !rig.hasOverlapped)
  }

  @Test("B-59: Flushing an empty queue sends nothing")
  func empty() {
    var rig = MachineRig()
    rig.handle(.flushRequested)
    rig.advance(by: .seconds(60))
    #expect(rig.sent.isEmpty && rig.disk.peak == 0)
    #expect(rig.log.allSatisfy { $0 == .endFlush })
  }

  @Test("B-60: The timer flushes after its interval; starting it twice changes nothing")
  func timer() {
    var rig = MachineRig(.exact { $0.flushInterval = .seconds(7) })
    rig.queue()
    rig.advance(by: .seconds(3))
    rig.handle(.started(stored: 0, inForeground: true))
    rig.handle(.enteredForeground)
    rig.advance(by: .milliseconds(3999))
    #expect(rig.sent.isEmpty && rig.machine.nextDeadline == .seconds(7))
    rig.advance(by: .milliseconds(1))
    #expect(rig.batches == [[1]])
    rig.answer(200)
    rig.queue()
    rig.advance(by: .seconds(7))
    #expect(rig.batches == [[1], [2]])
  }

  @Test("B-60: After a long sleep the timer flushes once")
  func sleep() {
    var rig = MachineRig()
    rig.queue()
    rig.now = .seconds(86_400)
    rig.handle(.timePassed)
    #expect(rig.batches == [[1]] && rig.machine.timerAt == .seconds(86_410))
  }

  @Test("B-61: A batch that cannot be encoded is dropped and the next one is sent")
  func notEncodable() {
    var rig = MachineRig(.exact { $0.batchSize = 2 })
    rig.queue(4)
    rig.handle(.flushRequested)
    rig.conclude(.notEncodable)
    #expect(rig.batches == [[1, 2], [3, 4]])
    rig.answer(200)
    #expect(rig.delivered == [3, 4] && rig.droppedNumbers == [.notEncodable: [1, 2]])
    #expect(rig.machine.breaker.consecutiveFailures == 0 && rig.machine.failures == 0)
  }

  @Test("B-61: One that cannot be encoded and came from disk leaves the disk; a probe is free for the next")
  func notEncodableProbe() {
    var rig = MachineRig(.exact { $0.batchSize = 2 }, stored: [1, 2, 3])
    for _ in 0..<3 {
      rig.answer(500)
      rig.advance(by: rig.retryIn ?? .zero)
    }
    rig.conclude(.notEncodable)
    #expect(rig.batches.last == [3] && rig.disk.numbers == [3])
    rig.answer(200)
    #expect(rig.disk.count == 0 && rig.machine.waiting == 0)
  }

  @Test("B-61: A probe that could not be encoded leaves the breaker half-open, with its slot free")
  func notEncodableSlot() {
    var rig = MachineRig(stored: [1])
    for _ in 0..<3 {
      rig.answer(500)
      rig.advance(by: rig.retryIn ?? .zero)
    }
    rig.conclude(.notEncodable)
    var breaker = rig.machine.breaker
    #expect(breaker.state(at: rig.now) == .halfOpen && breaker.permit(at: rig.now) == .allowed)
  }

  @Test("Background stops the timer and flushes; foreground starts it again and flushes")
  func background() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.enteredBackground)
    #expect(rig.batches == [[1]] && rig.machine.timerAt == nil)
    rig.answer(200)
    #expect(rig.machine.nextDeadline == nil)
    rig.queue()
    rig.advance(by: .seconds(3600))
    #expect(rig.sent.count == 1)
    rig.handle(.enteredForeground)
    #expect(rig.batches == [[1], [2]] && rig.machine.timerAt == rig.now + .seconds(10))
  }

  @Test("Background cancels the retry, stores what was not delivered, and foreground tries again at once")
  func backgroundRetry() {
    var rig = MachineRig()
    rig.queue(2)
    rig.handle(.flushRequested)
    rig.answer(500)
    rig.handle(.enteredBackground)
    #expect(rig.machine.retryAt == nil && rig.sent.count == 2)
    rig.answer(500)
    #expect(rig.machine.retryAt == nil && rig.disk.numbers == [1, 2] && rig.memory == [])
    rig.handle(.enteredForeground)
    #expect(rig.sent.last?.source == .disk && rig.sent.count == 3)
  }

  @Test("What the server asked for outlives the way to the background and back")
  func askedWait() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    rig.answer(503, retryAfter: .seconds(30))
    rig.handle(.enteredBackground)
    rig.handle(.enteredForeground)
    rig.advance(by: .milliseconds(29_999))
    #expect(rig.sent.count == 1)
    rig.advance(by: .milliseconds(1))
    #expect(rig.sent.count == 2)
  }

  @Test(
    "A transport that never returns is given up a second after its deadline, and its answer no longer counts")
  func neverReturns() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    rig.advance(by: .seconds(9))
    #expect(rig.cancelled == [1] && rig.memory == [1] && rig.retryIn == .seconds(1))
    rig.handle(.concluded(sequence: 1, .answered(status: 200, retryAfter: nil)))
    #expect(rig.memory == [1])
    rig.advance(by: .seconds(1))
    rig.answer(200)
    #expect(rig.machine.waiting == 0)
  }

  @Test("A flush that was asked for ends, whatever stands in its way")
  func ends() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    rig.answer(500)
    #expect(rig.endedFlushes == 1)
    rig.handle(.flushRequested)
    #expect(rig.endedFlushes == 2, "a retry is armed")
    rig.handle(.networkLost)
    rig.handle(.flushRequested)
    #expect(rig.endedFlushes == 3, "offline")
    rig.handle(.stopped)
    rig.handle(.flushRequested)
    #expect(rig.endedFlushes == 5, "stopped")
  }

  @Test("An answer from before a reset changes nothing")
  func olderEpoch() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    rig.handle(.stopped)
    #expect(rig.cancelled == [1] && rig.dropped == [.reset: 1])
    rig.handle(.started(stored: 0, inForeground: true))
    rig.queue()
    rig.handle(.flushRequested)
    rig.handle(.concluded(sequence: 1, .answered(status: 401, retryAfter: nil)))
    #expect(rig.machine.phase == .running && rig.sent.last?.sequence == 2)
    rig.answer(200)
    #expect(rig.machine.waiting == 0 && rig.disabledBy == nil)
  }
}
