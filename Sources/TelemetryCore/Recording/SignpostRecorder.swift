import Essentials
import MisterMetricsCore
import Platform

/// Records signposts through a metric store without waiting for it.
///
/// Passing each one to the queue of `metric.record(_:in:)` would cost too much for a signpost: a closure each,
/// allocated here and freed by another thread. Instead they wait in a row, and the queue gets one closure that turns
/// the whole row into entries. Order and timestamps are those of the calls. Relative to other metrics they may arrive
/// a few milliseconds early, and a global store that is installed meanwhile receives the next row.
final class SignpostRecorder: Sendable {
  private struct Waiting {
    let name: StaticString
    let value: SignpostRecord.Value
    let timestamp: Date
  }

  private struct State {
    var row: [Waiting] = []
    /// The previous row's storage, reused so that a busy program does not reallocate it constantly.
    var spare: [Waiting] = []
  }

  /// Maximum number of entries whose storage is kept.
  private static let spareCapacity = 2048

  private let bucket: Bucket
  private let store: AnyMetricStore?
  private let queue: RecordQueue
  /// True if the given store does not accept encoded entries, so the row would only be a detour.
  private let isForeign: Bool
  private let state = Locked(State())

  init(category: String, store: AnyMetricStore?, queue: RecordQueue = .shared) {
    bucket = Bucket(category)
    self.store = store
    self.queue = queue
    isForeign = store.map { $0.sink == nil } ?? false
  }

  func record(_ record: SignpostRecord) {
    let waiting = Waiting(name: record.name, value: record.value, timestamp: Date())
    if isForeign { return recordSlowly(waiting) }
    let before = state.withLock { state in
      let before = state.row.count
      if before < RecordQueue.capacity { state.row.append(waiting) }
      return before
    }
    if before == 0 { startDelivery() }
    // The regular path drops it and counts that, or finds room after all.
    if before == RecordQueue.capacity { recordSlowly(waiting) }
  }

  private func startDelivery() {
    let store = self.store ?? MetricManager.global
    let isNone = self.store == nil && (store.unbox() as MetricNoopStore?) != nil
    guard let sink = store.sink, !isNone else { return takeRow().forEach(recordSlowly) }
    let dropped = queue.counts.queueFull
    queue.append(.sink { () throws(MetricError) in try self.deliver(to: sink) })
    // With a full queue, no one else would ever empty the row.
    if queue.counts.queueFull != dropped { takeRow().forEach(recordSlowly) }
  }

  private func takeRow() -> [Waiting] {
    state.withLock { state in
      defer {
        state.row = state.spare
        state.spare = []
      }
      return state.row
    }
  }

  private func keep(_ row: consuming [Waiting]) {
    guard row.capacity <= Self.spareCapacity else { return }
    row.removeAll(keepingCapacity: true)
    state.withLock { $0.spare = row }
  }

  private func deliver(to sink: any EntrySink) throws(MetricError) {
    var errors: [MetricError] = []
    let row = takeRow()
    for waiting in row {
      do {
        try sink.gather(entry(of: waiting))
      } catch {
        errors.append(error)
      }
    }
    keep(row)
    guard let first = errors.first else { return }
    // The queue counts one failure per closure, so every further error needs its own.
    for error in errors.dropFirst() {
      queue.append(.sink { () throws(MetricError) in throw error })
    }
    throw first
  }

  private func entry(of waiting: Waiting) throws(MetricError) -> MetricEntry {
    switch waiting.value {
    case .interval(let interval):
      try MetricEntry(timestamp: waiting.timestamp, metric: metric(waiting.name), encoding: interval)
    case .event(let event):
      try MetricEntry(timestamp: waiting.timestamp, metric: metric(waiting.name), encoding: event)
    }
  }

  /// Uses the regular path, which supports stores outside the package, and counts if there is no store.
  private func recordSlowly(_ waiting: Waiting) {
    switch waiting.value {
    case .interval(let interval): metric(waiting.name).record(interval, in: store)
    case .event(let event): metric(waiting.name).record(event, in: store)
    }
  }

  private func metric<Value: MetricValue>(_ name: StaticString) -> Metric<Value> {
    Metric(name: name.description, in: bucket)
  }
}
