import Platform

/// Passes accepted entries on to all subscribers of a store.
package final class UpdateHub: Sendable {
  /// Maximum entries pending for a slow subscriber; beyond that, the oldest are dropped.
  package static let capacity = 65_536

  private struct State {
    var nextID = 0
    var followers: [Int: AsyncStream<MetricEntry>.Continuation] = [:]
  }

  private let state = Locked(State())

  /// A hub without subscribers.
  package init() {}

  /// True if there are subscribers; checked before entries are created only for them.
  package var isFollowed: Bool {
    state.withLock { !$0.followers.isEmpty }
  }

  /// Passes `entries` to every subscriber.
  package func publish(_ entries: some Sequence<MetricEntry>) {
    let followers = state.withLock { Array($0.followers.values) }
    guard !followers.isEmpty else { return }
    for entry in entries {
      for follower in followers { follower.yield(entry) }
    }
  }

  /// All entries published from now on.
  package func entries() -> AsyncStream<MetricEntry> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MetricEntry.self, bufferingPolicy: .bufferingNewest(Self.capacity))
    let id = state.withLock { state in
      state.nextID += 1
      state.followers[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.followers.removeValue(forKey: id) }
    }
    return stream
  }

  /// Ends all streams.
  package func finish() {
    let followers = state.withLock { state in
      defer { state.followers.removeAll() }
      return Array(state.followers.values)
    }
    for follower in followers { follower.finish() }
  }
}
