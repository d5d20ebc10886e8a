import Essentials
import Platform

/// The file of a ``FileSyncStoreFactory``, locked during the life of this object.
///
/// Transactions go to SQLite's write-ahead log. SQLite syncs it only before a checkpoint; ``pendingSync()`` syncs it
/// for waiting callers, on another thread.
final class StoreFile: StoreDatabase {
  private let connection: SQLiteConnection
  private let log: StoreLog?
  private let durability: FileSyncStoreFactory.Durability
  private let operations: FileOperations
  private var last: Int64
  /// The number of saved transactions; `synced` counts those that survive a power cut.
  ///
  /// Leftovers of an earlier process count as one: they may be unsynced.
  private var saved = 1
  private let synced = Locked(0)
  /// Set after a failed sync: the system then marks the lost pages clean, so the log cannot be trusted.
  private let hasFailed = Locked(false)

  /// Begins the first transaction on a database with the tables of ``StoreSchema``.
  init(
    _ connection: SQLiteConnection, log: StoreLog? = nil,
    durability: FileSyncStoreFactory.Durability = .process, operations: FileOperations = .system
  ) throws {
    (self.connection, self.log) = (connection, log)
    (self.durability, self.operations) = (durability, operations)
    guard let first = try connection.run("SELECT ifnull(max(sequence), 0) FROM mutation").first?.first,
      case .integer(let last) = first
    else { throw connection.damage.found("it has no numbers") }
    self.last = last
    try connection.execute("BEGIN")
  }

  deinit {
    // Before the lock is released.
    connection.close()
  }

  func run(_ text: String, _ values: [SQLiteValue]) throws -> [[SQLiteValue]] {
    guard connection.isInTransaction else {
      throw SyncError(.store, detail: "the transaction was taken back after an error")
    }
    return try connection.run(text, values)
  }

  func nextSequence() -> Int64 {
    last += 1
    return last
  }

  func save(isErasing: Bool) throws {
    guard connection.isInTransaction else {
      throw SyncError(.store, detail: "the transaction was taken back after an error")
    }
    try connection.run("COMMIT")
    defer { _ = try? connection.run("BEGIN") }
    saved += 1
    if isErasing {
      try connection.execute("VACUUM")
      try moveLog()
    } else if hasFailed.withLock({ $0 }) {
      // The system reports a failure once per descriptor.
      if (try? moveLog()) == nil { try moveLog() }
    }
  }

  /// Moves the log into the database, synced, and empties the log.
  private func moveLog() throws {
    let result = try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    guard result.first?.first == .integer(0) else {
      throw SyncError(.store, detail: "the log cannot be moved into the database")
    }
    guard hasFailed.withLock({ $0 }) else { return synced.withLock { [saved] in $0 = saved } }
    // Lost pages would show now.
    try StoreOpening.check(connection)
    hasFailed.withLock { $0 = false }
    synced.withLock { [saved] in $0 = saved }
  }

  func rollback() -> Bool {
    do {
      try connection.execute(connection.isInTransaction ? "ROLLBACK; BEGIN" : "BEGIN")
      return true
    } catch { return false }
  }

  func pendingSync() -> (@Sendable () throws -> Void)? {
    guard durability == .commit, let log, synced.withLock({ $0 }) < saved else { return nil }
    return { [operations, saved, synced, hasFailed] in
      do throws(FileFailure) {
        try log.sync(with: operations)
        synced.withLock { (synced: inout Int) in synced = max(synced, saved) }
      } catch {
        // The database may contain everything in the meantime.
        guard synced.withLock({ $0 < saved }) else { return }
        hasFailed.withLock { $0 = true }
        throw SyncError(.store, detail: error.message)
      }
    }
  }

  func keepRoom(for bytes: Int) throws {
    do throws(FileFailure) { try log?.keepRoom(for: bytes, with: operations) } catch {
      throw SyncError(.store, detail: "there is no room for answers to the change: \(error.message)")
    }
  }

  func useRoom() -> Bool {
    guard connection.isFull, log?.giveUpRoom() == true else { return false }
    connection.isFull = false
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    // The log's own room; if that fails, the log still grows into the room that is now free.
    try? moveLog()
    return rollback()
  }

  func damaged(_ text: String) -> SyncError { connection.damage.found(text) }
}

/// The lock of a store, held while it is written or synced.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // Unlocked explicitly: a child forked in the meantime still has the descriptor, and with it the lock.
    Posix.unlock(descriptor)
    Posix.close(descriptor)
  }
}

/// The write-ahead log of a locked store.
final class StoreLog: Sendable {
  private let path: String
  private let lock: StoreLock
  private let descriptor: Int32
  private let isNamed = Locked(false)
  /// A file as large as the log, whose room lets the log be moved into the database on a full disk.
  private let reserve: String
  private let kept: Locked<Int>
  private static let reserveStep = 65_536

  init(path: String, lock: StoreLock) throws(FileFailure) {
    (self.path, self.lock) = (path, lock)
    reserve = path + "-reserve"
    kept = Locked(Posix.status(at: reserve).map { Int(clamping: $0.size) } ?? 0)
    // Kept open, to be told of every failure. SQLite has no locks on this file that a close would drop.
    descriptor = try Posix.open(path, flags: O_RDWR)
  }

  deinit { Posix.close(descriptor) }

  /// Lets the reserve grow with the log; bytes that it got before a failure stay in it.
  ///
  /// - Parameter bytes: The size of payloads, which are stored up to three times.
  func keepRoom(for bytes: Int, with operations: FileOperations) throws(FileFailure) {
    let log = Int(clamping: try Posix.status(of: descriptor).size)
    let needed = log + 4 * min(max(bytes, 0), 1 << 40) + 3 * Self.reserveStep
    let have = kept.withLock { $0 }
    guard have < needed else { return }
    let file = try Posix.open(reserve, flags: O_WRONLY | O_CREAT | O_APPEND, permissions: 0o600)
    defer {
      let size = (try? Posix.status(of: file).size).map { Int(clamping: $0) } ?? have
      kept.withLock { $0 = size }
      Posix.close(file)
    }
    let step = [UInt8](repeating: 0, count: Self.reserveStep)
    for _ in stride(from: have, to: needed, by: Self.reserveStep) {
      try step.withTypedBytes { bytes throws(FileFailure) in
        try Posix.write(bytes, to: file, path: reserve, with: operations.write)
      }
    }
  }

  /// Removes the reserve.
  ///
  /// - Returns: Whether there was one.
  func giveUpRoom() -> Bool {
    Posix.unlink(reserve)
    return kept.withLock { kept in
      defer { kept = 0 }
      return kept > 0
    }
  }

  /// Makes its contents and its name durable.
  func sync(with operations: FileOperations) throws(FileFailure) {
    try Posix.sync(descriptor, path: path, with: operations.sync)
    guard !isNamed.withLock({ $0 }) else { return }
    try Posix.syncFolder(of: path, with: operations.syncFolder)
    isNamed.withLock { $0 = true }
  }
}
