/// The meaning of a batch's outcome: the table of answers.
///
/// | outcome | events | breaker | next attempt |
/// |---|---|---|---|
/// | 2xx | removed; the batch size doubles up to its first value | success | at once |
/// | 5xx, 408, 3xx, anything unknown | kept | failure | max(floor, Retry-After, breaker, 100 ms) |
/// | 429 | kept | failure | max(floor, Retry-After, breaker, 1000 ms) |
/// | 400, 413, 422 to several events | kept; the batch size is halved | other answer | at once |
/// | 400, 422 to one event | set aside | other answer | at once, but a pause after eight in a row |
/// | other 4xx | set aside | other answer | at once |
/// | 413 to one event | dropped | other answer | at once |
/// | 401, 403, 404 | all dropped, on disk too | reset | none: disabled |
/// | no answer | kept | failure | max(floor, breaker) |
package enum AnswerRule: String, Sendable, Hashable, CaseIterable {
  /// The server accepted the batch.
  case delivered
  /// Worth a retry after a while.
  case retry
  /// Worth a retry after a longer while.
  case rateLimited
  /// Too large for the server, or with an event that it refuses, and divisible.
  case halve
  /// The server will never accept it.
  case drop
  /// The server does not recognize this client.
  case disable
  /// No answer came.
  case unanswered

  /// The rule for a status, for a batch of `size` events.
  package init(status: Int, size: Int) {
    switch status {
    case 200..<300: self = .delivered
    case 401, 403, 404: self = .disable
    case 408: self = .retry
    case 400, 413, 422: self = size > 1 ? .halve : .drop
    case 429: self = .rateLimited
    case 400..<500: self = .drop
    default: self = .retry
    }
  }

  /// The minimum wait before the next attempt, besides the floor, the breaker and the server's request.
  package var leastWait: Duration {
    switch self {
    case .retry: .milliseconds(100)
    case .rateLimited: .milliseconds(1000)
    case .delivered, .halve, .drop, .disable, .unanswered: .zero
    }
  }
}
