import Resilience
import TestSupport
import Testing

@Suite("Circuit breaker")
struct CircuitBreakerTests {
  private var generator = SeededGenerator(seed: 1)

  /// A breaker that tripped at 0 for 10 s.
  private mutating func opened(slots: Int = 1, resetKeepsGrowth: Bool = false) -> CircuitBreaker {
    var breaker = CircuitBreaker(.exact(slots: slots, resetKeepsGrowth: resetKeepsGrowth))
    for _ in 0..<3 { _ = breaker.recordFailure(at: .zero, using: &generator) }
    return breaker
  }

  @Test("B-80: closed, every call goes through at once")
  func closed() {
    var breaker = CircuitBreaker(.delivery)
    for second in 0..<100 { #expect(breaker.permit(at: .seconds(second)) == .allowed) }
    #expect(breaker.state(at: .zero) == .closed && breaker.until == nil)
  }

  @Test("B-81: at the threshold the breaker opens and the wait is positive")
  mutating func opens() {
    var breaker = CircuitBreaker(.delivery)
    #expect(breaker.recordFailure(at: .zero, using: &generator) == .counted(1))
    #expect(breaker.recordFailure(at: .zero, using: &generator) == .counted(2))
    #expect(breaker.state(at: .zero) == .closed && breaker.permit(at: .zero) == .allowed)
    guard case .tripped(let cooldown) = breaker.recordFailure(at: .zero, using: &generator) else {
      return #expect(Bool(false), "the third failure trips")
    }
    #expect(.seconds(8) <= cooldown && cooldown <= .seconds(12))
    #expect(breaker.permit(at: .seconds(1)) == .refused(remaining: cooldown - .seconds(1)))
    #expect(breaker.consecutiveFailures == 0)
  }

  @Test("B-82: after the cooldown one probe passes and a second is refused")
  mutating func oneProbe() {
    var breaker = opened()
    #expect(breaker.permit(at: .milliseconds(9999)) == .refused(remaining: .milliseconds(1)))
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    #expect(breaker.permit(at: .seconds(10)) == .refused(remaining: .milliseconds(200)))
    #expect(breaker.permit(at: .seconds(99)) == .refused(remaining: .milliseconds(200)))
  }

  @Test("B-83: a successful probe closes it")
  mutating func probeSucceeds() {
    var breaker = opened()
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    breaker.recordSuccess()
    #expect(breaker == CircuitBreaker(.exact()))
  }

  @Test("B-84: a failed probe reopens it for twice the cooldown")
  mutating func probeFails() {
    var breaker = opened()
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    #expect(breaker.recordFailure(at: .seconds(11), using: &generator) == .tripped(for: .seconds(20)))
    #expect(breaker.until == .seconds(31))
  }

  @Test("B-85: the cooldown is capped")
  mutating func capped() {
    var breaker = opened()
    var now = Duration.seconds(10)
    var ladder: [Duration] = []
    for _ in 0..<6 {
      #expect(breaker.permit(at: now) == .allowed)
      if case .tripped(let cooldown) = breaker.recordFailure(at: now, using: &generator) {
        ladder.append(cooldown)
        now += cooldown
      }
    }
    #expect(ladder == [20, 40, 80, 120, 120, 120].map { .seconds($0) })
  }

  @Test("B-86: with two half-open slots two probes pass, the third is refused")
  mutating func twoSlots() {
    var breaker = opened(slots: 2)
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    #expect(breaker.permit(at: .seconds(10)) == .refused(remaining: .milliseconds(200)))
  }

  @Test("B-87: another answer while closed clears the failures without opening or closing anything")
  mutating func otherAnswerWhileClosed() {
    var breaker = CircuitBreaker(.exact())
    for _ in 0..<2 { _ = breaker.recordFailure(at: .zero, using: &generator) }
    breaker.recordOtherAnswer()
    #expect(breaker == CircuitBreaker(.exact()))
    for _ in 0..<2 { _ = breaker.recordFailure(at: .zero, using: &generator) }
    #expect(breaker.state(at: .zero) == .closed)
  }

  @Test("B-88: the remaining time is 0 when closed and positive when open, and looking changes nothing")
  mutating func looking() {
    #expect(CircuitBreaker(.exact()).remaining(at: .seconds(-1)) == .zero)
    var breaker = opened()
    let before = breaker
    #expect(breaker.remaining(at: .seconds(4)) == .seconds(6) && breaker.state(at: .seconds(4)) == .open)
    #expect(breaker.remaining(at: .seconds(10)) == .zero && breaker.state(at: .seconds(10)) == .halfOpen)
    #expect(breaker.state(at: .seconds(4)) == .open && breaker == before)
    #expect(breaker.permit(at: .seconds(10)) == .allowed && breaker.remaining(at: .seconds(10)) == .zero)
  }

  @Test("B-89: a forced reset closes from open and half-open, forgets growth, and is harmless when closed")
  mutating func reset() {
    var open = opened()
    open.reset()
    var halfOpen = opened()
    #expect(halfOpen.permit(at: .seconds(10)) == .allowed)
    halfOpen.reset()
    var closed = CircuitBreaker(.exact())
    closed.reset()
    for breaker in [open, halfOpen, closed] { #expect(breaker == CircuitBreaker(.exact())) }
  }

  @Test("B-126: sixty openings in a row are each at most 120 s")
  mutating func sixty() {
    var breaker = CircuitBreaker(.delivery)
    var now = Duration.zero
    var openings = 0
    while openings < 60 {
      #expect(breaker.permit(at: now) == .allowed)
      guard case .tripped(let cooldown) = breaker.recordFailure(at: now, using: &generator) else { continue }
      #expect(.seconds(8) <= cooldown && cooldown <= .seconds(120))
      openings += 1
      now += cooldown
    }
  }

  @Test("another answer while half-open closes the breaker and frees the slot; the growth stays")
  mutating func otherAnswerWhileHalfOpen() {
    var breaker = opened()
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    breaker.recordOtherAnswer()
    #expect(breaker.state(at: .seconds(10)) == .closed && breaker.consecutiveFailures == 0)
    #expect(breaker.permit(at: .seconds(10)) == .allowed && breaker.permit(at: .seconds(10)) == .allowed)
    for _ in 0..<2 { _ = breaker.recordFailure(at: .seconds(10), using: &generator) }
    #expect(breaker.recordFailure(at: .seconds(10), using: &generator) == .tripped(for: .seconds(20)))
  }

  @Test("after a success the cooldown starts anew")
  mutating func growthIsForgotten() {
    var breaker = opened()
    #expect(breaker.multiplier == 2)
    breaker.recordSuccess()
    #expect(breaker.multiplier == 1)
    for _ in 0..<2 { _ = breaker.recordFailure(at: .zero, using: &generator) }
    #expect(breaker.recordFailure(at: .zero, using: &generator) == .tripped(for: .seconds(10)))
  }

  @Test("a probe that ends without an answer frees its slot, and no more slots than there are")
  mutating func released() {
    var breaker = opened()
    #expect(breaker.permit(at: .seconds(10)) == .allowed)
    breaker.releaseProbe()
    breaker.releaseProbe()
    #expect(breaker.state(at: .seconds(10)) == .halfOpen && breaker.permit(at: .seconds(10)) == .allowed)
    #expect(breaker.permit(at: .seconds(10)) == .refused(remaining: .milliseconds(200)))
    var closed = CircuitBreaker(.exact())
    closed.releaseProbe()
    #expect(closed == CircuitBreaker(.exact()))
  }

  @Test("while open a late failure neither counts nor shortens the cooldown, but may lengthen it")
  mutating func lateFailures() {
    var breaker = opened()
    let before = breaker
    #expect(breaker.recordFailure(at: .seconds(1), using: &generator) == .counted(0))
    #expect(breaker.recordFailure(at: .seconds(1), retryAfter: .seconds(2), using: &generator) == .counted(0))
    #expect(breaker == before)
    _ = breaker.recordFailure(at: .seconds(5), retryAfter: .seconds(30), using: &generator)
    #expect(breaker.until == .seconds(35))
    _ = breaker.recordFailure(at: .seconds(5), retryAfter: .seconds(Int64.max), using: &generator)
    #expect(breaker.until == .seconds(125) && breaker.multiplier == 2)
    breaker.recordOtherAnswer()
    #expect(breaker.state(at: .seconds(5)) == .open)
  }
}
