import Essentials
import Platform

/// Removes old entries from a metrics file without ever losing another line.
///
/// Survivors go to a temporary file beside the original, which is synced and renamed over it. The bulk is copied
/// without the lock (a file only grows, and every line before its size under the lock is final); the lock is taken
/// again to copy later lines and to rename. Writers that wait for it notice the new file and continue there. Two
/// concurrent compactions have separate temporary files, and the later one starts over.
struct FileCompaction {
  let path: String
  let cutoff: Date

  private let decoder = LineDecoder()
  /// Maximum restarts because programs without locks write to the file, truncate it or move it.
  private static let attempts = 20

  init(path: String, cutoff: Date) {
    self.path = path
    self.cutoff = cutoff
  }

  /// Compacts the file and its rotated predecessors.
  ///
  /// - Throws: ``MetricError``; the file that it names is unchanged, others may have been compacted.
  func run() throws -> MetricOptimization {
    do {
      ReplacementFile.removeLeftovers(of: path)
      var result = MetricOptimization()
      // A locked file is reported at the end and does not block the others.
      var problem: (any Error)?
      for name in NumberedFiles(path: path).existing {
        do { result += try compactNumbered(name) } catch { problem = problem ?? error }
      }
      for _ in 1...Self.attempts {
        guard let done = try compactCurrent() else { continue }
        result += done
        guard let problem else { return result }
        throw Self.told(problem, besides: result)
      }
      throw FileFailure(.replace(path), number: EBUSY)
    } catch let failure as FileFailure {
      throw MetricError(failure)
    }
  }

  /// The error for one file, along with the results for the others.
  private static func told(_ problem: any Error, besides done: MetricOptimization) -> any Error {
    guard let error = (problem as? FileFailure).map(MetricError.init) ?? problem as? MetricError else {
      return problem
    }
    return MetricError(
      error.code,
      "\(error.message); of the other files \(done.removed) lines were removed, \(done.kept) kept",
      cause: error.cause, systemErrorNumber: error.systemErrorNumber)
  }

  /// - Returns: `nil` if another process replaced the file, so that compaction must start over.
  private func compactCurrent() throws -> MetricOptimization? {
    guard let source = try open(path) else { return MetricOptimization() }
    defer { Posix.close(source) }
    guard let settled = try settledSize(of: source) else { return nil }
    let target = try ReplacementFile(for: path, mustLast: true)
    var copy = try SurvivorCopy(from: source, upTo: settled, to: target, cutoff: cutoff, decoder: decoder)
    try copy.run()
    // Synced before locking, so that little is left to sync while others wait.
    if copy.result.removed > 0 { try target.sync() }

    return try withLock(of: source) { status in
      let size = Int(clamping: status.size)
      guard try copy.fits(size: size) else { return nil }
      copy.extend(upTo: size)
      try copy.run()
      guard copy.result.removed > 0 else { return copy.result }
      try copy.finish()
      try target.takeAttributes(of: source, path)
      // Programs that ignore locks may have written to it or moved it away.
      let place = try target.putInPlace(of: status.identity) {
        (try? Posix.status(of: source).size) == status.size ? path : nil
      }
      guard place != nil else { return nil }
      try addLate(from: source, since: status.size, to: target)
      return copy.result
    }
  }

  /// Appends lines that programs without locks wrote at the last moment to a file that is already in place.
  func addLate(from source: Int32, since size: UInt64, to target: ReplacementFile) throws {
    guard try Posix.status(of: source).size > size else { return }
    target.appendFromNowOn()
    try ReplacementFile.addRest(of: source, since: size) { bytes throws(FileFailure) in
      try target.write(bytes)
    }
    try target.sync()
  }

  /// - Returns: `nil` if the file does not exist.
  private func open(_ name: String) throws(FileFailure) -> Int32? {
    do { return try Posix.openRegular(name, .appending) } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
  }

  /// Compacts a rotated file, which only processes that already had it open write to; a rotation may rename it.
  private func compactNumbered(_ name: String) throws -> MetricOptimization {
    guard let source = try open(name) else { return MetricOptimization() }
    defer { Posix.close(source) }
    let status = try Posix.status(of: source)
    // A hard link to the current file: waiting for its lock below would be a deadlock.
    guard Posix.status(at: path)?.identity != status.identity else { return MetricOptimization() }
    let target = try ReplacementFile(for: path, mustLast: true)
    var copy = try SurvivorCopy(
      from: source, upTo: Int(clamping: status.size), to: target, cutoff: cutoff, decoder: decoder)
    try copy.run()
    guard copy.result.removed > 0 else { return copy.result }
    try target.sync()
    // Locked before the current file, because that one's writers must not wait for a reader of this one.
    do { _ = try Posix.lock(source, wait: LockLimit.usual) } catch {
      throw error.isLockHeld ? FileFailure(.lockOf(name), number: error.number) : error
    }
    var isInPlace = false
    try withCurrentFileLocked(as: source) { isCurrent in
      let size = try Posix.status(of: source).size
      guard try copy.fits(size: Int(clamping: size)) else { return }
      copy.extend(upTo: Int(clamping: size))
      try copy.run()
      try copy.finish()
      try target.takeAttributes(of: source, name)
      let place = try target.putInPlace(of: status.identity) {
        // Programs that ignore locks may have renamed any of them, or written to this one.
        guard isCurrent(), (try? Posix.status(of: source).size) == size else { return nil }
        return NumberedFiles(path: path).existing.first { Posix.status(at: $0)?.identity == status.identity }
      }
      guard let place else { return }
      isInPlace = true
      try addLate(from: source, since: size, to: target)
      // The numbers must stay contiguous, so only the oldest file is removed when it becomes empty.
      let isEmpty = try Posix.status(of: target.descriptor).size == 0
      if isEmpty, place == NumberedFiles(path: path).existing.last { try target.takeBack() }
    }
    return isInPlace ? copy.result : MetricOptimization()
  }

  /// The size of the file while no one writes, or `nil` if the name no longer refers to it.
  private func settledSize(of source: Int32) throws -> Int? {
    try withLock(of: source) { Int(clamping: $0.size) }
  }

  /// - Parameters:
  ///   - other: The file whose owner and attributes the current file gets, if that was moved away and not created again
  ///     yet.
  ///   - body: Its argument returns true while the locked file is the current one.
  private func withCurrentFileLocked(as other: Int32, _ body: (() -> Bool) throws -> Void) throws {
    while true {
      guard let current = try open(path) else {
        try NumberedFiles(path: path).makeCurrent(like: other)
        continue
      }
      defer { Posix.close(current) }
      let isDone: Void? = try withLock(of: current) { status in
        try body { Posix.status(at: path)?.identity == status.identity }
      }
      if isDone != nil { return }
    }
  }

  /// Runs `body` while no one writes to an open file, unless the name no longer refers to it.
  private func withLock<Result>(of file: Int32, _ body: (FileStatus) throws -> Result?) throws -> Result? {
    var lock = WriterLock(path: path)
    defer { lock.close() }
    guard try lock.take(with: file, for: .replacing) else { return nil }
    defer { lock.giveBack(file) }
    let status = try Posix.status(of: file)
    return Posix.status(at: path)?.identity == status.identity ? try body(status) : nil
  }
}
