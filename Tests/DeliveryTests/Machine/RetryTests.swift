import DeliveryCore
import Resilience
import Testing

@Suite("Retries")
struct RetryTests {
  /// A machine with one event in flight; the floor and the breaker stay out of the way if wanted.
  private func rig(floor: Duration = .seconds(1)) -> MachineRig {
    var rig = MachineRig(
      .exact { $0.retryFloor = Backoff(base: floor, maximum: max(.seconds(8), floor)) })
    rig.queue()
    rig.handle(.flushRequested)
    return rig
  }

  @Test("B-69: 429 without header waits at least 1000 ms")
  func rateLimited() {
    var rig = rig(floor: .milliseconds(1))
    rig.answer(429)
    #expect(rig.retryIn == .milliseconds(1000))
    rig.advance(by: .milliseconds(999))
    #expect(rig.sent.count == 1)
    rig.advance(by: .milliseconds(1))
    #expect(rig.sent.count == 2)
  }

  @Test("B-70: 429 with Retry-After 2 waits at least 2 s")
  func retryAfter() {
    var rig = rig()
    rig.answer(429, retryAfter: .seconds(2))
    #expect(rig.retryIn == .seconds(2))
    rig.advance(by: .milliseconds(1999))
    #expect(rig.sent.count == 1)
    rig.advance(by: .milliseconds(1))
    #expect(rig.sent.count == 2)
  }

  @Test("B-71: 5xx never retries sooner than the floor, and never sooner than 100 ms")
  func floor() {
    var rig = rig()
    rig.answer(500, retryAfter: .milliseconds(3))
    #expect(rig.retryIn == .seconds(1))
    var quick = self.rig(floor: .zero)
    quick.answer(500)
    #expect(quick.retryIn == .milliseconds(100))
    quick.advance(by: .milliseconds(99))
    #expect(quick.sent.count == 1)
    quick.advance(by: .milliseconds(1))
    #expect(quick.sent.count == 2)
  }

  @Test("B-72: The retry floor starts over after a success")
  func startsOver() {
    var rig = MachineRig(
      .exact {
        $0.breaker = .init(threshold: 100, backoff: Backoff(base: .seconds(10), maximum: .seconds(120)))
      })
    rig.queue()
    rig.handle(.flushRequested)
    var waits: [Duration] = []
    for _ in 0..<6 {
      rig.answer(500)
      waits.append(rig.retryIn ?? .zero)
      #expect(rig.sent.last?.attempt == waits.count)
      rig.advance(by: rig.retryIn ?? .zero)
    }
    #expect(waits == [1, 2, 4, 8, 8, 8].map { .seconds($0) })
    rig.answer(200)
    rig.queue()
    rig.handle(.flushRequested)
    rig.answer(500)
    #expect(rig.retryIn == .seconds(1))
  }

  @Test("B-73: The first network failure is not retried at once although the breaker is closed")
  func firstFailure() {
    var rig = rig()
    rig.conclude(.unanswered)
    #expect(rig.machine.breaker.state(at: rig.now) == .closed && rig.retryIn == .seconds(1))
    rig.queue(30)
    rig.handle(.flushRequested)
    rig.advance(by: .milliseconds(999))
    #expect(rig.sent.count == 1)
  }

  @Test("B-74: The delayed retry fires and delivers")
  func fires() {
    var rig = rig()
    rig.answer(503)
    rig.advance(by: .seconds(1))
    rig.answer(200)
    #expect(rig.delivered == [1] && rig.machine.waiting == 0 && rig.machine.retryAt == nil)
  }

  @Test("While a retry is armed neither timer nor flush nor the twentieth event sends")
  func armed() {
    var rig = rig()
    rig.answer(503, retryAfter: .seconds(60))
    rig.queue(40)
    rig.handle(.flushRequested)
    rig.advance(by: .milliseconds(59_999))
    #expect(rig.sent.count == 1)
    rig.advance(by: .milliseconds(1))
    #expect(rig.batches.last == Array(1...41))
  }

  @Test("The longest of floor, Retry-After and breaker counts")
  func longest() {
    var rig = rig()
    rig.answer(500)
    rig.advance(by: .seconds(1))
    rig.answer(500)
    rig.advance(by: .seconds(2))
    rig.answer(500, retryAfter: .seconds(5))
    #expect(rig.retryIn == .seconds(10))
    rig.advance(by: .seconds(10))
    rig.answer(500, retryAfter: .seconds(50))
    #expect(rig.retryIn == .seconds(50))
  }

  @Test("B-127: A Retry-After of any size waits at most one hour, and a negative one nothing")
  func hugeRetryAfter() {
    for seconds in [3601, 315_360_000, Int64.max, Int64.max / 2] {
      var rig = rig()
      rig.now = .seconds(Int64.max / 4)
      rig.answer(429, retryAfter: .seconds(seconds))
      #expect(rig.retryIn == .seconds(3600))
    }
    for seconds in [0, -1, Int64.min] {
      var rig = rig()
      rig.answer(429, retryAfter: .seconds(seconds))
      #expect(rig.retryIn == .seconds(1))
    }
  }
}
