package import Essentials
package import MisterMetricsCore
import Platform

/// Records of an engine, in order, on their way to a ``MetricStore``.
///
/// The engine adds entries while it decides and has them written at its next pause; a simulation takes them out
/// instead, so that nothing of it depends on a disk. Where a store is slower than the engine, the oldest entries that it
/// has not taken yet are counted as lost.
package final class MetricJournal: Sendable {
  private struct Entry: Sendable {
    let entry: MetricEntry
    /// Records the value in a store that takes no finished entries.
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

  /// A journal whose entries are stamped by `stamp`, and of which at most `limit` wait.
  package init(limit: Int = .max, stamp: @escaping @Sendable () -> Date) {
    self.limit = limit
    self.stamp = stamp
  }

  /// The time that entries of this moment bear.
  package var time: Date { stamp() }

  /// How many entries no store took.
  package var lost: Int { state.withLock { $0.lost } }

  /// How many entries were added so far.
  package var added: Int { state.withLock { $0.added } }

  /// True if something waits to be taken or written.
  package var hasEntries: Bool { state.withLock { !$0.entries.isEmpty } }

  /// Adds an entry; a value that JSON cannot express is counted as lost.
  package func add<Value: MetricValue>(_ metric: Metric<Value>, _ value: Value) {
    guard let entry = try? MetricEntry(timestamp: stamp(), metric: metric, encoding: value) else {
      state.withLock { $0.lost += 1 }
      return
    }
    let new = Entry(entry: entry) { try await $0.record(metric, value: value) }
    state.withLock { state in
      state.added += 1
      state.entries.append(new)
      // In one go, because each removal at the front moves all others.
      guard state.entries.count > limit else { return }
      let excess = state.entries.count - limit / 2
      state.entries.removeFirst(excess)
      state.lost += excess
    }
  }

  /// Removes and returns everything added since.
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
      // The end is decided together with finding nothing: what is added after that finds no one writing.
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

  /// - Returns: How many entries the store did not take.
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
