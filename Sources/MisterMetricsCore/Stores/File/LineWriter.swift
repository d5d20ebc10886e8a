import Dispatch
import Essentials
import Platform

/// Writes lines to a file as ``WriteAccumulator`` decides: the driver.
///
/// At most one thread writes at a time: the one whose call made the machine return `write`. At
/// ``MetricDurability/process``, that is the caller itself (a write to the page cache takes microseconds, less than
/// switching threads); if it might take longer (a sync, a lock held by another process, more batches after the first),
/// a serial dispatch queue does it, so that no thread of the cooperative pool is blocked.
final class LineWriter: ExitFlushing {
  /// A caller waiting for its result.
  ///
  /// Unsafe, because checking costs as much as encoding: every waiter is refused at once or is in exactly one batch,
  /// and every batch is written by exactly one thread, which resumes its waiters once.
  typealias Waiter = UnsafeContinuation<Result<Void, MetricError>, Never>

  /// Maximum queued fire-and-forget lines; more are refused.
  static let capacity = 65_536

  /// Maximum size of queued fire-and-forget lines in bytes, however few they are.
  static let capacityInBytes = 64 << 20

  /// Number of waiting bytes that are written without further gathering.
  static let fullBatch = 1 << 20

  /// Maximum batches that a caller writes for itself and others before it hands over.
  private static let batchesPerCaller = 32

  private let options: MetricFileOptions
  private let inbox: Locked<LineInbox>
  private let file: Locked<AppendFile>
  private let outcome = Locked(WriteOutcome())
  private let queue = DispatchQueue(label: "MisterMetrics.LineWriter", qos: .utility)
  private let now: @Sendable () -> MonotonicInstant

  /// A writer; its first line opens the file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: The write options.
  ///   - operations: The system calls to use.
  ///   - now: Returns the monotonic time.
  init(
    path: String, options: MetricFileOptions, operations: FileOperations = .system,
    now: @escaping @Sendable () -> MonotonicInstant = { .now() }
  ) {
    self.options = options
    self.now = now
    inbox = Locked(LineInbox(delay: options.gathering))
    file = Locked(
      AppendFile(
        path: path, rotation: options.rotation, operations: operations, lockTimeout: options.lockTimeout,
        syncsWhenLeft: options.durability != .process))
  }

  deinit {
    file.withLock { $0.close() }
  }

  /// Counts of the lines so far.
  var counts: MetricFileCounts { outcome.withLock { $0.counts } }

  /// The last failure not reported to any caller.
  var lastError: MetricError? { outcome.withLock { $0.unreported } }

  /// The lines waiting for the next write.
  var waiting: LineBatch { inbox.withLock { $0.batch } }

  /// Accepts a line that no caller waits for.
  func gather(_ line: [UInt8]) throws(MetricError) {
    let time = now()
    try perform(inbox.withLock { $0.gather(line, at: time) })
  }

  /// Accepts lines and returns when they are as durable as the options require.
  func commit(_ lines: [UInt8], count: Int) async throws(MetricError) {
    let result = await withUnsafeContinuation { waiter in
      start(inbox.withLock { $0.commit(lines, count: count, waiter: waiter) }, refusing: waiter)
    }
    try result.get()
  }

  /// Writes everything accepted so far and returns when it is as durable as the options require.
  ///
  /// - Parameter syncs: True to sync regardless of the durability.
  func flush(syncs: Bool) async throws(MetricError) {
    let needsSync = syncs || options.durability != .process
    let result = await withUnsafeContinuation { waiter in
      start(inbox.withLock { $0.flush(syncs: needsSync, waiter: waiter) }, refusing: waiter)
    }
    try result.get()
  }

  /// Accepts no more lines, flushes, and throws the last unreported failure.
  func close() async throws(MetricError) {
    inbox.withLock { $0.machine.closed() }
    try await flush(syncs: false)
    file.withLock { $0.close() }
    if let error = outcome.withLock({ $0.takeUnreported() }) { throw error }
  }

  /// Empties the file.
  func clear() async throws(MetricError) {
    try await flush(syncs: false)
    do throws(FileFailure) {
      try file.withLock { (file) throws(FileFailure) in try file.clear() }
    } catch {
      throw MetricError(error)
    }
  }

  /// Counts lines that retrieval skipped.
  func countUndecodable(_ count: Int) {
    guard count > 0 else { return }
    outcome.withLock { $0.counts.undecodable += count }
  }

  /// Writes all waiting lines before the process ends; returns when it is done.
  package func flushBeforeExit() {
    let action = inbox.withLock { $0.flush(syncs: options.durability != .process, waiter: nil) }
    if action == .write { startWriting() }
    // Another thread may be writing, and continue with this batch; a stuck disk must not delay the exit.
    for _ in 0..<1_000 where !inbox.withLock({ $0.isSettled }) { usleep(1_000) }
  }

  private func start(_ action: WriteAccumulator.Action, refusing waiter: Waiter) {
    do {
      try perform(action)
    } catch {
      waiter.resume(returning: .failure(error))
    }
  }

  private func perform(_ action: WriteAccumulator.Action) throws(MetricError) {
    switch action {
    case .none: break
    case .wake(let time): wake(at: time)
    case .write: startWriting()
    case .refuse: throw refusal()
    }
  }

  private func refusal() -> MetricError {
    outcome.withLock { $0.counts.refused += 1 }
    if inbox.withLock({ $0.machine.isClosed }) { return MetricError(.storeClosed, "the store was closed") }
    return MetricError(.writeFailed, "too many records wait for the file already")
  }

  private func wake(at time: MonotonicInstant) {
    let delay = Duration.seconds(max(0, time - now()))
    queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { [self] in
      let time = now()
      goOn(after: inbox.withLock { $0.machine.deadlinePassed(at: time) })
    }
  }
}

extension LineWriter {
  /// Writes on this thread if that is quick, otherwise on the queue.
  private func startWriting() {
    var batch = inbox.withLock { $0.take() }
    for _ in 0..<Self.batchesPerCaller {
      guard options.durability == .process, !batch.syncs, write(batch, waits: false) == nil else {
        let batch = batch
        return queue.async { self.writeAll(from: batch) }
      }
      let time = now()
      let action = inbox.withLock { $0.machine.writeFinished(at: time) }
      guard action == .write else { return goOn(after: action) }
      batch = inbox.withLock { $0.take() }
    }
    // With so many new lines, this caller would never return, so the queue continues.
    queue.async { [batch] in self.writeAll(from: batch) }
  }

  /// Writes this batch and all that follow immediately; called on the queue.
  private func writeAll(from first: LineBatch) {
    var batch = first
    while true {
      let left = write(batch, waits: true)
      let time = now()
      let action = inbox.withLock { inbox in
        left.map { inbox.putBack($0, at: time) } ?? inbox.machine.writeFinished(at: time)
      }
      guard action == .write else { return goOn(after: action) }
      batch = inbox.withLock { $0.take() }
    }
  }

  private func goOn(after action: WriteAccumulator.Action) {
    switch action {
    case .none, .refuse: break
    case .wake(let time): wake(at: time)
    case .write: writeAll(from: inbox.withLock { $0.take() })
    }
  }

  /// Writes one batch and resumes everyone who waits for it.
  ///
  /// - Returns: `nil` if everything is written. If another process holds the lock, the rest: the whole batch, with no
  ///   caller resumed, if waiting was not allowed; otherwise the fire-and-forget lines.
  private func write(_ batch: LineBatch, waits: Bool) -> LineBatch? {
    do throws(FileFailure) {
      let (appended, unrotated) = try file.withLock { (file) throws(FileFailure) in
        let outcome = try batch.bytes.withTypedBytes { (bytes) throws(FileFailure) in
          try file.append(bytes, waits: waits)
        }
        return (outcome, file.takeFailureOfRotation())
      }
      if let unrotated { outcome.withLock { $0.failed(.unrotated(unrotated)) } }
      switch appended {
      case .appended:
        outcome.withLock { $0.written(batch) }
        let result = sync(batch)
        for part in batch.awaited { part.waiter.resume(returning: result) }
      case .cutShort(let failure, let kept):
        let error = MetricError(failure)
        outcome.withLock { $0.refused(batch, error, keeping: batch.lines(in: kept)) }
        for part in batch.awaited {
          let isKept = !part.bytes.isEmpty && part.bytes.upperBound <= kept
          part.waiter.resume(returning: isKept ? .success(()) : .failure(error))
        }
      case .wouldBlock:
        guard waits else { return batch }
        let left = batch.unawaited
        let error = MetricError(
          .fileLocked, "another process has held the file's lock for \(options.lockTimeout)")
        outcome.withLock { $0.putOff(batch, leaving: left, error) }
        for part in batch.awaited { part.waiter.resume(returning: .failure(error)) }
        return left
      }
    } catch {
      let error = MetricError(error)
      outcome.withLock { $0.refused(batch, error) }
      for part in batch.awaited { part.waiter.resume(returning: .failure(error)) }
    }
    return nil
  }

  /// Makes the batch as durable as required before its callers are resumed.
  private func sync(_ batch: LineBatch) -> Result<Void, MetricError> {
    switch options.durability {
    case .process:
      return batch.syncs
        ? Result { () throws(FileFailure) in
          try file.withLock { (file) throws(FileFailure) in try file.sync() }
        }.mapError(MetricError.init) : .success(())
    case .interval:
      let isFull = outcome.withLock { $0.keepUnsynced(batch.bytes) }
      if batch.syncs || isFull { return syncUnsynced() }
      scheduleSync()
      return .success(())
    case .commit:
      _ = outcome.withLock { $0.keepUnsynced(batch.bytes) }
      return syncUnsynced()
    }
  }

  private func scheduleSync() {
    guard outcome.withLock({ $0.scheduleSync() }) else { return }
    queue.asyncAfter(deadline: .now() + options.syncInterval.dispatchInterval) { [self] in
      outcome.withLock { $0.isSyncScheduled = false }
      if case .failure(let error) = syncUnsynced() { outcome.withLock { $0.unreported = error } }
    }
  }

  /// Syncs; if that fails, writes what the system may have lost to a new file.
  private func syncUnsynced() -> Result<Void, MetricError> {
    let unsynced = outcome.withLock { $0.unsynced }
    do throws(FileFailure) {
      try file.withLock { (file) throws(FileFailure) in try file.sync() }
    } catch {
      outcome.withLock { $0.failed(MetricError(error)) }
      do throws(FileFailure) {
        try file.withLock { (file) throws(FileFailure) in
          try unsynced.withTypedBytes { (bytes) throws(FileFailure) in try file.rescue(bytes) }
        }
      } catch {
        // Waiting callers get the error; otherwise it becomes the last error. Keeping the lines would write all of them
        // to a failing disk over and over.
        outcome.withLock { $0.unsynced = [] }
        return .failure(
          MetricError(.syncFailed, "records could not be made durable", cause: MetricError(error)))
      }
    }
    outcome.withLock { $0.unsynced = [] }
    return .success(())
  }
}
