import Essentials
import Platform

/// A file to which several processes append whole lines.
///
/// Every batch follows the same steps: take the lock; check that the name still refers to this file (another process
/// may have rotated or compacted it) and whether its last byte ends a line (a killed process may have left half of
/// one); append all lines with one `write`, truncated again if it fails halfway; release the lock. `O_APPEND` alone
/// loses acknowledged lines if another writer dies in the middle of its own.
struct AppendFile: Sendable {
  /// The result of appending a batch.
  enum Outcome: Equatable {
    case appended
    /// Another process holds the lock, and waiting was not allowed; nothing was written.
    case wouldBlock
    /// The disk took part of the batch, which could not be truncated again: the lines up to this offset in the batch
    /// stay.
    case cutShort(FileFailure, kept: Int)
  }

  let path: String
  let rotation: MetricFileRotation?
  let operations: FileOperations
  private let syncsWhenLeft: Bool
  private let lockTimeout: Duration
  private var lock: WriterLock
  private var forks = ForkCount.now
  private var descriptor: Int32 = -1
  /// True if the file was created or moved: its name is durable only once its folder is synced.
  private var needsFolderSync = false
  /// Folders created for the file: their own names have to become durable, too.
  private var unsyncedFolders: [String] = []
  /// True if something was appended since the last sync.
  private var isUnsynced = false
  /// The reason why a previous file (rotated, by this process or another) may not be completely on disk.
  private var failureOfLeft: FileFailure?
  /// True once the leftovers of killed compactions were removed.
  private var isSwept = false
  /// The reason why the full file could not be rotated.
  private var failureOfRotation: FileFailure?

  /// A file that is opened on first use.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - rotation: The condition for continuing in a new file.
  ///   - operations: The system calls to use.
  ///   - lockTimeout: Maximum time to wait for the lock, if waiting is allowed.
  ///   - syncsWhenLeft: True to sync a file before another takes its place: ``sync()`` reaches only the current one.
  init(
    path: String, rotation: MetricFileRotation?, operations: FileOperations,
    lockTimeout: Duration = LockLimit.usual, syncsWhenLeft: Bool
  ) {
    self.lockTimeout = lockTimeout
    self.path = path
    self.rotation = rotation
    self.operations = operations
    self.syncsWhenLeft = syncsWhenLeft
    lock = WriterLock(path: path, operations: operations)
  }

  /// Appends whole lines.
  ///
  /// - Parameters:
  ///   - batch: A newline, used only if the file's last line is torn, followed by the lines.
  ///   - waits: True to wait for the lock.
  /// - Throws: `FileFailure`; then the file has nothing of the lines.
  mutating func append(_ batch: UnsafeRawBufferPointer, waits: Bool) throws(FileFailure) -> Outcome {
    guard batch.count > 1 else { return .appended }
    var size: Int
    do {
      guard let locked = try openLocked(waits: waits) else { return .wouldBlock }
      size = locked
    } catch {
      guard error.isLockHeld else { throw error }
      return .wouldBlock
    }
    defer { lock.giveBack(descriptor) }
    if let rotation, size > 0, size + batch.count - 1 > rotation.maxBytes, try mayReplace() {
      size = try rotate(keeping: rotation.keep, or: size)
    }
    if size == 0 { needsFolderSync = true }
    let isTorn = try isLastLineTorn(size: size)
    let lead = isTorn ? 0 : 1
    isUnsynced = true
    guard let torn = try write(UnsafeRawBufferPointer(rebasing: batch[lead...]), at: size) else {
      return .appended
    }
    return .cutShort(torn.failure, kept: lead + torn.kept)
  }

  /// The reason why the last batch was appended to a full file, returned only once; `nil` if it was not.
  mutating func takeFailureOfRotation() -> FileFailure? {
    defer { failureOfRotation = nil }
    return failureOfRotation
  }

  /// Makes appended data durable; a file that does not exist has nothing to sync.
  mutating func sync() throws(FileFailure) {
    if let failure = failureOfLeft {
      failureOfLeft = nil
      throw failure
    }
    if descriptor < 0 {
      do { descriptor = try Posix.openRegular(path, .appending) } catch {
        guard error.number == ENOENT else { throw error }
        return
      }
    }
    try syncData()
    isUnsynced = false
    if needsFolderSync {
      try Posix.syncFolder(of: path)
      needsFolderSync = false
    }
    while let folder = unsyncedFolders.last {
      try Posix.syncFolder(of: folder)
      unsyncedFolders.removeLast()
    }
  }

  private func syncData() throws(FileFailure) {
    try Posix.sync(descriptor, path: path, with: operations.sync)
  }

  /// After a failed sync: moves the file to a numbered name and writes `batch`, synced, into a new one.
  ///
  /// The system reports a lost page once and then considers it clean, so syncing the same file again proves nothing.
  mutating func rescue(_ batch: UnsafeRawBufferPointer) throws(FileFailure) {
    isUnsynced = false
    try lockForReplacing()
    do {
      defer { lock.giveBack(descriptor) }
      try moveAway(keeping: .max)
      // Another process may already have written to the new file.
      let size = try goOn()
      if batch.count > 1,
        let torn = try write(UnsafeRawBufferPointer(rebasing: batch[1...]), at: size)
      {
        throw torn.failure
      }
    }
    try sync()
  }

  /// Maximum attempts to clear while others without locks move the file.
  private static let attempts = 20

  /// Replaces the file by an empty one with the same owner and attributes, and removes its numbered predecessors.
  ///
  /// - Throws: The reason why one of them stays; all stay if the empty file cannot be created.
  mutating func clear() throws(FileFailure) {
    let files = NumberedFiles(path: path)
    for _ in 1...Self.attempts {
      if Posix.status(at: path) == nil {
        // Moved away, and not created again yet: the moved file must be cleared all the same, and a current file keeps
        // writers out.
        let former = files.existing.first { Posix.status(at: $0)?.kind == .regular }
        guard let former else { return }
        let descriptor = try Posix.openRegular(former)
        defer { Posix.close(descriptor) }
        try files.makeCurrent(like: descriptor)
      }
      try lockForReplacing()
      defer {
        lock.giveBack(descriptor)
        close()
      }
      if try clearLocked() { return }
    }
    throw FileFailure(.replace(path), number: EBUSY)
  }

  /// - Returns: False if a program that ignores locks put another file in its place.
  private mutating func clearLocked() throws(FileFailure) -> Bool {
    // A new file, not a truncated one: readers and compactions of the old one detect the change by its identity.
    let empty = try ReplacementFile(for: path)
    try empty.takeAttributes(of: descriptor, path)
    var problem: FileFailure?
    for name in NumberedFiles(path: path).existing.reversed() {
      do throws(FileFailure) { try Posix.remove(name, with: operations.remove) } catch {
        // A folder with such a name has no data of the store.
        if Posix.status(ofName: name)?.kind != .directory { problem = problem ?? error }
      }
    }
    let cleared = try Posix.status(of: descriptor).identity
    guard try empty.putInPlace(of: cleared, where: { path }) != nil else { return false }
    (isUnsynced, needsFolderSync) = (false, true)
    if let problem { throw problem }
    return true
  }

  /// Opens the file and locks it for replacement.
  private mutating func lockForReplacing() throws(FileFailure) {
    guard try openLocked(waits: true, for: .replacing) != nil else {
      throw FileFailure(.lock, number: EWOULDBLOCK)
    }
  }

  /// Closes the file; it is reopened when needed.
  mutating func close() {
    lock.close()
    closeFile()
  }

  private mutating func closeFile() {
    if descriptor >= 0 { Posix.close(descriptor) }
    descriptor = -1
  }

  /// Opens and locks the file that currently has the name.
  ///
  /// - Returns: Its size, or `nil` if the lock is taken and waiting was not allowed.
  private mutating func openLocked(
    waits: Bool, for purpose: WriterLock.Purpose = .appending
  ) throws(FileFailure) -> Int? {
    if forks != ForkCount.now {
      // The parent's descriptor shares its lock with this one: both processes would hold it at once.
      forks = ForkCount.now
      close()
    }
    while true {
      if descriptor < 0 { descriptor = try open() }
      guard try lock.take(with: descriptor, for: purpose, wait: waits ? lockTimeout : .zero) else {
        return nil
      }
      let status: FileStatus
      do {
        status = try Posix.status(of: descriptor)
      } catch {
        lock.giveBack(descriptor)
        throw error
      }
      if operations.hasName(status.identity, path) { return Int(clamping: status.size) }
      lock.giveBack(descriptor)
      leave()
    }
  }

  /// Closes a file that lost its name to another one.
  private mutating func leave() {
    if syncsWhenLeft, isUnsynced {
      // Earlier appends are not part of the current batch: the next sync reports them.
      do { try syncData() } catch { failureOfLeft = error }
      isUnsynced = false
    }
    closeFile()
  }

  private mutating func open() throws(FileFailure) -> Int32 {
    if !isSwept {
      isSwept = true
      ReplacementFile.removeLeftovers(of: path)
    }
    do {
      return try openOrCreate()
    } catch {
      guard error.number == ENOENT else { throw error }
      unsyncedFolders += try Posix.createFolder(of: path)
      return try openOrCreate()
    }
  }

  private func openOrCreate() throws(FileFailure) -> Int32 {
    try Posix.openRegular(path, .appending, creating: 0o644)
  }

  /// True if a replacement of this file can have the same owner.
  ///
  /// If another account rotated it, its owner would lose access to the file. While someone else holds the file's own
  /// lock, it keeps growing.
  private func mayReplace() throws(FileFailure) -> Bool {
    guard lock.hasFile else { return false }
    let owner = try Posix.status(of: descriptor).owner
    return owner == geteuid() || geteuid() == 0
  }

  /// Rotates the locked file if possible: a name in the way, or a read-only folder, costs no record.
  ///
  /// - Returns: The size of the file that is then locked: the new one, or the old one.
  private mutating func rotate(keeping keep: Int, or size: Int) throws(FileFailure) -> Int {
    do throws(FileFailure) { try moveAway(keeping: keep) } catch {
      failureOfRotation = error
      return size
    }
    return try goOn()
  }

  /// Moves the locked file away and puts an empty one in its place, with its owner, permissions and attributes from the
  /// start: an account that created the file in between would own what is written to it.
  ///
  /// - Throws: The failure, if the file still has its name.
  private func moveAway(keeping keep: Int) throws(FileFailure) {
    let next = try ReplacementFile(for: path)
    do { try next.takeAttributes(of: descriptor, path) } catch {
      let old = try Posix.status(of: descriptor)
      guard old.owner == geteuid() else { throw error }
      // For example, a group that this process is not in: fewer readers are better than a file that grows forever.
      Posix.setPermissions(Self.forFewer(old.permissions), of: next.descriptor)
    }
    try NumberedFiles(path: path).shift(keeping: keep, before: next)
    ReplacementFile.removeLeftovers(of: path)
  }

  /// The permissions of a file whose group changes: the new group gets the permissions of others.
  static func forFewer(_ permissions: UInt32) -> UInt32 {
    permissions & 0o707 | (permissions & 0o007) << 3 & permissions & 0o070
  }

  /// Locks the new file after the old one was moved away.
  ///
  /// - Returns: The size of the new file.
  private mutating func goOn() throws(FileFailure) -> Int {
    // Processes that wait for the old lock notice, once it is released, that the name refers to another file.
    lock.giveBack(descriptor)
    leave()
    needsFolderSync = true
    guard let size = try openLocked(waits: true) else { throw FileFailure(.lock, number: EWOULDBLOCK) }
    return size
  }

  private func isLastLineTorn(size: Int) throws(FileFailure) -> Bool {
    guard size > 0 else { return false }
    var last: UInt8 = 0
    let descriptor = descriptor
    let count = try withUnsafeMutableBytes(of: &last) { (buffer) throws(FileFailure) in
      try Posix.read(descriptor, into: buffer, at: UInt64(size - 1), with: operations.read)
    }
    return count == 1 && last != UInt8(ascii: "\n")
  }

  /// - Returns: The remainder of a write that failed halfway and could not be truncated: the failure, and the length of
  ///   its complete lines in bytes.
  private func write(
    _ bytes: UnsafeRawBufferPointer, at size: Int
  ) throws(FileFailure) -> (failure: FileFailure, kept: Int)? {
    var written = 0
    do {
      try Posix.write(bytes, to: descriptor, path: path) { descriptor, rest in
        let count = operations.write(descriptor, rest)
        written += max(0, count)
        return count
      }
      return nil
    } catch {
      // After a short write, nothing of a refused batch may stay, or a later retry would duplicate it.
      guard written > 0 else { throw error }
      do throws(FileFailure) {
        // Lines of a program that ignores locks may follow these.
        guard try Posix.status(of: descriptor).size == UInt64(size + written) else { throw error }
        try Posix.truncate(descriptor, to: size, with: operations.truncate)
      } catch {
        let end = bytes[..<written].lastIndex(of: UInt8(ascii: "\n"))
        return (error, kept: end.map { $0 + 1 } ?? 0)
      }
      throw error
    }
  }
}
