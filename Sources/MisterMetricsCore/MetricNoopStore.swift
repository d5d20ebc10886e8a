public import Essentials

/// A store that drops everything: keeps the calls in a program without keeping their values.
///
/// ```swift
/// MetricManager.installGlobal(MetricNoopStore())
/// ```
public struct MetricNoopStore: MetricStore {
  /// A store that drops everything.
  public init() {}

  /// Drops the value.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {}

  /// Nothing.
  public func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }

  /// Does nothing.
  public func sync() async throws {}

  /// Does nothing.
  public func clear() async throws {}
}

extension MetricNoopStore: EntrySink {
  /// No one has anything to tell here; a shared hub saves one per value.
  package var updates: UpdateHub { Self.silence }

  /// Drops the entry.
  package func gather(_ entry: MetricEntry) {}

  /// Drops the entries.
  package func commit(_ entries: [MetricEntry]) async {}

  private static let silence = UpdateHub()
}

extension MetricStore where Self == MetricNoopStore {
  /// A store that drops everything.
  public static func noop() -> MetricNoopStore {
    MetricNoopStore()
  }
}
