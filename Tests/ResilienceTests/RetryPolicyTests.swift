import Resilience
import TestSupport
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
  private var generator = SeededGenerator(seed: 3)
  private let policy = RetryPolicy(backoff: Backoff(base: .seconds(1), maximum: .seconds(8)))

  @Test("five attempts, with longer waits between them")
  mutating func attempts() {
    let decisions = (1...6).map { policy.decision(afterFailure: $0, using: &generator) }
    let waits = [1, 2, 4, 8].map { RetryPolicy.Decision.retry(after: .seconds($0)) }
    #expect(decisions == waits + [.giveUp, .giveUp])
  }

  @Test("the server may ask for a longer wait, up to the longest one, but for no more attempts")
  mutating func retryAfter() {
    for (asked, wanted) in [(-9, 1), (5, 5), (999, 8)] {
      let decision = policy.decision(afterFailure: 1, retryAfter: .seconds(asked), using: &generator)
      #expect(decision == .retry(after: .seconds(wanted)))
    }
    #expect(policy.decision(afterFailure: 5, retryAfter: .seconds(5), using: &generator) == .giveUp)
  }

  @Test("a policy has at least one attempt, and no count of failures is too large or too small")
  mutating func extremes() {
    let none = RetryPolicy(attempts: .min, backoff: policy.backoff)
    #expect(none.attempts == 1 && none.decision(afterFailure: 1, using: &generator) == .giveUp)
    let endless = RetryPolicy(attempts: .max, backoff: policy.backoff)
    #expect(endless.decision(afterFailure: .max, using: &generator) == .giveUp)
    #expect(endless.decision(afterFailure: .max - 1, using: &generator) == .retry(after: .seconds(8)))
    #expect(endless.decision(afterFailure: .min, using: &generator) == .retry(after: .seconds(1)))
  }
}
