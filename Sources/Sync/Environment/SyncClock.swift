public import Essentials

/// The engine's time.
public protocol SyncClock: Sendable {
  /// The time since the clock's start, on which everything that waits is measured; it never goes back.
  var now: Duration { get }

  /// The moment of the calendar, for what people and servers read.
  var wallTime: Date { get }

  /// Waits until ``now`` has reached `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: When to go on.
  ///   - purpose: What is waited for, in a few words; simulations show it as what comes next.
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(until deadline: Duration, for purpose: String) async throws
}

/// Small values that outlive the process: the history, the time of the last success, the format of what waits, and
/// whether an erasing was cut short.
///
/// One environment (a server and an account) has one of these.
public protocol SyncPreferences: Sendable {
  /// The stored bytes, or `nil`.
  func value(_ name: String) -> Data?

  /// Stores bytes; `nil` removes them.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/store``.
  func set(_ value: Data?, for name: String) throws
}
