import Foundation
import MisterMetricsCore
import Platform

@testable import Sync

/// Preferences whose n-th write from now fails.
final class FailingPreferences: SyncPreferences {
  private let base = InMemoryPreferences()
  private let countdown = Locked(0)

  /// Says which write is to fail; 0 for none.
  func fail(at number: Int) {
    countdown.withLock { $0 = number }
  }

  func value(_ name: String) -> Data? { base.value(name) }

  func set(_ value: Data?, for name: String) throws {
    let isDue = countdown.withLock { left in
      left -= 1
      return left == 0
    }
    if isDue { throw SyncError(.store, detail: "on demand: \(name)") }
    base.set(value, for: name)
  }
}
