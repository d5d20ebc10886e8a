import Codecs
import Essentials
import Platform

/// The file of a ``FileSyncStoreFactory``, locked as long as this lives.
final class StoreLogFile: StoreMedium {
  /// Below this size nothing is gained by compacting.
  static let compactionSize = 1 << 20
  /// How many times as many changes as things that exist a log may hold.
  static let compactionRatio = 4

  private let path: String
  private let durability: FileSyncStoreFactory.Durability
  private let operations: FileOperations
  private var handle: LogHandle
  /// Where the last good transaction ends.
  private var size: Int
  /// How many changes the log holds.
  private var changes: Int
  /// How many transactions were saved, and up to which of them a cut of power takes nothing.
  private var saved = 0
  private let synced = Locked(0)
  /// Set when a sync has failed: once it has, the system calls the lost pages clean, so only a new file can be trusted.
  private let hasFailed = Locked(false)
  /// Set when what the file holds is not known for sure, or must not stay in it: then a new one is written.
  private var needsRewrite = false
  /// How many changes the log must hold before compacting is tried again.
  private var compactionFloor = 0

  /// Opens and reads a log.
  static func open(
    _ path: String, domain: SyncDomain, durability: FileSyncStoreFactory.Durability,
    operations: FileOperations
  ) throws -> (StoreLogFile, SyncData, SyncStoreRecovery) {
    // The target of a symbolic link is the log, and is what a compaction has to replace.
    let path = Posix.resolved(path)
    do {
      let descriptor = try openLocked(path, operations: operations)
      let file = StoreLogFile(
        path: path, handle: LogHandle(descriptor), durability: durability, operations: operations)
      let (data, recovery) = try file.recover(domain: domain)
      return (file, data, recovery)
    } catch let failure as FileFailure {
      throw SyncError(.storeUnavailable, detail: failure.message)
    }
  }

  private init(
    path: String, handle: LogHandle, durability: FileSyncStoreFactory.Durability, operations: FileOperations
  ) {
    self.path = path
    self.handle = handle
    self.durability = durability
    self.operations = operations
    size = 0
    changes = 0
  }

  private var descriptor: Int32 { handle.descriptor }

  func save(_ transaction: StoreTransaction, leadingTo data: SyncData) throws {
    let isDoubtful = hasFailed.withLock { $0 }
    guard transaction.weight > 0 || isDoubtful else { return }
    do {
      if needsRewrite || isDoubtful || transaction.isErasing {
        try rewrite(data)
      } else {
        try append(transaction)
      }
    } catch let failure as FileFailure {
      throw SyncError(.store, detail: failure.message)
    }
    compactIfWorthwhile(data)
  }

  func pendingSync() -> (@Sendable () throws -> Void)? {
    guard durability == .commit, synced.withLock({ $0 }) < saved else { return nil }
    return { [handle, path, operations, saved, synced, hasFailed] in
      do throws(FileFailure) {
        try Posix.sync(handle.descriptor, path: path, with: operations.sync)
        synced.withLock { (synced: inout Int) in synced = max(synced, saved) }
      } catch {
        // A new file that took the place of this one has all of it.
        guard synced.withLock({ $0 < saved }) else { return }
        hasFailed.withLock { $0 = true }
        throw SyncError(.store, detail: error.message)
      }
    }
  }
}

/// An open log with its lock, for as long as somebody writes or syncs it.
private final class LogHandle: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Given back by name: a child that was forked a moment ago still has the descriptor, and with it the lock.
    Posix.unlock(descriptor)
    Posix.close(descriptor)
  }
}

// MARK: Opening

extension StoreLogFile {
  /// Opens and locks the file that has the name, for us alone.
  private static func openLocked(_ path: String, operations: FileOperations) throws -> Int32 {
    guard let descriptor = try Posix.openAlone(path, permissions: 0o600, with: operations) else {
      throw SyncError(.storeInUse, detail: "another process, or another handle, uses \(path)")
    }
    do {
      guard try Posix.status(of: descriptor).kind == .regular else {
        throw SyncError(.storeUnavailable, detail: "\(path) is not a plain file")
      }
    } catch {
      Posix.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Reads everything and makes the file end after the last good transaction.
  private func recover(domain: SyncDomain) throws -> (SyncData, SyncStoreRecovery) {
    let found = Int(clamping: try Posix.status(of: descriptor).size)
    let window = FileWindow(size: found) { [descriptor, operations] (offset, count) throws(FileFailure) in
      try Posix.read(descriptor, at: offset, count: count, with: operations.read)
    }
    let replay = try LogReplay(window, domain: domain)
    // It is ours, and only the holder of the lock compacts: this is what a killed one has left.
    Posix.unlink(ReplacementFile.lockedName(for: path))
    size = replay.goodBytes
    changes = replay.changes
    var damagedFile: URL?
    var data = replay.data
    switch replay.end {
    case .whole: break
    case .torn: try Posix.truncate(descriptor, to: size)
    case .damaged:
      damagedFile = try keepDamaged()
      data.distrust()
      try rewrite(data)
    }
    needsRewrite = replay.isOld
    // True if the one before has synced them no one knows.
    if saved == 0, replay.transactions > 0 { saved = 1 }
    if size == 0 { try writeHeader() }
    return (
      data,
      SyncStoreRecovery(
        transactions: replay.transactions, tornBytes: replay.end == .torn ? found - replay.goodBytes : 0,
        damagedFile: damagedFile)
    )
  }

  private func writeHeader() throws(FileFailure) {
    try write(LogReplay.header)
    if durability == .commit {
      try sync()
      try Posix.syncFolder(of: path)
    }
  }

  /// Gives the damaged file a second name, which stays when a new file takes the first.
  private func keepDamaged() throws -> URL {
    do throws(FileFailure) {
      let folder = try OpenFolder(PathParts(path).directory)
      for name in DamagedFile.names(for: path) {
        do throws(FileFailure) {
          try folder.link(PathParts(path).name, as: PathParts(name).name)
          return URL(fileURLWithPath: name)
        } catch { guard error.number == EEXIST else { throw error } }
      }
      throw .other(EEXIST)
    } catch {
      throw SyncError(
        .storeUnavailable,
        detail: "\(path) is damaged and cannot be kept under another name: \(error.message)")
    }
  }
}

// MARK: Writing

extension StoreLogFile {
  private func append(_ transaction: StoreTransaction) throws {
    guard transaction.bytes.count <= RecordFrame.maximalContent else {
      throw SyncError(.store, detail: "the transaction is too large")
    }
    let before = size
    do { try write(RecordFrame.bytes(of: transaction.bytes)) } catch {
      // Nothing of a refused transaction may stay.
      do { try Posix.truncate(descriptor, to: before) } catch { needsRewrite = true }
      size = before
      throw error
    }
    saved += 1
    changes += transaction.weight
  }

  /// Appends bytes with one system call, unless the system takes them in parts.
  private func write(_ bytes: [UInt8]) throws(FileFailure) {
    try bytes.withTypedBytes { (raw) throws(FileFailure) in
      try Posix.write(raw, to: descriptor, path: path, with: operations.write)
    }
    size += bytes.count
  }

  private func sync() throws(FileFailure) {
    try Posix.sync(descriptor, path: path, with: operations.sync)
  }

  private func compactIfWorthwhile(_ data: SyncData) {
    guard size > Self.compactionSize, changes > compactionFloor,
      changes / Self.compactionRatio > data.count
    else { return }
    // The transaction is kept, whatever becomes of this; a full disk must not cost a copy at every save.
    do { try rewrite(data) } catch {
      compactionFloor = changes.multipliedReportingOverflow(by: 2).partialValue
    }
  }

  /// Writes a file that holds nothing but what counts, and puts it in the place of this one.
  private func rewrite(_ data: SyncData) throws {
    let temporary = try ReplacementFile(lockedFor: path)
    var snapshot = LogSnapshot(file: temporary)
    try snapshot.write(data)
    defer {
      // Also after an error: once the name is the new file's, what is written to the old one is lost.
      if temporary.isInPlace {
        handle = LogHandle(temporary.takeDescriptor())
        (size, changes, compactionFloor) = (snapshot.size, snapshot.changes, 0)
      }
    }
    // Until its name is on the disk no one knows which of the two files is found after a cut of power.
    needsRewrite = true
    try temporary.putInPlace(permissions: 0o600)
    needsRewrite = false
    hasFailed.withLock { $0 = false }
    saved += 1
    synced.withLock { $0 = saved }
  }
}

/// Writes what a store holds as a log.
private struct LogSnapshot {
  /// The content of one record, roughly: what is damaged later should not be everything.
  private static let recordSize = 1 << 18

  private let file: ReplacementFile
  private var content = StoreByteWriter()
  private(set) var size = 0
  private(set) var changes = 0

  init(file: ReplacementFile) {
    self.file = file
  }

  mutating func write(_ data: SyncData) throws {
    try put(LogReplay.header)
    try data.forEachChange { change in
      try content.append(change)
      changes += change.weight
      if content.bytes.count >= Self.recordSize { try endRecord() }
    }
    try endRecord()
  }

  private mutating func endRecord() throws {
    guard !content.bytes.isEmpty else { return }
    guard content.bytes.count <= RecordFrame.maximalContent else {
      throw SyncError(.store, detail: "the store is too large")
    }
    try put(RecordFrame.bytes(of: content.bytes))
    content.clear()
  }

  private mutating func put(_ bytes: [UInt8]) throws(FileFailure) {
    try file.write(bytes)
    size += bytes.count
  }
}
