public import Essentials
import Platform

/// Preferences that last as long as the process; copies share them.
public struct InMemoryPreferences: SyncPreferences {
  private let values: Locked<[String: Data]>

  /// Creates preferences with initial values.
  public init(_ values: [String: Data] = [:]) {
    self.values = Locked(values)
  }

  /// The stored bytes, or `nil`.
  public func value(_ name: String) -> Data? {
    values.withLock { $0[name] }
  }

  /// Stores bytes; `nil` removes them.
  public func set(_ value: Data?, for name: String) {
    values.withLock { $0[name] = value }
  }
}
