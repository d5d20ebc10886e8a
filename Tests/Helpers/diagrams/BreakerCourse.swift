import Resilience
import SimulationKit

/// The reaction of a circuit breaker to every input in every state, found by trying; one call is under way at a time.
struct BreakerCourse {
  /// Inputs to a breaker, in the order of the drawing.
  enum Input: String, CaseIterable {
    case permit = "call asks"
    case cooldown = "cooldown over"
    case failure
    case success
    case otherAnswer = "another answer"
    case notSent = "not sent"
    case reset
  }

  struct Arrow {
    let from: CircuitBreaker.State
    let to: CircuitBreaker.State
    /// The input, and what else has to hold where the state alone does not decide.
    let words: String
  }

  /// A breaker at a moment.
  private struct Moment: Hashable {
    var breaker: CircuitBreaker
    var now = Duration.zero
    /// True if a call was let through and has not ended.
    var isCalling = false

    var state: CircuitBreaker.State { breaker.state(at: now) }
  }

  private struct Step: Hashable {
    let from: CircuitBreaker.State
    let input: Input
    let to: CircuitBreaker.State
  }

  let start: CircuitBreaker.State
  let arrows: [Arrow]

  /// Tries every input from a new breaker on, as far as it takes to trip and to try.
  init(_ configuration: CircuitBreaker.Configuration) {
    let first = Moment(breaker: CircuitBreaker(configuration))
    start = first.state
    var failures: [Step: Set<Int>] = [:]
    var known: Set = [first]
    var edge = [first]
    for _ in 0..<2 * configuration.threshold + 4 {
      var next: [Moment] = []
      for moment in edge {
        for input in Input.allCases {
          guard let after = Self.after(input, moment) else { continue }
          failures[Step(from: moment.state, input: input, to: after.state), default: []]
            .insert(moment.breaker.consecutiveFailures)
          if known.insert(after).inserted { next.append(after) }
        }
      }
      edge = next
    }
    arrows = Self.arrows(failures)
  }

  private static func after(_ input: Input, _ before: Moment) -> Moment? {
    var after = before
    // Whatever the chance, the states are the same.
    var generator = SimulationRandom(seed: 1)
    switch input {
    case .permit:
      guard !before.isCalling else { return nil }
      after.isCalling = after.breaker.permit(at: after.now) == .allowed
    case .failure, .success, .otherAnswer, .notSent:
      guard before.isCalling else { return nil }
      after.isCalling = false
    case .cooldown, .reset: break
    }
    switch input {
    case .permit: break
    case .cooldown:
      guard before.state == .open, let until = before.breaker.until else { return nil }
      after.now = until
    case .failure: _ = after.breaker.recordFailure(at: after.now, using: &generator)
    case .success: after.breaker.recordSuccess()
    case .otherAnswer: after.breaker.recordOtherAnswer()
    case .notSent: after.breaker.releaseProbe()
    case .reset: after.breaker.reset()
    }
    return after
  }

  private static func arrows(_ failures: [Step: Set<Int>]) -> [Arrow] {
    let states = CircuitBreaker.State.allCases
    return states.flatMap { from in
      Input.allCases.flatMap { input in
        let steps = states.map { Step(from: from, input: input, to: $0) }.filter { failures[$0] != nil }
        return steps.map { step in
          // Where one state leads to several, it is the failures so far that decide.
          let before = failures[step, default: []].map { $0 + 1 }.sorted().map(String.init)
          let words = steps.count == 1 ? "" : " [number \(before.joined(separator: " or ")) in a row]"
          return Arrow(from: from, to: step.to, words: input.rawValue + words)
        }
      }
    }
  }
}
