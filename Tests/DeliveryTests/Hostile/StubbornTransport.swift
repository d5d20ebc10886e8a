import DeliveryCore
import Platform

/// A transport that never returns, whether its task is cancelled or not, until the test lets it go.
final class StubbornTransport: DeliveryTransport {
  private struct State {
    var asked = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isOver = false
  }

  private let state = Locked(State())

  /// How many posts there were.
  var asked: Int { state.withLock { $0.asked } }

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.asked += 1
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
    return DeliveryAnswer(status: 401)
  }

  /// Waits until there were so many posts.
  func untilAsked(_ count: Int) async {
    await eventually { asked >= count }
  }

  /// Lets all posts end, with an answer that would disable a client if it counted.
  func release() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOver = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
