import Platform

/// Passes accepted entries on to all followers of a store.
package final class UpdateHub: Sendable {
  /// Maximum entries that wait for a slow follower; beyond that its oldest are dropped.
  package static let capacity = 65_536

  private struct State {
    var nextID = 0
    var followers: [Int: AsyncStream<MetricEntry>.Continuation] = [:]
  }

  private let state = Locked(State())

  /// A hub without followers.
  package init() {}

  /// True if anyone follows; asked before entries are made only for followers.
  package var isFollowed: Bool {
    state.withLock { !$0.followers.isEmpty }
  }

  /// Hands `entries` to every follower.
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
