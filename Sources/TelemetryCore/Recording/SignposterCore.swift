import Platform

/// State shared by all copies of one ``Signposter``.
@usableFromInline
final class SignposterCore: Sendable {
  private struct State {
    var open = OpenIntervals()
    var lastID: UInt64 = 0
    var misuses = 0
  }

  let category: String
  private let takesSnapshots: Bool
  private let now: @Sendable () -> MonotonicInstant
  private let sink: @Sendable (SignpostRecord) -> Void
  private let state = Locked(State())

  init(
    category: String, takesSnapshots: Bool, now: (@Sendable () -> Duration)?,
    sink: @escaping @Sendable (SignpostRecord) -> Void
  ) {
    self.category = category
    self.takesSnapshots = takesSnapshots
    if let now {
      self.now = { MonotonicInstant(nanoseconds: now().clampedNanoseconds) }
    } else {
      self.now = { MonotonicInstant.now() }
    }
    self.sink = sink
  }

  var misuses: Int { state.withLock { $0.misuses } }

  func makeID() -> SignpostID {
    state.withLock { state in
      state.lastID += 1
      return SignpostID(state.lastID)
    }
  }

  @usableFromInline
  func begin(
    _ name: StaticString, _ id: SignpostID, _ message: String?, isAnimation: Bool
  ) -> SignpostIntervalState {
    let usage = takesSnapshots ? ProcessUsage.current() : nil
    let time = now()
    let (ticket, isOverlapping) = state.withLock { $0.open.begin(name, id, at: time) }
    return SignpostIntervalState(
      name, id, at: time, by: self, message: message, usage: usage, ticket: ticket,
      isOverlapping: isOverlapping, isAnimation: isAnimation)
  }

  @usableFromInline
  func end(_ name: StaticString, _ interval: SignpostIntervalState, message: String?, error: String?) {
    guard let signposter = interval.signposter else {
      return endUnchecked(name, interval, message: message, error: error)
    }
    // Uses the clock and the lock of the begin: another signposter may have others.
    let time = signposter.now()
    let isFirst = signposter.consume(interval.ticket)
    let misuse: SignpostMisuse? =
      if !isFirst {
        .alreadyEnded
      } else if signposter !== self {
        .otherSignposter
      } else if !interval.name.isEqual(to: name) {
        .otherName(name)
      } else if interval.isOverlapping {
        .overlapping
      } else {
        nil
      }
    var text = message
    if let first = interval.message { text = message.map { "\(first); \($0)" } ?? first }
    record(
      interval.name, interval, from: interval.time, to: time, message: text, error: error, misuse: misuse)
  }

  private func endUnchecked(
    _ name: StaticString, _ interval: SignpostIntervalState, message: String?, error: String?
  ) {
    let time = now()
    let known = state.withLock { $0.open.end(name, interval.signpostID) }
    let begun = known ?? interval.time
    record(
      name, interval, from: begun, to: time, message: message, error: error,
      misuse: begun == nil ? .neverBegun : nil)
  }

  @usableFromInline
  func emit(_ name: StaticString, _ id: SignpostID, count: Int, message: String?) {
    let event = SignpostEvent(id: id.recorded, message: message, count: count)
    sink(SignpostRecord(category: category, name: name, value: .event(event), details: nil))
  }

  /// Uses up the state's ticket.
  ///
  /// - Returns: True for the first end.
  private func consume(_ ticket: OpenIntervals.Ticket?) -> Bool {
    guard let ticket else { return true }
    return state.withLock { $0.open.end(ticket) }
  }

  private func record(
    _ name: StaticString, _ state: SignpostIntervalState, from begun: MonotonicInstant?,
    to ended: MonotonicInstant,
    message: String?, error: String?, misuse: SignpostMisuse?
  ) {
    if misuse != nil { self.state.withLock { $0.misuses += 1 } }
    let usage = state.usage.map { (begun: $0, ended: ProcessUsage.current()) }
    let used = usage.map { $0.ended.since($0.begun) }
    let interval = SignpostInterval(
      durationMs: begun.map { ended.milliseconds(since: $0) } ?? 0, id: state.signpostID.recorded,
      message: misuse.map { "[Error] \($0.text)" } ?? message,
      cpuMs: used?.processor.milliseconds,
      memoryBytes: used?.memory, writtenBytes: used?.written, hitchMs: state.hitchMs,
      error: misuse?.text ?? error)
    let details = SignpostRecord.Details(isMisuse: misuse != nil, residentBytes: usage?.ended.memory)
    sink(SignpostRecord(category: category, name: name, value: .interval(interval), details: details))
  }
}
