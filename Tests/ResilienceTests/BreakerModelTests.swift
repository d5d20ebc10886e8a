import Resilience
import TestSupport
import Testing

/// The rules of a breaker, told in the plainest way: flags and whole seconds.
private struct BreakerModel {
  var isOpen = false, isProbing = false
  var until = 0, failures = 0, growth = 0, taken = 0
  let slots: Int, threshold: Int, keepsGrowth: Bool

  mutating func look(at now: Int) -> CircuitBreaker.State {
    isOpen ? (now < until ? .open : .halfOpen) : (isProbing ? .halfOpen : .closed)
  }

  mutating func permit(at now: Int) -> Bool {
    if isOpen, now >= until { (isOpen, isProbing, taken) = (false, true, 0) }
    if isOpen { return false }
    if isProbing {
      if taken >= slots { return false }
      taken += 1
    }
    return true
  }

  mutating func fail(at now: Int) -> Int? {
    if isOpen, now < until { return nil }
    failures += 1
    guard isOpen || isProbing || failures == threshold else { return nil }
    let cooldown = min(120, 10 << min(growth, 8))
    (isOpen, isProbing, until, failures, growth, taken) = (true, false, now + cooldown, 0, growth + 1, 0)
    return cooldown
  }

  mutating func close(forgetsGrowth: Bool) {
    (isOpen, isProbing, failures, taken) = (false, false, 0, 0)
    if forgetsGrowth { growth = 0 }
  }
}

@Suite("Circuit breaker against a model")
struct BreakerModelTests {
  @Test("any sequence of inputs leads to what the table says", arguments: 0..<40)
  func randomSequences(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (slots, threshold, keepsGrowth) = (1 + seed % 3, 1 + seed % 4, seed % 2 == 0)
    var breaker = CircuitBreaker(
      .exact(threshold: threshold, slots: slots, resetKeepsGrowth: keepsGrowth))
    var model = BreakerModel(slots: slots, threshold: threshold, keepsGrowth: keepsGrowth)
    var now = 0
    for _ in 0..<5000 {
      now += Int.random(in: 0...15, using: &generator)
      step(&breaker, &model, at: now, using: &generator)
      #expect(breaker.state(at: .seconds(now)) == model.look(at: now))
      #expect(breaker.remaining(at: .seconds(now)) == .seconds(model.isOpen ? max(0, model.until - now) : 0))
      #expect(breaker.consecutiveFailures == model.failures)
    }
  }

  private func step(
    _ breaker: inout CircuitBreaker, _ model: inout BreakerModel, at now: Int,
    using generator: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4:
      #expect((breaker.permit(at: .seconds(now)) == .allowed) == model.permit(at: now))
    case 4..<7:
      let outcome = breaker.recordFailure(at: .seconds(now), using: &generator)
      #expect(outcome == model.fail(at: now).map { .tripped(for: .seconds($0)) } ?? .counted(model.failures))
    case 7:
      breaker.recordSuccess()
      model.close(forgetsGrowth: true)
    case 8:
      breaker.recordOtherAnswer()
      if !model.isOpen { model.close(forgetsGrowth: false) }
    default:
      if Bool.random(using: &generator) {
        breaker.releaseProbe()
        if model.isProbing { model.taken = max(0, model.taken - 1) }
      } else {
        breaker.reset()
        model.close(forgetsGrowth: !model.keepsGrowth)
      }
    }
  }

  @Test("ten thousand trips in a row, and times at the ends of the scale, overflow nothing")
  func extremes() {
    var generator = SeededGenerator(seed: 9)
    for configuration in [CircuitBreaker.Configuration.sync, .delivery] {
      var breaker = CircuitBreaker(configuration)
      var now = Duration.zero
      for _ in 0..<10_000 {
        while case .counted = breaker.recordFailure(at: now, using: &generator) {}
        now = breaker.until ?? now
      }
      #expect(breaker.multiplier.isFinite)
    }
    for first in Extremes.durations {
      for second in Extremes.durations {
        var breaker = CircuitBreaker(.sync)
        for now in [first, first, first, second] {
          _ = breaker.recordFailure(at: now, retryAfter: second, using: &generator)
        }
        let remaining = breaker.remaining(at: second)
        #expect(remaining >= .zero && breaker.remaining(at: first) >= .zero)
        _ = breaker.permit(at: second)
        _ = breaker.state(at: first)
      }
    }
  }

  @Test("parameters out of range are moved to the next end of it")
  func parameters() {
    let backoff = Backoff(base: .seconds(1), maximum: .seconds(1))
    let configuration = CircuitBreaker.Configuration(
      threshold: -1, backoff: backoff, halfOpenSlots: .min, halfOpenWait: .seconds(-1), failuresAfterTrip: 9)
    #expect(configuration.threshold == 1 && configuration.halfOpenSlots == 1)
    #expect(configuration.halfOpenWait == .zero && configuration.failuresAfterTrip == 0)
    var generator = SeededGenerator(seed: 2)
    var breaker = CircuitBreaker(configuration)
    #expect(breaker.recordFailure(at: .zero, using: &generator) == .tripped(for: .seconds(1)))
  }
}
