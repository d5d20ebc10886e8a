/// The progress of a client, in numbers.
package struct ClientStatus: Sendable, Hashable {
  /// Events that the endpoint accepted.
  package var delivered = 0
  /// Accepted events that are neither delivered nor dropped.
  package var waiting = 0
  /// The waiting events that are on disk.
  package var stored = 0
  /// Dropped events, by cause.
  package var dropped: [DropCause: Int] = [:]
  /// Requests sent.
  package var requests = 0
  package var lifecycle = LifecycleMachine.State.idle
  /// True if a batch is in flight or a flush is in progress.
  package var isSending = false
  /// The time until the next attempt, if one is scheduled.
  package var retryIn: Duration?
  /// The endpoint's last answer: a status, or the reason that there was none.
  package var lastAnswer: String?

  package init() {}
}

extension ClientCore {
  /// The progress of the client.
  package var status: ClientStatus {
    var status = ClientStatus()
    status.delivered = deliveredCount
    status.waiting = waiting
    status.stored = machine.stored
    status.dropped = dropped
    status.requests = requestCount
    status.lifecycle = lifecycle.state
    status.isSending = machine.isFlushing
    status.retryIn = machine.retryAt.map { max(.zero, $0 - environment.clock.now) }
    status.lastAnswer = lastAnswer
    return status
  }
}
