public import Foundation

/// The time of the machine; it goes on while the machine sleeps.
public struct SystemSyncClock: SyncClock {
  private let start = ContinuousClock.now

  /// A clock that starts now.
  public init() {}

  /// The time since the clock was made.
  public var now: Duration { ContinuousClock.now - start }

  /// The moment of the calendar.
  public var wallTime: Date { Date() }

  /// Waits.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Duration, for purpose: String) async throws {
    try await ContinuousClock().sleep(until: start + deadline)
  }
}
