import DeliveryCore
package import Platform

/// The actions of a client in one branch from a moment on, as far as two branches are compared.
package struct ClientCourse: EngineCourse {
  package typealias Record = DeliveryEntry

  package private(set) var pending: Int
  package private(set) var opens = 0
  package private(set) var acknowledged = 0
  /// The longest wait of an event that was the oldest one, in seconds.
  package private(set) var longestWait = 0.0
  package private(set) var depths: [(time: Timestamp, pending: Int)] = []
  private var isOpen: Bool
  private var oldestAt: Double?

  /// A course that begins with a state.
  init(from state: ClientState) {
    pending = state.waiting
    isOpen = state.breaker?.value.state == CircuitState.open
    oldestAt = state.oldest?.seconds
  }

  package func longestWaiting(at moment: Timestamp) -> Double {
    guard let oldestAt, oldestAt.isFinite else { return 0 }
    return max(0, moment - Timestamp(oldestAt))
  }

  package mutating func handle(_ entry: DeliveryEntry, at time: Timestamp) {
    switch entry {
    case .queue(let queue):
      longestWait = max(longestWait, longestWaiting(at: time))
      oldestAt = queue.oldestAt
      let count = ClientState.sum(max(0, queue.memory), max(0, queue.disk))
      guard count != pending || depths.isEmpty else { return }
      pending = count
      depths.append((time, count))
    case .breaker(let breaker):
      if breaker.state == CircuitState.open && !isOpen { opens += 1 }
      isOpen = breaker.state == CircuitState.open
    case .batch(let batch):
      if BatchResult(batch) == .delivered { acknowledged = ClientState.sum(acknowledged, max(0, batch.size)) }
    case .lifecycle, .drop, .act, .fault, .simulation, .configuration: break
    }
  }
}
