import DeliveryCore
import Resilience
import Testing

/// The rows of the breaker, as the delivery machine meets them.
@Suite("Circuit breaker of the delivery")
struct BreakerDeliveryTests {
  /// A machine that has an event and met so many answers of 500.
  private func rig(failures: Int, _ configuration: DeliveryConfiguration = .exact) -> MachineRig {
    var rig = MachineRig(configuration)
    rig.queue()
    rig.handle(.flushRequested)
    for _ in 0..<failures {
      if rig.inFlight == nil { rig.advance(by: rig.retryIn ?? .zero) }
      rig.answer(500)
    }
    return rig
  }

  private func state(_ rig: MachineRig) -> CircuitBreaker.State { rig.machine.breaker.state(at: rig.now) }
  private func remaining(_ rig: MachineRig) -> Duration { rig.machine.breaker.remaining(at: rig.now) }

  @Test("B-80: Closed: the wait is 0")
  func closed() {
    let rig = rig(failures: 2)
    #expect(state(rig) == .closed && remaining(rig) == .zero && rig.retryIn == .seconds(2))
  }

  @Test("B-81: At the threshold the breaker opens and the wait is positive")
  func opens() {
    let rig = rig(failures: 3)
    #expect(state(rig) == .open && remaining(rig) == .seconds(10) && rig.retryIn == .seconds(10))
  }

  @Test("B-82: After the cooldown one probe passes and a second is refused")
  func oneProbe() {
    var rig = rig(failures: 3)
    rig.queue(25)
    rig.handle(.enteredBackground)
    rig.handle(.enteredForeground)
    rig.advance(by: .milliseconds(9999))
    #expect(rig.sent.count == 3)
    rig.advance(by: .milliseconds(1))
    #expect(rig.sent.count == 4 && state(rig) == .halfOpen)
    rig.handle(.flushRequested)
    rig.queue(25)
    rig.handle(.enteredBackground)
    rig.handle(.enteredForeground)
    #expect(rig.sent.count == 4 && !rig.hasOverlapped)
  }

  @Test("B-83: A successful probe closes it")
  func probeSucceeds() {
    var rig = rig(failures: 3)
    rig.advance(by: .seconds(10))
    rig.answer(200)
    #expect(state(rig) == .closed && rig.machine.breaker.multiplier == 1 && rig.machine.waiting == 0)
  }

  @Test("B-84: A failed probe reopens it for twice the cooldown")
  func probeFails() {
    let rig = rig(failures: 4)
    #expect(state(rig) == .open && rig.retryIn == .seconds(20))
  }

  @Test("B-85: The cooldown is capped")
  func capped() {
    let waits = (3...9).map { rig(failures: $0).retryIn }
    #expect(waits == [10, 20, 40, 80, 120, 120, 120].map { .seconds($0) })
  }

  @Test("B-86: Two half-open slots do not lead to two batches at once")
  func twoSlots() {
    var rig = rig(
      failures: 3,
      .exact {
        $0.breaker = .init(backoff: Backoff(base: .seconds(10), maximum: .seconds(120)), halfOpenSlots: 2)
      })
    rig.queue(30)
    rig.advance(by: .seconds(10))
    rig.handle(.flushRequested)
    #expect(rig.sent.count == 4 && !rig.hasOverlapped)
  }

  @Test(
    "B-87: A non-retryable answer while closed clears the failure run without opening or closing anything")
  func otherAnswer() {
    var rig = rig(failures: 2)
    rig.queue()
    rig.advance(by: .seconds(2))
    rig.answer(400)
    #expect(
      state(rig) == .closed && rig.machine.breaker.consecutiveFailures == 0 && rig.machine.failures == 0)
    rig.queue()
    rig.handle(.flushRequested)
    rig.answer(500)
    #expect(state(rig) == .closed && rig.retryIn == .seconds(1))
  }

  @Test("B-88: Remaining time is 0 when closed and positive when open")
  func looking() {
    var rig = rig(failures: 3)
    rig.now += .seconds(4)
    #expect(remaining(rig) == .seconds(6) && state(rig) == .open)
    rig.now += .seconds(6)
    #expect(remaining(rig) == .zero && state(rig) == .halfOpen && rig.sent.count == 3)
    #expect(remaining(self.rig(failures: 0)) == .zero)
  }

  @Test("B-89: Coming online closes from open and half-open, forgets growth, and is harmless when closed")
  func reset() {
    for failures in [0, 3, 4] {
      for isHalfOpen in [false, true] {
        var rig = rig(failures: failures)
        if failures == 0 { rig.answer(200) }
        rig.handle(.networkLost)
        if isHalfOpen { rig.now += .seconds(60) }
        rig.handle(.networkFound)
        rig.advance(by: .seconds(2))
        #expect(rig.machine.breaker == CircuitBreaker(DeliveryConfiguration.exact.breaker))
        #expect(rig.machine.failures == 0 && rig.inFlight?.numbers == (failures == 0 ? nil : [1]))
      }
    }
  }

  @Test("B-125: A 4xx answered to a half-open probe closes the breaker and delivery goes on")
  func refusedProbe() {
    var rig = MachineRig(.exact { $0.batchSize = 2 })
    rig.queue(6)
    rig.handle(.flushRequested)
    for _ in 0..<3 {
      rig.answer(500)
      rig.advance(by: rig.retryIn ?? .zero)
    }
    #expect(state(rig) == .halfOpen && rig.inFlight?.numbers == [1, 2])
    rig.answer(410)
    #expect(state(rig) == .closed)
    rig.answerAll()
    #expect(rig.delivered == [3, 4, 5, 6] && rig.droppedNumbers == [.refused: [1, 2]])
  }

  @Test("B-126: Sixty consecutive openings neither crash nor exceed 120 s each")
  func sixty() {
    var rig = MachineRig(DeliveryConfiguration(), seed: 7)
    rig.queue()
    rig.handle(.flushRequested)
    for _ in 0..<2 {
      rig.answer(500)
      rig.advance(by: rig.retryIn ?? .zero)
    }
    for _ in 0..<60 {
      rig.answer(500)
      #expect(state(rig) == .open)
      let wait = rig.retryIn ?? .zero
      #expect(.seconds(8) <= wait && wait <= .seconds(120))
      rig.advance(by: wait)
    }
    rig.answer(200)
    #expect(rig.delivered == [1] && state(rig) == .closed)
  }
}
