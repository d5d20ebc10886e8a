import Essentials
import Platform

/// A file that several processes append whole lines to.
///
/// Every batch follows one recipe: take the lock; is this still the file of that name (another process may have rotated
/// or compacted it)? does its last byte end a line (a killed process may have left half of one)? then one `write` of
/// all lines, cut back if it fails half-way; give the lock back. `O_APPEND` alone loses acknowledged lines when another
/// writer dies in the middle of its own.
struct AppendFile: Sendable {
  /// True if a batch went in.
  enum Outcome: Equatable {
    case appended
    /// Another process holds the lock, and waiting was not allowed. Nothing was written.
    case wouldBlock
    /// The disk took a part of it, which could not be cut off again: the lines up to this place of the batch stay.
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
  /// Set when the file was created or moved: its name is durable only once its folder is synced.
  private var needsFolderSync = false
  /// Folders made for the file: their own names have to become durable, too.
  private var unsyncedFolders: [String] = []
  /// True if something was appended since the last sync.
  private var isUnsynced = false
  /// Why a file that was left behind (rotated, by this process or another) may not be on the disk whole.
  private var failureOfLeft: FileFailure?
  /// Why the file could not be rotated though it is full.
  private var failureOfRotation: FileFailure?

  /// A file that is opened when first needed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - rotation: When to continue in a new file.
  ///   - operations: The system calls to use.
  ///   - lockTimeout: How long to wait for the lock where that is allowed.
  ///   - syncsWhenLeft: Whether a file is synced before another takes its place: ``sync()`` reaches only the current one.
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
  ///   - batch: A newline, used only when the file's last line is torn, and after it the lines.
  ///   - waits: Whether to wait for the lock.
  /// - Throws: `FileFailure`; then nothing of the lines is in the file.
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

  /// Why the last batch was appended to a file that is full, to be told once; `nil` if it was not.
  mutating func takeFailureOfRotation() -> FileFailure? {
    defer { failureOfRotation = nil }
    return failureOfRotation
  }

  /// Makes durable what was appended; a file that does not exist has nothing to sync.
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

  /// After a failed sync: leaves the file under a numbered name and writes `batch`, synced, into a new one.
  ///
  /// The system reports a lost page once and then calls it clean, so syncing the same file again proves nothing.
  mutating func rescue(_ batch: UnsafeRawBufferPointer) throws(FileFailure) {
    isUnsynced = false
    try lockForReplacing()
    do {
      defer { lock.giveBack(descriptor) }
      try moveAway(keeping: .max)
      // Another process may have written to the new file already.
      let size = try goOn()
      if batch.count > 1,
        let torn = try write(UnsafeRawBufferPointer(rebasing: batch[1...]), at: size)
      {
        throw torn.failure
      }
    }
    try sync()
  }

  /// How often clearing begins again when others without locks move the file.
  private static let attempts = 20

  /// Puts an empty file, with the owner and the attributes of this one, in its place, and removes its numbered predecessors.
  ///
  /// - Throws: Why one of them stays; all stay where the empty file cannot be made.
  mutating func clear() throws(FileFailure) {
    let files = NumberedFiles(path: path)
    for _ in 1...Self.attempts {
      if Posix.status(at: path) == nil {
        // Moved away, and none is made yet: what was moved is to go all the same, and writers are kept apart by a current one.
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

  /// - Returns: False if a program that takes no locks has put another file in the place.
  private mutating func clearLocked() throws(FileFailure) -> Bool {
    // A new file, not a truncated one: readers and compactions of the old one notice by its identity.
    let empty = try ReplacementFile(for: path)
    try empty.takeAttributes(of: descriptor, path)
    var problem: FileFailure?
    for name in NumberedFiles(path: path).existing.reversed() {
      do throws(FileFailure) { try Posix.remove(name, with: operations.remove) } catch {
        // A folder of that name has nothing of the store.
        if Posix.status(ofName: name)?.kind != .directory { problem = problem ?? error }
      }
    }
    let cleared = try Posix.status(of: descriptor).identity
    guard try empty.putInPlace(of: cleared, where: { path }) != nil else { return false }
    (isUnsynced, needsFolderSync) = (false, true)
    if let problem { throw problem }
    return true
  }

  /// Opens the file and locks it to put another one in its place.
  private mutating func lockForReplacing() throws(FileFailure) {
    guard try openLocked(waits: true, for: .replacing) != nil else {
      throw FileFailure(.lock, number: EWOULDBLOCK)
    }
  }

  /// Closes the file; it is opened again when needed.
  mutating func close() {
    lock.close()
    closeFile()
  }

  private mutating func closeFile() {
    if descriptor >= 0 { Posix.close(descriptor) }
    descriptor = -1
  }

  /// Opens and locks the file that has the name now.
  ///
  /// - Returns: Its size, or `nil` when the lock is taken and waiting was not allowed.
  private mutating func openLocked(
    waits: Bool, for purpose: WriterLock.Purpose = .appending
  ) throws(FileFailure) -> Int? {
    if forks != ForkCount.now {
      // The parent's descriptor has one lock with this one: two processes would have it at once.
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

  /// Closes a file that has lost its name to another one.
  private mutating func leave() {
    if syncsWhenLeft, isUnsynced {
      // Earlier appends are not part of the batch under way: the next sync reports them.
      do { try syncData() } catch { failureOfLeft = error }
      isUnsynced = false
    }
    closeFile()
  }

  private mutating func open() throws(FileFailure) -> Int32 {
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

  /// True if a new file in the place of this one can have the same owner.
  ///
  /// Rotated by another account, the file would be lost to the one that it belongs to. While somebody else has the
  /// file's own lock it keeps growing.
  private func mayReplace() throws(FileFailure) -> Bool {
    guard lock.hasFile else { return false }
    let owner = try Posix.status(of: descriptor).owner
    return owner == geteuid() || geteuid() == 0
  }

  /// Rotates the locked file, if that can be: a name in the way, or a folder that may not be written to, costs no record.
  ///
  /// - Returns: The size of the file that is locked then: of the new one, or the old one's.
  private mutating func rotate(keeping keep: Int, or size: Int) throws(FileFailure) -> Int {
    do throws(FileFailure) { try moveAway(keeping: keep) } catch {
      failureOfRotation = error
      return size
    }
    return try goOn()
  }

  /// Moves the locked file away and puts an empty one in its place, with its owner, permissions and attributes from the first
  /// moment on: an account that made the file in between would own what is written to it.
  ///
  /// - Throws: The failure, if the file still has its name.
  private func moveAway(keeping keep: Int) throws(FileFailure) {
    let next = try ReplacementFile(for: path)
    do { try next.takeAttributes(of: descriptor, path) } catch {
      let old = try Posix.status(of: descriptor)
      guard old.owner == geteuid() else { throw error }
      // For example a group that this process is not in: better fewer readers than a file that grows for ever.
      Posix.setPermissions(Self.forFewer(old.permissions), of: next.descriptor)
    }
    try NumberedFiles(path: path).shift(keeping: keep, before: next)
    ReplacementFile.removeLeftovers(of: path)
  }

  /// The permissions of a file with another group: that group gets the permissions of others.
  static func forFewer(_ permissions: UInt32) -> UInt32 {
    permissions & 0o707 | (permissions & 0o007) << 3 & permissions & 0o070
  }

  /// Locks the new file after the old one was moved away.
  ///
  /// - Returns: The size of the new file.
  private mutating func goOn() throws(FileFailure) -> Int {
    // Processes that wait for the old lock see, once it is released, that the name belongs to another file.
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

  /// - Returns: What could not be cut off again of a write that failed half-way: the failure, and the bytes that whole
  ///   lines have in the file.
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
      // After a short write nothing of a refused batch may stay, or a later retry would double it.
      guard written > 0 else { throw error }
      do throws(FileFailure) {
        // Lines of a program that takes no locks may follow these.
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
