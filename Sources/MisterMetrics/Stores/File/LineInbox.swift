import Platform

/// What waits to be written, with the machine that decides when; guarded by the writer's lock.
struct LineInbox: Sendable {
  var machine: WriteAccumulator
  private(set) var batch = LineBatch()

  init(delay: Duration) {
    machine = WriteAccumulator(delay: delay)
  }

  /// Adds a line that nobody waits for.
  mutating func gather(_ line: [UInt8], at time: MonotonicInstant) -> WriteAccumulator.Action {
    guard batch.lines < LineWriter.capacity, batch.bytes.count < LineWriter.capacityInBytes else {
      return .refuse
    }
    let isFull = batch.bytes.count + line.count >= LineWriter.fullBatch
    let action = machine.lineGathered(at: time, isFull: isFull)
    if action != .refuse { batch.add(line, count: 1) }
    return action
  }

  /// Adds lines that somebody waits for.
  mutating func commit(_ lines: [UInt8], count: Int, waiter: LineWriter.Waiter) -> WriteAccumulator.Action {
    let action = machine.lineAwaited()
    guard action != .refuse else { return .refuse }
    batch.add(lines, count: count)
    batch.waiters.append(waiter)
    return action
  }

  /// Asks for all lines so far to be written.
  mutating func flush(syncs: Bool, waiter: LineWriter.Waiter?) -> WriteAccumulator.Action {
    if let waiter { batch.waiters.append(waiter) }
    batch.syncs = batch.syncs || syncs
    return machine.lineAwaited(isFlush: true)
  }

  /// Whether nothing waits and nothing is being written.
  var isSettled: Bool { machine.isIdle && batch.lines == 0 }

  /// Takes everything that waits.
  mutating func take() -> LineBatch {
    defer { batch = LineBatch() }
    return batch
  }
}

/// Lines that are written together.
struct LineBatch: Sendable {
  /// A newline, for the case that the file's last line is torn, and after it the lines.
  private(set) var bytes: [UInt8] = [UInt8(ascii: "\n")]
  private(set) var lines = 0
  /// Who is told when the lines are written.
  var waiters: [LineWriter.Waiter] = []
  /// Whether somebody asked for a sync.
  var syncs = false

  mutating func add(_ new: [UInt8], count: Int) {
    bytes += new
    lines += count
  }
}

/// What has become of the lines written so far; guarded by the writer's lock.
struct WriteOutcome: Sendable {
  /// So many unsynced bytes are synced without waiting for the interval: they are kept in memory until then.
  static let unsyncedLimit = 16 << 20

  var counts = MetricFileCounts()
  /// The last failure that no caller was told of.
  var unreported: MetricError?
  /// A newline and the lines written since the last sync.
  var unsynced: [UInt8] = []
  var isSyncScheduled = false

  mutating func written(_ batch: LineBatch) {
    counts.written += batch.lines
  }

  mutating func refused(_ batch: LineBatch, _ error: MetricError) {
    counts.refused += batch.lines
    counts.failures += 1
    if batch.waiters.isEmpty { unreported = error }
  }

  mutating func failed(_ error: MetricError) {
    counts.failures += 1
    unreported = error
  }

  /// Remembers lines until they are synced.
  ///
  /// - Returns: Whether they should be synced now.
  mutating func keepUnsynced(_ bytes: [UInt8]) -> Bool {
    unsynced.append(contentsOf: unsynced.isEmpty ? bytes[...] : bytes.dropFirst())
    return unsynced.count > Self.unsyncedLimit
  }

  /// - Returns: Whether a sync has to be scheduled.
  mutating func scheduleSync() -> Bool {
    defer { isSyncScheduled = true }
    return !isSyncScheduled
  }

  mutating func takeUnreported() -> MetricError? {
    defer { unreported = nil }
    return unreported
  }
}
