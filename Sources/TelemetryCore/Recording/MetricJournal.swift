package import Essentials
package import MisterMetricsCore
import Platform

/// An engine's metric entries, in order, on their way to a ``MetricStore``.
///
/// The engine adds entries while it decides and has them written at its next pause; a simulation takes them out
/// instead, so that it does not depend on a disk. If the store is slower than the engine, the oldest waiting entries
/// are dropped and counted as lost.
package final class MetricJournal: Sendable {
  private struct Entry: Sendable {
    let entry: MetricEntry
    /// Records the value in a store that does not accept encoded entries.
    let record: @Sendable (any MetricStore) async throws -> Void
  }

  private struct State {
    var entries: [Entry] = []
    var added = 0
    var lost = 0
    var isWriting = false
  }

  private let state = Locked(State())
  private let limit: Int
  private let stamp: @Sendable () -> Date

  /// A journal of at most `limit` waiting entries, timestamped by `stamp`.
  package init(limit: Int = .max, stamp: @escaping @Sendable () -> Date) {
    self.limit = limit
    self.stamp = stamp
  }

  /// The timestamp of an entry added now.
  package var time: Date { stamp() }

  /// Number of entries that no store received.
  package var lost: Int { state.withLock { $0.lost } }

  /// Number of entries added so far.
  package var added: Int { state.withLock { $0.added } }

  /// True if entries are waiting to be taken or written.
  package var hasEntries: Bool { state.withLock { !$0.entries.isEmpty } }

  /// Adds an entry; a value that cannot be encoded as JSON is counted as lost.
  package func add<Value: MetricValue>(_ metric: Metric<Value>, _ value: Value) {
    guard let entry = try? MetricEntry(timestamp: stamp(), metric: metric, encoding: value) else {
      state.withLock { $0.lost += 1 }
      return
    }
    let new = Entry(entry: entry) { try await $0.record(metric, value: value) }
    state.withLock { state in
      state.added += 1
      state.entries.append(new)
      // In bulk, because each removal at the front moves all other entries.
      guard state.entries.count > limit else { return }
      let excess = state.entries.count - limit / 2
      state.entries.removeFirst(excess)
      state.lost += excess
    }
  }

  /// Removes and returns all waiting entries.
  package func take() -> [MetricEntry] {
    state.withLock { state in
      defer { state.entries = [] }
      return state.entries.map(\.entry)
    }
  }

  /// Writes the added entries in order; one caller at a time writes for all.
  package func write(to store: AnyMetricStore) async {
    let isFirst = state.withLock { state in
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard isFirst else { return }
    while true {
      // Stops in the same critical section that finds no entries: those added later find no writer and start one.
      let entries = state.withLock { state in
        defer { state.entries = [] }
        state.isWriting = !state.entries.isEmpty
        return state.entries
      }
      if entries.isEmpty { break }
      let lost = await write(entries, to: store)
      if lost > 0 { state.withLock { $0.lost += lost } }
    }
  }

  /// - Returns: Number of entries that the store did not accept.
  private func write(_ entries: [Entry], to store: AnyMetricStore) async -> Int {
    do {
      try await store.append(entries.map(\.entry))
      return 0
    } catch let error as MetricError where error.code == .unsupported {
      var lost = 0
      for entry in entries {
        do { try await entry.record(store) } catch { lost += 1 }
      }
      return lost
    } catch {
      return entries.count
    }
  }
}
