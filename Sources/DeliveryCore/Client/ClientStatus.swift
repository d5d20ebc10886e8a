/// How far a client has come, in numbers.
package struct ClientStatus: Sendable, Hashable {
  /// Events that the endpoint took.
  package var delivered = 0
  /// Events that were accepted and are neither delivered nor dropped.
  package var waiting = 0
  /// Those of them that are on disk.
  package var stored = 0
  /// Events that were abandoned, by cause.
  package var dropped: [DropCause: Int] = [:]
  /// Requests that went out.
  package var requests = 0
  package var lifecycle = LifecycleMachine.State.idle
  /// True if a batch is in flight or a flush goes on.
  package var isSending = false
  /// Until the next attempt, where one is armed.
  package var retryIn: Duration?
  /// The endpoint's last answer: a status, or why there was no answer.
  package var lastAnswer: String?

  package init() {}
}

extension ClientCore {
  /// How far it has come.
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
