package import Essentials

/// The client's time.
package protocol DeliveryClock: Sendable {
  /// The time since some moment, which never goes back and goes on while the machine sleeps.
  var now: Duration { get }
  /// The moment of the calendar, which may jump.
  var wallTime: Date { get }
  /// Waits until ``now`` has reached `deadline`.
  func sleep(until deadline: Duration) async throws
}

/// The time of the machine.
package struct SystemDeliveryClock: DeliveryClock {
  private let start = ContinuousClock.now

  package init() {}

  package var now: Duration { ContinuousClock.now - start }
  package var wallTime: Date { Date() }

  package func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: start + deadline)
  }
}
