import Resilience

/// The delivery of a block: it is inserted, and after any failure the server is asked for it before it is inserted again.
///
/// The server is the cursor. An insert that failed may have been taken all the same, and one that still runs may yet be,
/// so nothing is sent again before the server has answered that nothing runs and that it has none of the rows. A process
/// that continues where another ended asks first.
package struct Delivery: Sendable {
  /// The next action.
  package enum Action: Hashable, Sendable {
    case insert
    /// Ask whether an insert of the stream is still running.
    case askRunning
    /// Ask for the rows.
    case askArrived
    case wait(Duration)
    case finished
  }

  /// The result of an action.
  package enum Outcome: Hashable, Sendable {
    case inserted
    case failed
    case running(Bool)
    case arrived(Bool)
    case waited
  }

  /// The waits between attempts.
  private static let backoff = Backoff(base: .milliseconds(250), maximum: .seconds(10), jitter: 0.2)

  package private(set) var action: Action
  /// False for a mere question.
  private let inserts: Bool
  /// Failures in a row.
  private var failures = 0

  /// - Parameter inserts: False to ask only, for the rows of an earlier process.
  package init(inserts: Bool) {
    self.inserts = inserts
    action = inserts ? .insert : .askRunning
  }

  package mutating func conclude(_ outcome: Outcome, using generator: inout some RandomNumberGenerator) {
    switch outcome {
    case .inserted: action = .finished
    case .failed:
      failures += 1
      let multiplier = Self.backoff.multiplier(ofWait: failures)
      action = .wait(Self.backoff.wait(multiplier: multiplier, using: &generator))
    case .waited: action = .askRunning
    case .running(let isRunning): action = isRunning ? .wait(Self.backoff.base) : .askArrived
    case .arrived(let isThere): action = isThere || !inserts ? .finished : .insert
    }
  }
}
