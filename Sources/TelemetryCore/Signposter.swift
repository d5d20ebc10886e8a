public import MisterMetricsCore

/// Measures intervals and marks events; the counterpart of `OSSignposter`.
///
/// Create one per category and keep it. Every interval becomes a ``SignpostInterval`` and every event a
/// ``SignpostEvent`` in a metric store: the category is the bucket, and the name of the interval or event is the
/// metric.
///
/// ```swift
/// let signposter = Signposter(category: "Images")
///
/// let state = signposter.beginInterval("Decode")
/// decode(image)
/// signposter.endInterval("Decode", state, "\(image.width) pixels wide")
///
/// let thumbnail = signposter.withIntervalSignpost("Scale") { scale(image) }
/// signposter.emitEvent("CacheMiss")
/// ```
///
/// Overlapping intervals with the same name need ids from ``makeSignpostID()``. A state takes one end, with the name
/// and signposter of its begin. Breaking these rules never stops the program: the end is recorded with a message like
/// `[Error] Interval already ended`, and counted in ``misuses``.
public struct Signposter: Sendable {
  @usableFromInline
  let core: SignposterCore?

  /// A signposter that records through a metric store, without waiting for it.
  ///
  /// - Parameters:
  ///   - category: The bucket of the records.
  ///   - snapshots: True to measure processor time, memory and writes too, which takes a few microseconds.
  ///   - store: The destination; `nil` for the store of `MetricManager`.
  ///   - now: The clock; `nil` for a monotonic one.
  public init(
    category: String, snapshots: Bool = false, in store: AnyMetricStore? = nil,
    now: (@Sendable () -> Duration)? = nil
  ) {
    let recorder = SignpostRecorder(category: category, store: store)
    self.init(category: category, snapshots: snapshots, now: now, sink: { recorder.record($0) })
  }

  /// A signposter that passes every record to a closure immediately, on the calling thread and in order.
  ///
  /// ```swift
  /// let signposter = Signposter(category: "SyncEngine", now: { clock.now }) { record in records.append(record) }
  /// ```
  ///
  /// - Parameters:
  ///   - category: The bucket of the records.
  ///   - snapshots: True to measure processor time, memory and writes too, which takes a few microseconds.
  ///   - now: The clock; `nil` for a monotonic one.
  ///   - sink: Receives the records.
  public init(
    category: String, snapshots: Bool = false,
    now: (@Sendable () -> Duration)? = nil,
    sink: @escaping @Sendable (SignpostRecord) -> Void
  ) {
    core = SignposterCore(category: category, takesSnapshots: snapshots, now: now, sink: sink)
  }

  private init() {
    core = nil
  }

  /// A signposter that records nothing and evaluates no messages.
  public static let disabled = Signposter()

  /// True unless the signposter is disabled.
  public var isEnabled: Bool { core != nil }

  /// The category; empty when disabled.
  public var category: String { core?.category ?? "" }

  /// Number of ends with a misuse.
  public var misuses: Int { core?.misuses ?? 0 }

  /// An id that no other call of this signposter returns; ``SignpostID/null`` when disabled.
  public func makeSignpostID() -> SignpostID {
    core?.makeID() ?? .null
  }

  /// The id of an object, valid for its lifetime; ``SignpostID/null`` when disabled.
  public func makeSignpostID(from object: AnyObject) -> SignpostID {
    isEnabled ? SignpostID(UInt64(UInt(bitPattern: ObjectIdentifier(object)))) : .null
  }
}
