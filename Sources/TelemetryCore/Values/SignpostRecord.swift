public import MisterMetricsCore

/// A finished record on its way from a ``Signposter`` to a sink.
public struct SignpostRecord: Sendable {
  /// The recorded value.
  public enum Value: Hashable, Sendable {
    case interval(SignpostInterval)
    case event(SignpostEvent)
  }

  /// The category of the signposter.
  public let category: String
  /// The name of the interval or event.
  public let name: StaticString
  /// The recorded value.
  public let value: Value
  /// Of an interval, what is not recorded in a store and yet counts in a payload.
  let details: Details?

  /// Details that only payloads need.
  struct Details: Sendable {
    /// True if begin and end broke the rules, so that the duration may be none.
    let isMisuse: Bool
    /// The resident memory of the process at the end; only with snapshots.
    let residentBytes: Int?
  }

  /// Records through a store as a signposter without a sink does, and returns when the store has it.
  ///
  /// - Throws: What the store throws.
  public func record(in store: some MetricStore) async throws {
    let bucket = Bucket(category)
    switch value {
    case .interval(let interval): try await store.record(bucket.metric(name.description), value: interval)
    case .event(let event): try await store.record(bucket.metric(name.description), value: event)
    }
  }
}
