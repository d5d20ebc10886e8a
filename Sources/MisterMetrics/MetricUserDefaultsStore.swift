import Dispatch
public import Foundation
public import MisterMetricsCore
import Platform

/// A store in `UserDefaults`, under a single key: for small amounts of simple local persistence.
///
/// ```swift
/// let store = try await MetricUserDefaultsStore(userDefaults: .standard, userDefaultKey: "metrics")
/// MetricManager.installGlobal(store)
/// ```
///
/// The key holds one `Data`: the JSON array of all ``MetricEntry`` values. Every record rewrites it as a whole, so
/// processes that write the same key at the same time overwrite each other's records; use a ``MetricFileStore`` if
/// several processes record.
public final class MetricUserDefaultsStore: MetricStore {
  package let updates = UpdateHub()
  private let state: Locked<UserDefaultsEntries>

  /// A store in a defaults database, which starts with the current contents of the key.
  ///
  /// Contents that are not a valid JSON array are kept under `<key>.damaged`, in place of earlier ones.
  ///
  /// - Parameters:
  ///   - userDefaults: The defaults database.
  ///   - userDefaultKey: The key; must not be empty.
  /// - Throws: ``MetricError`` with ``MetricError/Code/unsupported`` for an empty key.
  @MainActor
  public init(userDefaults: sending UserDefaults, userDefaultKey: String) throws {
    guard !userDefaultKey.isEmpty else {
      throw MetricError(.unsupported, "the key of a defaults store is empty")
    }
    state = Locked(UserDefaultsEntries(defaults: userDefaults, key: userDefaultKey))
    state.withLock { $0.read() }
    ExitFlush.register(self)
  }

  /// Stored elements that are not entries; they are kept, but not returned.
  public var undecodable: Int { state.withLock { $0.undecodable } }

  /// Stores the value.
  ///
  /// - Throws: ``MetricError`` with ``MetricError/Code/unencodableValue`` for a value that cannot be encoded as JSON.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await commit(metric, value: value)
  }

  /// The entries of a time range, both ends included.
  public func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] {
    let all = state.withLock { $0.entries }
    return all.filter { startDate <= $0.timestamp && $0.timestamp <= endDate }
  }

  /// Reads the key again, to pick up changes by other processes.
  public func sync() async throws {
    state.withLock { state in
      state.synchronize()
      state.read()
    }
  }

  /// Removes the key.
  public func clear() async throws {
    state.withLock { $0.clear() }
  }
}

extension MetricUserDefaultsStore: EntrySink {
  /// Stores the entry.
  package func gather(_ entry: MetricEntry) throws(MetricError) {
    try keep([entry])
    guard state.withLock({ $0.scheduleSynchronizing() }) else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(250)) { [weak self] in
      self?.flushBeforeExit()
    }
  }

  /// Stores the entries.
  package func commit(_ entries: [MetricEntry]) async throws(MetricError) {
    try keep(entries)
    state.withLock { $0.synchronize() }
  }

  private func keep(_ entries: [MetricEntry]) throws(MetricError) {
    try state.withLock { (state) throws(MetricError) in try state.append(entries) }
    updates.publish(entries)
  }
}

extension MetricUserDefaultsStore: ExitFlushing {
  package func flushBeforeExit() {
    state.withLock { $0.synchronize() }
  }
}

extension MetricStore where Self == MetricUserDefaultsStore {
  /// A store in `UserDefaults`.
  ///
  /// - Parameters:
  ///   - userDefaults: The defaults database.
  ///   - key: The key; must not be empty.
  /// - Throws: ``MetricError`` for an empty key.
  public static func userDefaults(
    _ userDefaults: sending UserDefaults, key: String
  ) async throws -> MetricUserDefaultsStore {
    try await MetricUserDefaultsStore(userDefaults: userDefaults, userDefaultKey: key)
  }
}
