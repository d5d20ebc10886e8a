package import Essentials

/// The time of the machine; it goes on while the machine sleeps.
package struct SystemSyncClock: SyncClock {
  private let start = ContinuousClock.now

  /// A clock that starts now.
  package init() {}

  /// The time since the clock was made.
  package var now: Duration { ContinuousClock.now - start }

  /// The moment of the calendar.
  package var wallTime: Date { Date() }

  /// Waits.
  ///
  /// - Throws: `CancellationError`.
  package func sleep(until deadline: Duration, for purpose: String) async throws {
    try await ContinuousClock().sleep(until: start + deadline)
  }
}
