package import Essentials

/// The client's clock.
package protocol DeliveryClock: Sendable {
  /// The time since an arbitrary origin; monotonic, and advances while the machine sleeps.
  var now: Duration { get }
  /// The calendar time, which may jump.
  var wallTime: Date { get }
  /// Waits until ``now`` has reached `deadline`.
  func sleep(until deadline: Duration) async throws
}

/// The system's clock.
package struct SystemDeliveryClock: DeliveryClock {
  private let start = ContinuousClock.now

  package init() {}

  package var now: Duration { ContinuousClock.now - start }
  package var wallTime: Date { Date() }

  package func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: start + deadline)
  }
}
