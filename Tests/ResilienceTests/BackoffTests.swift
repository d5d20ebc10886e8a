import Resilience
import TestSupport
import Testing

@Suite("Backoff")
struct BackoffTests {
  private var generator = SeededGenerator(seed: 7)

  @Test(
    "the n-th wait in a row",
    arguments: [
      (CircuitBreaker.Configuration.sync.backoff, [30, 60, 120, 240, 300, 300]),
      (Backoff(base: .seconds(10), maximum: .seconds(120)), [10, 20, 40, 80, 120, 120]),
      (Backoff(base: .seconds(1), maximum: .seconds(8)), [1, 2, 4, 8, 8]),
      (Backoff(base: .seconds(2), factor: 1, maximum: .seconds(8)), [2, 2, 2]),
      (Backoff(base: .seconds(2), factor: 3, cap: 4, maximum: .seconds(100)), [2, 6, 8, 8]),
      (Backoff(base: .seconds(9), maximum: .seconds(5)), [5, 5]),
      (Backoff(base: .zero, maximum: .seconds(5)), [0, 0]),
    ])
  func ladder(backoff: Backoff, seconds: [Int]) {
    var generator = generator
    var multiplier = 1.0
    for (index, wanted) in seconds.enumerated() {
      #expect(backoff.wait(multiplier: multiplier, using: &generator) == .seconds(wanted))
      #expect(backoff.multiplier(ofWait: index + 1) == multiplier)
      multiplier = backoff.multiplier(after: multiplier)
    }
    #expect(generator.next() == self.generator.nextAgain, "without jitter, chance is not asked")
  }

  @Test("jitter moves a wait by its part to both sides, never beyond the maximum")
  mutating func jitter() {
    let backoff = Backoff(base: .seconds(10), maximum: .seconds(45), jitter: 0.2)
    let first = (0..<1000).map { _ in backoff.wait(multiplier: 1, using: &generator) }
    #expect(first.allSatisfy { .seconds(8) <= $0 && $0 <= .seconds(12) })
    #expect(first.contains { $0 < .milliseconds(8200) } && first.contains { $0 > .milliseconds(11800) })
    let fourth = (0..<1000).map { _ in backoff.wait(multiplier: 4, using: &generator) }
    #expect(fourth.allSatisfy { .seconds(32) <= $0 && $0 <= .seconds(45) })
    #expect(fourth.contains(.seconds(45)))
  }

  @Test("what the server asks for lengthens a wait up to the maximum and never shortens it")
  mutating func askedFor() {
    let backoff = Backoff(base: .seconds(30), maximum: .seconds(300))
    for (asked, wanted) in [(-5, 30), (0, 30), (29, 30), (31, 31), (300, 300), (9000, 300)] {
      #expect(backoff.wait(multiplier: 1, atLeast: .seconds(asked), using: &generator) == .seconds(wanted))
    }
    for extreme in Extremes.durations {
      let wait = backoff.wait(multiplier: 1, atLeast: extreme, using: &generator)
      #expect(wait == (extreme > .seconds(1) ? .seconds(300) : .seconds(30)))
    }
  }

  @Test("parameters out of range are moved to the next end of it")
  func parameters() {
    let low = Backoff(base: .seconds(-1), factor: 0.5, cap: -3, maximum: .seconds(-9), jitter: -1)
    #expect(low.base == .zero && low.factor == 1 && low.cap == 1 && low.maximum == .zero && low.jitter == 0)
    let none = Backoff(base: .zero, factor: .nan, cap: .nan, maximum: .zero, jitter: .nan)
    #expect(none.factor == 1 && none.cap == 1 && none.jitter == 0)
    let high = Backoff(base: .zero, factor: .infinity, maximum: .zero, jitter: .infinity)
    #expect(high.factor.isFinite && high.cap.isFinite && high.jitter == 1)
  }

  @Test("no combination of extremes overflows")
  mutating func extremes() {
    let numbers = [-1, 0, 0.5, 1, 2, 1e300, .infinity, -.infinity, .nan]
    for base in Extremes.durations {
      for maximum in Extremes.durations {
        for number in numbers {
          let backoff = Backoff(base: base, factor: number, cap: number, maximum: maximum, jitter: number)
          let multiplier = backoff.multiplier(ofWait: .max)
          #expect(multiplier >= 1 && multiplier.isFinite)
          for asked in Extremes.durations {
            let wait = backoff.wait(multiplier: number, atLeast: asked, using: &generator)
            #expect(.zero <= wait && wait <= max(.zero, maximum))
          }
        }
      }
    }
  }
}

extension SeededGenerator {
  /// The result that ``next()`` would give, without taking it.
  fileprivate var nextAgain: UInt64 {
    var copy = self
    return copy.next()
  }
}
