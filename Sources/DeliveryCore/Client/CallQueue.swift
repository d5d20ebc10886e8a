import Platform

/// The mailbox of a client: calls of any thread, in one order.
///
/// Until the client is ready the calls wait here. A call costs an append under a lock, and no thread is ever held up.
package final class CallQueue: Sendable {
  private struct State {
    var calls = CallLine()
    var isReady = false
    var isDraining = false
    /// Calls that later ones pushed out.
    var pushedOut = 0
    /// Calls that wait at most for a client that is not ready.
    var limit: Int
  }

  private let state: Locked<State>
  /// Calls that wait at most for one that is: what a client cannot keep up with ends in memory, not in its queue.
  private static let limitOfReady = 65_536

  package init(limit: Int) {
    state = Locked(State(limit: max(1, limit)))
  }

  /// Sets how many calls may wait for a client that is not ready.
  package func setLimit(_ limit: Int) {
    state.withLock { state in
      state.limit = max(1, limit)
      while state.calls.count > state.limit, pushOut(&state) {}
    }
  }

  /// True if the client takes calls.
  package var isReady: Bool { state.withLock { $0.isReady } }

  /// Calls that wait.
  package var count: Int { state.withLock { $0.calls.count } }

  /// Appends a call; if the queue is full, the oldest fire-and-forget call is dropped.
  ///
  /// - Returns: True if the client has to be notified.
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

  /// Lets the client take calls from now on.
  ///
  /// - Returns: True if it has to be notified of waiting calls.
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

  /// Takes the oldest waiting calls; if there are none, the client has to be notified of the next one.
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

  /// True if no one waits for an answer.
  var isSilent: Bool {
    switch self {
    case .event, .setAdvertisingID, .setTracing, .enableDebugLogging, .recordOpenedURL, .networkChanged,
      .enterForeground:
      true
    case .anonymousID, .debugInfo, .status, .reset: false
    case .flush(let waiter), .enterBackground(let waiter), .terminate(let waiter): waiter == nil
    }
  }
}
