public import Essentials

/// The engine's time.
public protocol SyncClock: Sendable {
  /// The time since the clock's start, the base of all waits; monotonic.
  var now: Duration { get }

  /// The calendar time, for people and servers.
  var wallTime: Date { get }

  /// Waits until ``now`` has reached `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: The end of the wait.
  ///   - purpose: The purpose of the wait in a few words; simulations show it as the next event.
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(until deadline: Duration, for purpose: String) async throws
}

/// Small values that outlive the process: run history, time of the last success, payload format, and the mark of an
/// interrupted erase.
///
/// Each environment (a server and an account) has its own.
public protocol SyncPreferences: Sendable {
  /// The stored bytes, or `nil`.
  func value(_ name: String) -> Data?

  /// Stores bytes; `nil` removes them.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/store``.
  func set(_ value: Data?, for name: String) throws
}
