package import Essentials

/// The system's time; it advances while the machine sleeps.
package struct SystemSyncClock: SyncClock {
  private let start = ContinuousClock.now

  /// Creates a clock that starts now.
  package init() {}

  /// The time since the clock's creation.
  package var now: Duration { ContinuousClock.now - start }

  /// The calendar time.
  package var wallTime: Date { Date() }

  /// Waits until `deadline`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func sleep(until deadline: Duration, for purpose: String) async throws {
    try await ContinuousClock().sleep(until: start + deadline)
  }
}
