import Platform

/// The mailbox of a client: calls from any thread, in one order.
///
/// Calls are buffered here until the client is ready. A call costs one append under a lock, and never blocks its
/// thread.
package final class CallQueue: Sendable {
  private struct State {
    var calls = CallLine()
    var isReady = false
    var isDraining = false
    /// Calls dropped in favor of later ones.
    var pushedOut = 0
    /// Maximum buffered calls while the client is not ready.
    var limit: Int
  }

  private let state: Locked<State>
  /// Maximum buffered calls of a ready client: a burst that it cannot keep up with must not exhaust memory.
  private static let limitOfReady = 65_536

  package init(limit: Int) {
    state = Locked(State(limit: max(1, limit)))
  }

  /// Sets the maximum of buffered calls for a client that is not ready.
  package func setLimit(_ limit: Int) {
    state.withLock { state in
      state.limit = max(1, limit)
      while state.calls.count > state.limit, pushOut(&state) {}
    }
  }

  /// True if the client accepts calls.
  package var isReady: Bool { state.withLock { $0.isReady } }

  /// Number of buffered calls.
  package var count: Int { state.withLock { $0.calls.count } }

  /// Appends a call; if the queue is full, the oldest fire-and-forget call is dropped.
  ///
  /// - Returns: True if the client must be notified.
  package func append(_ call: Call) -> Bool {
    state.withLock { state in
      state.calls.append(call)
      if state.calls.count > (state.isReady ? Self.limitOfReady : state.limit) { _ = pushOut(&state) }
      return startsDraining(&state)
    }
  }

  private func pushOut(_ state: inout State) -> Bool {
    guard state.calls.pushOut() else { return false }
    state.pushedOut += 1
    return true
  }

  /// Opens the mailbox to the client.
  ///
  /// - Returns: True if the client must be notified of buffered calls.
  package func open() -> Bool {
    state.withLock { state in
      state.isReady = true
      return startsDraining(&state)
    }
  }

  private func startsDraining(_ state: inout State) -> Bool {
    guard state.isReady, !state.isDraining, !state.calls.isEmpty else { return false }
    state.isDraining = true
    return true
  }

  /// Removes the recorded URLs; the first opening after a start reports the last of them.
  package func takeOpenedURL() -> Call? {
    state.withLock { state in
      let calls = state.calls.all
      state.calls = CallLine(calls.filter { !$0.isOpenedURL })
      return calls.last(where: \.isOpenedURL)
    }
  }

  /// Takes the oldest buffered calls; if there are none, the client must be notified of the next one.
  package func take(_ limit: Int = .max) -> (calls: [Call], pushedOut: Int) {
    let (calls, pushedOut) = state.withLock { state in
      defer { state.pushedOut = 0 }
      if state.calls.isEmpty { state.isDraining = false }
      return (state.calls.take(limit), state.pushedOut)
    }
    return (calls.all, pushedOut)
  }
}

extension Call {
  fileprivate var isOpenedURL: Bool {
    if case .recordOpenedURL = self { true } else { false }
  }

  /// True if no caller waits for an answer.
  var isSilent: Bool {
    switch self {
    case .event, .setAdvertisingID, .setTracing, .enableDebugLogging, .recordOpenedURL, .networkChanged,
      .enterForeground, .sendRefusedAgain:
      true
    case .anonymousID, .debugInfo, .status, .refusedEvents, .reset: false
    case .flush(let waiter), .enterBackground(let waiter), .terminate(let waiter): waiter == nil
    }
  }
}
