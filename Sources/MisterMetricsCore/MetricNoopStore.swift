public import Essentials

/// A store that discards everything: keeps the recording calls in a program without keeping their values.
///
/// ```swift
/// MetricManager.installGlobal(MetricNoopStore())
/// ```
public struct MetricNoopStore: MetricStore {
  /// A store that discards everything.
  public init() {}

  /// Discards the value.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {}

  /// No entries.
  public func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }

  /// Does nothing.
  public func sync() async throws {}

  /// Does nothing.
  public func clear() async throws {}
}

extension MetricNoopStore: EntrySink {
  /// Never publishes anything, so all values share one hub.
  package var updates: UpdateHub { Self.silence }

  /// Discards the entry.
  package func gather(_ entry: MetricEntry) {}

  /// Discards the entries.
  package func commit(_ entries: [MetricEntry]) async {}

  private static let silence = UpdateHub()
}

extension MetricStore where Self == MetricNoopStore {
  /// A store that discards everything.
  public static func noop() -> MetricNoopStore {
    MetricNoopStore()
  }
}
