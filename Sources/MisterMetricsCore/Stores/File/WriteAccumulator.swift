package import Platform

/// Decides when waiting lines are written: the pure half of ``LineWriter``.
///
/// Lines that no caller waits for are gathered until a deadline set by the first of them; a later one never moves it,
/// so a steady stream cannot starve the file. A line that a caller waits for is written at once, together with
/// everything gathered so far. While a write runs, everything that arrives becomes the next batch: callers that wait at
/// the same time share one write.
package struct WriteAccumulator: Sendable {
  /// Actions for the driver.
  package enum Action: Equatable, Sendable {
    /// Do nothing.
    case none
    /// Report ``deadlinePassed(at:)`` at this time.
    case wake(at: MonotonicInstant)
    /// Write all waiting lines and report ``writeFinished(at:)``.
    case write
    /// Refuse the line: the writer is closed.
    case refuse
  }

  private enum State: Equatable {
    case idle
    case gathering(deadline: MonotonicInstant)
    case writing(next: Next)
  }

  private enum Next: Equatable {
    case nothing
    case gathering(deadline: MonotonicInstant)
    case awaited
  }

  private let delay: Duration
  private var state = State.idle
  /// At most one wake is scheduled: gathered batches that were written early would otherwise each leave one behind.
  private var isWakeUnderWay = false
  package private(set) var isClosed = false

  /// An idle machine.
  ///
  /// - Parameter delay: Maximum time that the first line of a batch waits for others.
  package init(delay: Duration) {
    self.delay = max(.zero, delay)
  }

  /// A line arrived that no caller waits for.
  ///
  /// - Parameters:
  ///   - now: The monotonic time.
  ///   - isFull: True if so much is waiting that it should be written without delay.
  package mutating func lineGathered(at now: MonotonicInstant, isFull: Bool = false) -> Action {
    guard !isClosed else { return .refuse }
    switch state {
    case .idle, .gathering:
      if isFull { return startWriting() }
      return gather(until: deadline ?? now + delay)
    case .writing(.nothing):
      state = .writing(next: .gathering(deadline: now + delay))
      return .none
    case .writing(.gathering), .writing(.awaited):
      return .none
    }
  }

  /// A line arrived that a caller waits for, or a caller waits for all earlier lines.
  package mutating func lineAwaited(isFlush: Bool = false) -> Action {
    guard !isClosed || isFlush else { return .refuse }
    switch state {
    case .idle, .gathering:
      return startWriting()
    case .writing:
      state = .writing(next: .awaited)
      return .none
    }
  }

  /// The time of a ``Action/wake(at:)`` is reached.
  package mutating func deadlinePassed(at now: MonotonicInstant) -> Action {
    isWakeUnderWay = false
    switch state {
    case .idle, .writing: return .none
    case .gathering(let deadline): return now >= deadline ? startWriting() : gather(until: deadline)
    }
  }

  /// The write ended, successfully or not.
  package mutating func writeFinished(at now: MonotonicInstant) -> Action {
    switch state {
    case .idle, .gathering:
      return .none  // No write was under way; there is nothing to decide.
    case .writing(.nothing):
      state = .idle
      return .none
    case .writing(.gathering(let deadline)):
      return now >= deadline ? startWriting() : gather(until: deadline)
    case .writing(.awaited):
      return startWriting()
    }
  }

  /// The write could not start; lines that no caller waits for are retried after the delay.
  package mutating func writePutOff(at now: MonotonicInstant) -> Action {
    guard case .writing(let next) = state else { return .none }
    return next == .awaited ? startWriting() : gather(until: now + delay)
  }

  /// No more lines are accepted; waiting ones are still written.
  package mutating func closed() {
    isClosed = true
  }

  /// True if nothing is waiting or being written.
  var isIdle: Bool { state == .idle }

  private var deadline: MonotonicInstant? {
    if case .gathering(let deadline) = state { return deadline }
    return nil
  }

  private mutating func gather(until deadline: MonotonicInstant) -> Action {
    state = .gathering(deadline: deadline)
    guard !isWakeUnderWay else { return .none }
    isWakeUnderWay = true
    return .wake(at: deadline)
  }

  private mutating func startWriting() -> Action {
    state = .writing(next: .nothing)
    return .write
  }
}
