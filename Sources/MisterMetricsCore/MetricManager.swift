import Platform

/// The store behind `metric.record(…)`, installed once at the start of the program.
///
/// ```swift
/// @MainActor
/// func setupMetrics() throws {
///   MetricManager.installGlobal(try MetricFileStore(file: fileURL))
/// }
/// ```
///
/// Only installing needs the main actor; reading ``global`` and recording work from any thread, even while the main
/// thread is blocked.
public enum MetricManager {
  private static let installed = Locked<AnyMetricStore?>(nil)
  private static let hasNoted = Locked(false)

  /// Installs the store for everything recorded from now on; earlier records stay with the previous store.
  ///
  /// - Parameter store: The store.
  @MainActor
  public static func installGlobal(_ store: some MetricStore) {
    let erased = (store as? AnyMetricStore) ?? AnyMetricStore(store)
    installed.withLock { $0 = erased }
  }

  /// The installed store; before ``installGlobal(_:)``, a store that discards everything.
  ///
  /// Discarding is logged once and counted in ``counts``.
  public static var global: AnyMetricStore {
    if let store = installed.withLock({ $0 }) { return store }
    noteMissingStore()
    return AnyMetricStore(MetricNoopStore())
  }

  /// Counts of fire-and-forget records and unreadable values since the process started.
  public static var counts: MetricCounts {
    RecordQueue.shared.counts
  }

  /// The installed store, without logging if there is none.
  static var installedStore: AnyMetricStore? {
    installed.withLock { $0 }
  }

  /// Logs once per process that records are being discarded.
  static func noteMissingStore() {
    let isFirst = hasNoted.withLock { noted in
      defer { noted = true }
      return !noted
    }
    guard isFirst else { return }
    MetricLog.note("a metric was recorded before MetricManager.installGlobal(_:): it is discarded")
  }

  /// Removes the installed store and resets the log, so that a test can see the state before installation.
  package static func uninstallGlobal() {
    installed.withLock { $0 = nil }
    hasNoted.withLock { $0 = false }
  }
}
