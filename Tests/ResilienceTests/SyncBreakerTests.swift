import Resilience
import TestSupport
import Testing

/// The breaker as docs/sync-engine.md describes it: 429 answers only, and all calls of one run while half-open.
@Suite("Circuit breaker of the sync engine")
struct SyncBreakerTests {
  private var generator = SeededGenerator(seed: 5)

  private mutating func trip(
    _ breaker: inout CircuitBreaker, at now: Duration, retryAfter: Duration? = nil
  ) -> Duration? {
    for _ in 0..<3 {
      if case .tripped(let wait) = breaker.recordFailure(at: now, retryAfter: retryAfter, using: &generator) {
        return wait
      }
    }
    return nil
  }

  @Test("two failures stay after a trip, so that one more trips again")
  mutating func oneMore() {
    var breaker = CircuitBreaker(.sync)
    #expect(trip(&breaker, at: .zero) == .seconds(30))
    #expect(breaker.consecutiveFailures == 2)
    #expect(breaker.permit(at: .seconds(30)) == .allowed)
    #expect(breaker.recordFailure(at: .seconds(31), using: &generator) == .tripped(for: .seconds(60)))
    #expect(breaker.consecutiveFailures == 2)
  }

  @Test("one success restores everything")
  mutating func oneSuccess() {
    var breaker = CircuitBreaker(.sync)
    _ = trip(&breaker, at: .zero)
    #expect(breaker.permit(at: .seconds(30)) == .allowed)
    breaker.recordSuccess()
    #expect(breaker == CircuitBreaker(.sync))
  }

  @Test("all calls of the run after the cooldown go through")
  mutating func wholeRun() {
    var breaker = CircuitBreaker(.sync)
    _ = trip(&breaker, at: .zero)
    for call in 0..<1000 { #expect(breaker.permit(at: .seconds(30 + call)) == .allowed) }
    #expect(breaker.state(at: .seconds(30)) == .halfOpen)
  }

  @Test("trips separated only by resets by hand last 30, 60, 120, 240, 300 and again 300 s")
  mutating func ladder() {
    var breaker = CircuitBreaker(.sync)
    let waits = (0..<6).map { _ in
      let wait = trip(&breaker, at: .zero)
      breaker.reset()
      #expect(breaker.consecutiveFailures == 0 && breaker.until == nil)
      return wait
    }
    #expect(waits == [30, 60, 120, 240, 300, 300].map { .seconds($0) })
    #expect(breaker.multiplier == 10)
  }

  @Test(
    "Retry-After lengthens the cooldown up to 300 s",
    arguments: [
      (Duration.seconds(-1), 30), (.zero, 30), (.seconds(10), 30), (.seconds(45), 45), (.seconds(301), 300),
      (Extremes.longest, 300), (.zero - Extremes.longest, 30),
    ])
  func retryAfter(asked: Duration, wanted: Int) {
    var copy = self
    var breaker = CircuitBreaker(.sync)
    #expect(copy.trip(&breaker, at: .zero, retryAfter: asked) == .seconds(wanted))
    #expect(breaker.remaining(at: .seconds(1)) == .seconds(wanted - 1))
  }

  @Test("an answered error between 429s lets the count start anew and keeps the growth")
  mutating func answeredError() {
    var breaker = CircuitBreaker(.sync)
    _ = trip(&breaker, at: .zero)
    #expect(breaker.permit(at: .seconds(30)) == .allowed)
    breaker.recordOtherAnswer()
    #expect(breaker.consecutiveFailures == 0)
    #expect(breaker.recordFailure(at: .seconds(31), using: &generator) == .counted(1))
    #expect(breaker.recordFailure(at: .seconds(31), using: &generator) == .counted(2))
    #expect(breaker.recordFailure(at: .seconds(31), using: &generator) == .tripped(for: .seconds(60)))
  }
}
