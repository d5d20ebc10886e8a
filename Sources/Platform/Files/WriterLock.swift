import Essentials

/// A lock that allows one process at a time to write to a file.
///
/// It consists of two locks. The first is on a separate file, `.NAME.lock`, which only the file's owner can open. The
/// second is on the file itself: any reader can hold it for any length of time, and writers of other accounts have only
/// this one. A process with the first lock that appends to a file to which no other account may write waits only
/// briefly for the second: if that is taken, a reader holds it, because all other writers need the first. Replacing the
/// file needs both.
package struct WriterLock: Sendable {
  /// The purpose of a lock.
  package enum Purpose: Sendable {
    case reading, appending
    /// Moving the name to another file.
    case replacing
  }

  private let place: String
  private let operations: FileOperations
  private var descriptor: Int32 = -1
  /// The status of the lock's open file, and the time of the next check that it still has its name.
  private var status: FileStatus?
  private var nextLook = MonotonicInstant.distantPast
  /// True if the file's own lock is held too, or was free when last requested.
  package private(set) var hasFile = true

  /// - Parameter path: The file that is written to, without symbolic links.
  package init(path: String, operations: FileOperations = .system) {
    self.operations = operations
    place = Self.place(for: path)
  }

  /// The path of the first lock.
  package static func place(for path: String) -> String {
    PathParts.sibling(of: path) { ".\($0).lock" }
  }

  /// Takes the locks.
  ///
  /// - Parameters:
  ///   - file: The open file.
  ///   - wait: Maximum time to wait for another writer.
  /// - Returns: False if another process holds it and `wait` is zero.
  /// - Throws: `EWOULDBLOCK` if another process still holds it after that time.
  package mutating func take(
    with file: Int32, for purpose: Purpose, wait: Duration = LockLimit.usual
  ) throws(FileFailure) -> Bool {
    let isShared = purpose == .reading
    // Others may keep removing the first lock.
    let end = MonotonicInstant.now() + max(wait, Self.lookInterval)
    repeat {
      guard let isFirst = try takeFirst(with: file, shared: isShared, wait: wait, until: end) else {
        hasFile = true
        return try Posix.lock(file, shared: isShared, wait: wait, with: operations.lock)
      }
      guard isFirst else { return false }
      do throws(FileFailure) {
        let patience = purpose == .replacing ? min(wait, Self.replacingPatience) : wait
        if let isTaken = try takeSecond(file, for: purpose, wait: patience) {
          if !isTaken { giveBackFirst() }
          return isTaken
        }
      } catch {
        giveBackFirst()
        guard purpose == .replacing, error.isLockHeld, .now() < end else { throw error }
        usleep(5_000)
        continue
      }
      // The first lock no longer belonged to this file.
      close()
    } while .now() < end
    return try giveUp(after: wait)
  }

  /// - Throws: `EWOULDBLOCK` if it waited.
  private func giveUp(after wait: Duration) throws(FileFailure) -> Bool {
    guard wait > .zero else { return false }
    throw FileFailure(.lock, number: EWOULDBLOCK)
  }

  /// - Returns: True if both locks are held, or the second is not needed; `nil` if the first is no longer valid.
  private mutating func takeSecond(
    _ file: Int32, for purpose: Purpose, wait: Duration
  ) throws(FileFailure) -> Bool? {
    let isShared = purpose == .reading
    let isFree = try Posix.lock(file, shared: isShared, wait: .zero, with: operations.lock)
    if isFree { hasFile = true }
    if isFree, purpose != .replacing {
      if !isProven { prove() }
      return true
    }
    let now = try Posix.status(of: file)
    guard now.owner == status?.owner else {
      if isFree { Posix.unlock(file) }
      return nil
    }
    if isFree { return true }
    let mayGoWithout = purpose != .replacing && now.permissions & 0o022 == 0 && (isProven || isOld)
    if mayGoWithout, !hasFile { return hasName() ? true : nil }
    guard wait > .zero else {
      // Without waiting, it is unknown whether another writer holds it.
      hasFile = true
      return false
    }
    do {
      let patience = mayGoWithout ? min(wait, LockLimit.ofReaders) : wait
      hasFile = try Posix.lock(file, shared: isShared, wait: patience, with: operations.lock)
      return hasFile
    } catch {
      guard error.isLockHeld, mayGoWithout else { throw error }
      // If the first lock was removed, a process that replaces the file has a new one.
      guard hasName() else { return nil }
      hasFile = false
      return true
    }
  }

  /// Releases the locks.
  package func giveBack(_ file: Int32) {
    Posix.unlock(file)
    giveBackFirst()
  }

  private func giveBackFirst() {
    if descriptor >= 0 { Posix.unlock(descriptor) }
  }

  /// Closes the lock's own file, also in a child of `fork()`; it is reopened when needed.
  package mutating func close() {
    if descriptor >= 0 { Posix.close(descriptor) }
    (descriptor, nextLook) = (-1, .distantPast)
  }

  /// - Returns: True if it was taken; `nil` if there is none that can be trusted.
  private mutating func takeFirst(
    with file: Int32, shared: Bool, wait: Duration, until end: MonotonicInstant
  ) throws(FileFailure) -> Bool? {
    repeat {
      if descriptor < 0 { try open(beside: file, creates: !shared) }
      guard descriptor >= 0 else { return nil }
      var isTaken = try Posix.lock(descriptor, shared: shared, wait: .zero, with: operations.lock)
      // The holder of a removed lock blocks no one.
      if !isTaken, hasName() {
        isTaken = try Posix.lock(descriptor, shared: shared, wait: wait, with: operations.lock)
        if !isTaken { return false }
      }
      // Otherwise another writer may have locked a new file; until that is noticed, the file's own lock separates the
      // two.
      if isTaken, MonotonicInstant.now() < nextLook || hasName() { return true }
      close()
    } while .now() < end
    return try giveUp(after: wait)
  }

  /// True if the open file still has the name.
  private mutating func hasName() -> Bool {
    guard let status, operations.hasName(status.identity, place) else { return false }
    nextLook = .now() + Self.lookInterval
    return true
  }

  /// Maximum time that a replacement waits for the second lock while it holds the first.
  ///
  /// With no such limit, a reader would block all writers through it; and among several writers, one nearly always holds
  /// one of the locks.
  private static let replacingPatience = Duration.milliseconds(50)
  private static let lookInterval = Duration.milliseconds(100)

  /// True if a process has held both locks since the first was created: one that started before that has only the
  /// second.
  private var isProven: Bool { status?.modified == Self.provenTime }

  /// True if that was so long ago that a process that still holds the second is a reader, or is stopped.
  private var isOld: Bool {
    guard let status else { return false }
    return abs(Timestamp.now().unixSeconds - Double(status.changed) / 1e9) > Self.newSeconds
  }

  /// Records this, but not in a file with a second name, because another account may have linked a file here that is
  /// not a lock.
  private mutating func prove() {
    guard status?.links == 1 else { return }
    Posix.setModified(Self.provenTime, of: descriptor)
    status?.modified = Self.provenTime
  }

  /// Modification time, in nanoseconds since 1970, that marks a proven lock for every process.
  private static let provenTime: Int64 = 1_000_000_000
  private static let newSeconds = 10.0

  /// Opens or creates the lock file, if the user owns the file or is root.
  ///
  /// Other users do without, and so does everyone if something else has its name.
  private mutating func open(beside file: Int32, creates: Bool) throws(FileFailure) {
    let found = try Posix.status(of: file)
    let owner = found.owner
    guard [0, owner].contains(geteuid()) else { return }
    // Others may remove it between two calls.
    for _ in 0..<8 {
      let opened: Int32
      do throws(FileFailure) {
        opened = try Posix.openRegular(place, .locking)
      } catch {
        if error.kind == .exhausted { throw error }
        guard creates, try error.number == ENOENT ? make(for: owner) : removesForeign(error) else { return }
        continue
      }
      guard let status = try? Posix.status(of: opened), status.owner == owner, status.size == 0,
        status.permissions & 0o077 == 0
      else {
        let isGone = removesUseless(opened)
        Posix.close(opened)
        guard isGone else { return }
        continue
      }
      (descriptor, self.status) = (opened, status)
      // No one else can be using a file that this user has just created.
      if found.size == 0, owner == geteuid(), !isProven { prove() }
      return
    }
  }

  /// Removes an empty file that is not a valid lock and belongs to this user, or to anyone if the user is root, unless
  /// it is locked.
  private func removesUseless(_ opened: Int32) -> Bool {
    guard let status = try? Posix.status(of: opened), status.size == 0,
      geteuid() == 0 || status.owner == geteuid(), (try? Posix.lock(opened, wait: .zero)) == true,
      operations.hasName(status.identity, place)
    else { return false }
    return (try? Posix.remove(place)) != nil
  }

  /// Removes an empty file of another account, such as the previous owner, that this user may not open.
  private func removesForeign(_ error: FileFailure) -> Bool {
    guard error.number == EACCES, let found = Posix.status(ofName: place), found.kind == .regular,
      found.size == 0, found.owner != geteuid()
    else { return false }
    return (try? Posix.remove(place)) != nil
  }

  /// Creates the lock file.
  ///
  /// For another account, it is first completed under another name: if killed midway, root would leave a file that its
  /// owner cannot open.
  ///
  /// - Returns: True if it now exists, even if another process created it.
  private func make(for owner: UInt32) throws(FileFailure) -> Bool {
    do throws(FileFailure) {
      if owner == geteuid() {
        Posix.close(
          try Posix.open(place, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600))
      } else {
        ReplacementFile.removeLeftovers(of: place)
        let made = try ReplacementFile(for: place)
        guard Posix.setOwner(owner, of: made.descriptor) else { return false }
        try made.putInFreePlace()
      }
      return true
    } catch {
      if error.kind == .exhausted { throw error }
      return error.number == EEXIST
    }
  }
}
