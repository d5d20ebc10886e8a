import Platform

/// Lines waiting to be written, with the state machine that decides when; guarded by the writer's lock.
struct LineInbox: Sendable {
  var machine: WriteAccumulator
  private(set) var batch = LineBatch()
  private let delay: Duration
  private var forks = ForkCount.now

  init(delay: Duration) {
    self.delay = delay
    machine = WriteAccumulator(delay: delay)
  }

  /// Lines that were waiting when the process was forked are written and reported by its parent.
  private mutating func startEmptyAfterFork() {
    guard forks != ForkCount.now else { return }
    forks = ForkCount.now
    batch = LineBatch()
    let isClosed = machine.isClosed
    machine = WriteAccumulator(delay: delay)
    if isClosed { machine.closed() }
  }

  /// Adds a line that no caller waits for.
  mutating func gather(_ line: [UInt8], at time: MonotonicInstant) -> WriteAccumulator.Action {
    startEmptyAfterFork()
    guard batch.lines < LineWriter.capacity, batch.bytes.count < LineWriter.capacityInBytes else {
      return .refuse
    }
    let isFull = batch.bytes.count + line.count >= LineWriter.fullBatch
    let action = machine.lineGathered(at: time, isFull: isFull)
    if action != .refuse { batch.add(line, count: 1) }
    return action
  }

  /// Adds lines that a caller waits for.
  mutating func commit(_ lines: [UInt8], count: Int, waiter: LineWriter.Waiter) -> WriteAccumulator.Action {
    startEmptyAfterFork()
    let action = machine.lineAwaited()
    guard action != .refuse else { return .refuse }
    batch.add(lines, count: count, waiter: waiter)
    return action
  }

  /// Requests that all lines so far be written.
  mutating func flush(syncs: Bool, waiter: LineWriter.Waiter?) -> WriteAccumulator.Action {
    startEmptyAfterFork()
    if let waiter { batch.add([], count: 0, waiter: waiter) }
    batch.syncs = batch.syncs || syncs
    return machine.lineAwaited(isFlush: true)
  }

  /// True if nothing is waiting or being written.
  var isSettled: Bool { machine.isIdle && batch.lines == 0 }

  /// Takes all waiting lines.
  mutating func take() -> LineBatch {
    defer { batch = LineBatch() }
    return batch
  }

  /// Puts back lines that could not be written, before newer ones.
  mutating func putBack(_ lines: LineBatch, at time: MonotonicInstant) -> WriteAccumulator.Action {
    batch.follow(lines)
    return machine.writePutOff(at: time)
  }
}

/// Lines that are written together.
struct LineBatch: Sendable {
  /// A waiting caller, and the range of its lines in the batch.
  struct Awaited: Sendable {
    let waiter: LineWriter.Waiter
    /// Empty for a caller that waits for all earlier lines.
    var bytes: Range<Int>
    let lines: Int
  }

  /// A newline, in case the file's last line is torn, followed by the lines.
  private(set) var bytes: [UInt8] = [UInt8(ascii: "\n")]
  private(set) var lines = 0
  /// Callers that wait for their lines, in line order.
  private(set) var awaited: [Awaited] = []
  /// True if a caller requested a sync.
  var syncs = false

  mutating func add(_ new: [UInt8], count: Int, waiter: LineWriter.Waiter? = nil) {
    if let waiter {
      awaited.append(
        Awaited(waiter: waiter, bytes: bytes.count..<bytes.count + new.count, lines: count))
    }
    bytes += new
    lines += count
  }

  /// The lines that no caller waits for.
  var unawaited: LineBatch {
    var rest = LineBatch()
    rest.lines = lines - awaited.reduce(0) { $0 + $1.lines }
    var place = 1
    for part in awaited {
      rest.bytes += bytes[place..<part.bytes.lowerBound]
      place = part.bytes.upperBound
    }
    rest.bytes += bytes[place...]
    return rest
  }

  /// Puts the lines after others that no caller waits for.
  mutating func follow(_ others: LineBatch) {
    guard others.lines > 0 else { return }
    let moved = others.bytes.count - 1
    bytes.replaceSubrange(..<1, with: others.bytes)
    lines += others.lines
    for index in awaited.indices {
      let range = awaited[index].bytes
      awaited[index].bytes = range.lowerBound + moved..<range.upperBound + moved
    }
  }

  /// Number of complete lines in the first bytes.
  func lines(in kept: Int) -> Int { bytes[1..<max(1, kept)].count { $0 == UInt8(ascii: "\n") } }
}

/// The outcome of the lines written so far; guarded by the writer's lock.
struct WriteOutcome: Sendable {
  /// Maximum unsynced bytes, which are kept in memory; more are synced without waiting for the interval.
  static let unsyncedLimit = 16 << 20

  var counts = MetricFileCounts()
  /// The last failure not reported to any caller.
  var unreported: MetricError?
  /// A newline, followed by the lines written since the last sync.
  var unsynced: [UInt8] = []
  var isSyncScheduled = false

  mutating func written(_ batch: LineBatch) {
    counts.written += batch.lines
  }

  mutating func refused(_ batch: LineBatch, _ error: MetricError, keeping kept: Int = 0) {
    counts.written += kept
    counts.refused += batch.lines - kept
    counts.failures += 1
    if batch.awaited.isEmpty { unreported = error }
  }

  /// Records that a write was postponed: lines keep waiting, except for those that a caller waited for.
  mutating func putOff(_ batch: LineBatch, leaving left: LineBatch, _ error: MetricError) {
    counts.refused += batch.lines - left.lines
    counts.failures += 1
    if left.lines > 0 { unreported = error }
  }

  mutating func failed(_ error: MetricError) {
    counts.failures += 1
    unreported = error
  }

  /// Keeps lines until they are synced.
  ///
  /// - Returns: True if they should be synced now.
  mutating func keepUnsynced(_ bytes: [UInt8]) -> Bool {
    unsynced.append(contentsOf: unsynced.isEmpty ? bytes[...] : bytes.dropFirst())
    return unsynced.count > Self.unsyncedLimit
  }

  /// - Returns: True if a sync has to be scheduled.
  mutating func scheduleSync() -> Bool {
    defer { isSyncScheduled = true }
    return !isSyncScheduled
  }

  mutating func takeUnreported() -> MetricError? {
    defer { unreported = nil }
    return unreported
  }
}
