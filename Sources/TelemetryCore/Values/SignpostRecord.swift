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
  /// Details of an interval that are needed in payloads but not recorded in a store.
  let details: Details?

  /// Details that only payloads need.
  struct Details: Sendable {
    /// True for a misuse of begin and end, so that the duration may be meaningless.
    let isMisuse: Bool
    /// The resident memory of the process at the end; only with snapshots.
    let residentBytes: Int?
  }

  /// Records through a store in the same form as a signposter does, and returns when the store has it.
  ///
  /// - Throws: The store's error.
  public func record(in store: some MetricStore) async throws {
    let bucket = Bucket(category)
    switch value {
    case .interval(let interval): try await store.record(bucket.metric(name.description), value: interval)
    case .event(let event): try await store.record(bucket.metric(name.description), value: event)
    }
  }
}
