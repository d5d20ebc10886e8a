import MisterMetrics

/// What all copies of one ``Signposter`` share.
final class SignposterCore: Sendable {
  private struct State {
    var open = OpenIntervals()
    var lastID: UInt64 = 0
    var misuses = 0
  }

  let category: String
  private let takesSnapshots: Bool
  private let now: @Sendable () -> Duration
  private let sink: @Sendable (SignpostRecord) -> Void
  private let state = Locked(State())

  init(
    category: String, takesSnapshots: Bool, now: @escaping @Sendable () -> Duration,
    sink: @escaping @Sendable (SignpostRecord) -> Void
  ) {
    self.category = category
    self.takesSnapshots = takesSnapshots
    self.now = now
    self.sink = sink
  }

  var misuses: Int { state.withLock { $0.misuses } }

  func makeID() -> SignpostID {
    state.withLock { state in
      state.lastID += 1
      return SignpostID(state.lastID)
    }
  }

  func begin(_ name: StaticString, _ id: SignpostID, _ message: String?) -> SignpostIntervalState {
    let usage = takesSnapshots ? ProcessUsage.current() : nil
    let time = now()
    let isOverlapping = state.withLock { state in
      guard state.open.begin(name, id, at: time), id == .exclusive else { return false }
      return true
    }
    return SignpostIntervalState(
      id, at: time,
      begin: .init(
        signposter: self, name: name, message: message, usage: usage, isOverlapping: isOverlapping))
  }

  func end(_ name: StaticString, _ interval: SignpostIntervalState, message: String?, error: String?) {
    if let begin = interval.begin {
      end(name, interval, of: begin, message: message, error: error)
    } else {
      endUnchecked(name, interval, message: message, error: error)
    }
  }

  private func end(
    _ name: StaticString, _ interval: SignpostIntervalState, of begin: SignpostIntervalState.Begin,
    message: String?, error: String?
  ) {
    // The clock and the lock are those that the begin used: another signposter may have others.
    let time = begin.signposter.now()
    let isRepeated = begin.signposter.consume(interval, named: begin.name)
    let misuse: SignpostMisuse? =
      if isRepeated {
        .alreadyEnded
      } else if begin.signposter !== self {
        .otherSignposter
      } else if !begin.name.isEqual(to: name) {
        .otherName(name)
      } else if begin.isOverlapping {
        .overlapping
      } else {
        nil
      }
    var text = message
    if let first = begin.message { text = message.map { "\(first); \($0)" } ?? first }
    record(
      begin.name, interval.signpostID, from: interval.time, to: time, usage: begin.usage, message: text,
      error: error, misuse: misuse)
  }

  private func endUnchecked(
    _ name: StaticString, _ interval: SignpostIntervalState, message: String?, error: String?
  ) {
    let time = now()
    let known = state.withLock { $0.open.end(name, interval.signpostID) }
    let begun = known ?? interval.time
    record(
      name, interval.signpostID, from: begun, to: time, usage: nil, message: message, error: error,
      misuse: begun == nil ? .neverBegun : nil)
  }

  func emit(_ name: StaticString, _ id: SignpostID, count: Int, message: String?) {
    let event = SignpostEvent(id: id.recorded, message: message, count: count)
    sink(SignpostRecord(category: category, name: name, value: .event(event)))
  }

  /// Takes the state for an end.
  ///
  /// - Returns: Whether another end was there before.
  private func consume(_ interval: SignpostIntervalState, named name: StaticString) -> Bool {
    state.withLock { state in
      if interval.hasEnded { return true }
      interval.hasEnded = true
      _ = state.open.end(name, interval.signpostID)
      return false
    }
  }

  private func record(
    _ name: StaticString, _ id: SignpostID, from begun: Duration?, to ended: Duration, usage: ProcessUsage?,
    message: String?, error: String?, misuse: SignpostMisuse?
  ) {
    if misuse != nil { state.withLock { $0.misuses += 1 } }
    let used = usage.map { ProcessUsage.current().since($0) }
    let interval = SignpostInterval(
      durationMs: begun.map { ended.milliseconds(since: $0) } ?? 0, id: id.recorded,
      message: misuse.map { "[Error] \($0.text)" } ?? message,
      cpuMs: used?.processor.milliseconds(since: .zero),
      memoryBytes: used?.memory, error: misuse?.text ?? error)
    sink(SignpostRecord(category: category, name: name, value: .interval(interval)))
  }
}

extension Duration {
  /// The milliseconds since an earlier moment; 0 if that was later, and never more than fit.
  func milliseconds(since start: Duration) -> Double {
    // A moment that was decoded may be any: two of a quarter of the scale can be subtracted.
    let limit = Duration.seconds(Int64.max / 4)
    let (start, end) = (max(min(start, limit), .zero - limit), max(min(self, limit), .zero - limit))
    return max(0, (end - start) / .milliseconds(1))
  }
}
