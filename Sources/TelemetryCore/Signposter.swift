public import MisterMetricsCore

/// Measures intervals and marks events; the counterpart of `OSSignposter`.
///
/// Make one per category and keep it. Every interval becomes a ``SignpostInterval``, every event a ``SignpostEvent`` in
/// a metric store: the category is the bucket, the name of the interval or event the metric.
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
/// Intervals of one name that overlap need ids, from ``makeSignpostID()``. One state takes one end, with the name and the
/// signposter of its begin. What breaks these rules never stops the program: the end is recorded, its message replaced
/// by a text like `[Error] Interval already ended`, and counted in ``misuses``.
public struct Signposter: Sendable {
  @usableFromInline
  let core: SignposterCore?

  /// A signposter that records through a metric store, without waiting for it.
  ///
  /// - Parameters:
  ///   - category: The bucket of what is recorded.
  ///   - snapshots: Whether processor time, memory and writes are measured too, which takes some microseconds.
  ///   - store: Where to; `nil` for the store of `MetricManager`.
  ///   - now: The clock; `nil` for one that no change of the wall clock moves.
  public init(
    category: String, snapshots: Bool = false, in store: AnyMetricStore? = nil,
    now: (@Sendable () -> Duration)? = nil
  ) {
    let recorder = SignpostRecorder(category: category, store: store)
    self.init(category: category, snapshots: snapshots, now: now, sink: { recorder.record($0) })
  }

  /// A signposter that hands every record over at once, on the thread of the call and in its order.
  ///
  /// ```swift
  /// let signposter = Signposter(category: "SyncEngine", now: { clock.now }) { record in records.append(record) }
  /// ```
  ///
  /// - Parameters:
  ///   - category: The bucket of what is recorded.
  ///   - snapshots: Whether processor time, memory and writes are measured too, which takes some microseconds.
  ///   - now: The clock; `nil` for one that no change of the wall clock moves.
  ///   - sink: Takes the records.
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

  /// Records nothing and evaluates no message.
  public static let disabled = Signposter()

  /// True if anything is recorded.
  public var isEnabled: Bool { core != nil }

  /// The category; empty when disabled.
  public var category: String { core?.category ?? "" }

  /// How many ends broke the rules of begin and end.
  public var misuses: Int { core?.misuses ?? 0 }

  /// An id that no other call of this signposter returns; ``SignpostID/null`` when disabled.
  public func makeSignpostID() -> SignpostID {
    core?.makeID() ?? .null
  }

  /// The id of an object, for as long as it lives; ``SignpostID/null`` when disabled.
  public func makeSignpostID(from object: AnyObject) -> SignpostID {
    isEnabled ? SignpostID(UInt64(UInt(bitPattern: ObjectIdentifier(object)))) : .null
  }
}
