import Essentials
import Platform

/// The single serial queue behind `metric.record(…)`: records are delivered in call order.
///
/// A call costs an append under a lock. One task at a time takes everything pending and delivers it; it lingers briefly
/// when the queue is empty, so that steady recording does not start a task per record.
package final class RecordQueue: Sendable {
  /// The queue of `metric.record(…)`.
  package static let shared = RecordQueue()

  /// Maximum waiting records; beyond that the newest is dropped and counted.
  package static let capacity = 65_536

  /// The delivery of one pending record.
  package enum Delivery: Sendable {
    /// To a store of this package, without waiting.
    case sink(@Sendable () throws(MetricError) -> Void)
    /// To any other store.
    case store(@Sendable () async throws -> Void)
  }

  private struct State {
    var waiting: [Delivery] = []
    var isDraining = false
    var isDelivering = false
    var counts = MetricCounts()
    var forks = ForkCount.now

    /// Records that were pending when the process was forked are delivered by its parent.
    mutating func startEmptyAfterFork() {
      if forks != ForkCount.now { self = State() }
    }
  }

  private let state = Locked(State())
  private let linger: Duration

  /// A separate queue; programs use ``shared``.
  ///
  /// - Parameter linger: How long the delivering task stays after the queue becomes empty.
  package init(linger: Duration = .milliseconds(10)) {
    self.linger = linger
  }

  /// Counts of the records so far.
  package var counts: MetricCounts {
    state.withLock { $0.counts }
  }

  /// Appends a record, or drops and counts it when the queue is full.
  package func append(_ delivery: Delivery) {
    let startsDraining = state.withLock { state in
      state.startEmptyAfterFork()
      guard state.waiting.count < Self.capacity else {
        state.counts.queueFull += 1
        return false
      }
      state.counts.accepted += 1
      state.waiting.append(delivery)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    // Detached: neither the caller's actor nor its priority may delay delivery.
    if startsDraining { Task.detached { await self.drain() } }
  }

  /// Counts without queueing.
  package func count(_ change: @Sendable (inout MetricCounts) -> Void) {
    state.withLock { change(&$0.counts) }
  }

  /// Delivers what is pending for stores of this package; for the end of the process, when no task runs any more.
  func deliverBeforeExit() {
    state.withLock { $0.startEmptyAfterFork() }
    // Another thread may be in the middle of a batch; a store that never responds must not delay the exit for long.
    for _ in 0..<200 where state.withLock({ $0.isDelivering }) { usleep(1_000) }
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for case .sink(let accept) in waiting { try? accept() }
  }

  private func drain() async {
    var hasLingered = false
    while true {
      let batch = state.withLock { state in
        defer { state.waiting = [] }
        state.isDelivering = !state.waiting.isEmpty
        if state.waiting.isEmpty, hasLingered { state.isDraining = false }
        return state.waiting
      }
      if batch.isEmpty {
        if hasLingered { return }
        hasLingered = true
        try? await Task.sleep(for: linger)
      } else {
        hasLingered = false
        for delivery in batch { await deliver(delivery) }
      }
    }
  }

  private func deliver(_ delivery: Delivery) async {
    do {
      switch delivery {
      case .sink(let accept): try accept()
      case .store(let record): try await record()
      }
    } catch let error as MetricError where error.code == .unencodableValue {
      count { $0.unencodable += 1 }
    } catch {
      count { $0.failed += 1 }
    }
  }
}
