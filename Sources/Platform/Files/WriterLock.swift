import Essentials

/// A lock that lets one process at a time write to a file.
///
/// It consists of two locks. The first is on a separate file, `.NAME.lock`, which only the file's owner can open. The second
/// is on the file itself: any reader can hold it as long as it likes, and writers of other accounts have only this one. A
/// process with the first lock that appends to a file which no other account may write to waits only briefly for the second:
/// then a reader has it, because all other writers need the first. Replacing the file needs both.
package struct WriterLock: Sendable {
  /// The purpose of a lock.
  package enum Purpose: Sendable {
    case reading, appending
    /// Giving the name to another file.
    case replacing
  }

  private let place: String
  private let operations: FileOperations
  private var descriptor: Int32 = -1
  /// The status of the lock's open file, and the time of the next check that it still has its name.
  private var status: FileStatus?
  private var nextLook = MonotonicInstant.distantPast
  /// True if the file's own lock is taken too, or was when it was last asked for.
  package private(set) var hasFile = true

  /// - Parameter path: The file that is written to, without symbolic links.
  package init(path: String, operations: FileOperations = .system) {
    self.operations = operations
    place = Self.place(for: path)
  }

  /// The file whose lock only writers can take.
  package static func place(for path: String) -> String {
    PathParts.sibling(of: path) { ".\($0).lock" }
  }

  /// Takes the locks.
  ///
  /// - Parameters:
  ///   - file: The file, open.
  ///   - wait: How long to wait for another writer.
  /// - Returns: False if another process has it and `wait` is zero.
  /// - Throws: `EWOULDBLOCK` if another process still has it after that time.
  package mutating func take(
    with file: Int32, for purpose: Purpose, wait: Duration = LockLimit.usual
  ) throws(FileFailure) -> Bool {
    let isShared = purpose == .reading
    // Others may remove the first lock again and again.
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
      // The first was no lock of this file any more.
      close()
    } while .now() < end
    return try giveUp(after: wait)
  }

  /// - Throws: `EWOULDBLOCK` if that was waited for.
  private func giveUp(after wait: Duration) throws(FileFailure) -> Bool {
    guard wait > .zero else { return false }
    throw FileFailure(.lock, number: EWOULDBLOCK)
  }

  /// - Returns: Whether both are had, or the second is not needed; `nil` if the first has lost its worth.
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
      // A lock that was not waited for may be another writer's.
      hasFile = true
      return false
    }
    do {
      let patience = mayGoWithout ? min(wait, LockLimit.ofReaders) : wait
      hasFile = try Posix.lock(file, shared: isShared, wait: patience, with: operations.lock)
      return hasFile
    } catch {
      guard error.isLockHeld, mayGoWithout else { throw error }
      // A process that replaces the file has a new first lock if this one was removed.
      guard hasName() else { return nil }
      hasFile = false
      return true
    }
  }

  /// Gives the locks back.
  package func giveBack(_ file: Int32) {
    Posix.unlock(file)
    giveBackFirst()
  }

  private func giveBackFirst() {
    if descriptor >= 0 { Posix.unlock(descriptor) }
  }

  /// Closes the lock's own file, in a child of `fork()` as well: it is opened again when needed.
  package mutating func close() {
    if descriptor >= 0 { Posix.close(descriptor) }
    (descriptor, nextLook) = (-1, .distantPast)
  }

  /// - Returns: Whether it was taken; `nil` where there is none that could be trusted.
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
      // Another writer has a lock on a new one otherwise; until that is seen the file's own keeps the two apart.
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

  /// Maximum time that a replacement waits for the second lock while it holds the first: otherwise a reader would block all
  /// writers through it, and with several writers one nearly always has one of the locks.
  private static let replacingPatience = Duration.milliseconds(50)
  private static let lookInterval = Duration.milliseconds(100)

  /// True if a process has had both locks since the first was made: one that began before that has only the second.
  private var isProven: Bool { status?.modified == Self.provenTime }

  /// True if that was long enough ago that a process which still has the second is a reader, or is stopped.
  private var isOld: Bool {
    guard let status else { return false }
    return abs(Timestamp.now().unixSeconds - Double(status.changed) / 1e9) > Self.newSeconds
  }

  /// Not in a file that has another name: another account may have linked a file here that is not a lock.
  private mutating func prove() {
    guard status?.links == 1 else { return }
    Posix.setModified(Self.provenTime, of: descriptor)
    status?.modified = Self.provenTime
  }

  /// The lock says it in its time of modification, in nanoseconds since 1970, which every process sees.
  private static let provenTime: Int64 = 1_000_000_000
  private static let newSeconds = 10.0

  /// Opens it, or makes it, where the file is this user's or the user is root.
  ///
  /// Others stay without, and so does everybody where something else has its name.
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
      // A file that this user has just made has no one in it yet.
      if found.size == 0, owner == geteuid(), !isProven { prove() }
      return
    }
  }

  /// Removes an empty file of this user, or of the file's owner before, that is no lock, unless somebody has its own.
  private func removesUseless(_ opened: Int32) -> Bool {
    guard let status = try? Posix.status(of: opened), status.size == 0,
      geteuid() == 0 || status.owner == geteuid(), (try? Posix.lock(opened, wait: .zero)) == true,
      operations.hasName(status.identity, place)
    else { return false }
    return (try? Posix.remove(place)) != nil
  }

  /// Removes an empty file of another account, such as the owner before, that this user may not open.
  private func removesForeign(_ error: FileFailure) -> Bool {
    guard error.number == EACCES, let found = Posix.status(ofName: place), found.kind == .regular,
      found.size == 0, found.owner != geteuid()
    else { return false }
    return (try? Posix.remove(place)) != nil
  }

  /// For another account it is made whole under another name first: killed in the middle, root would leave one that its
  /// owner cannot open.
  ///
  /// - Returns: Whether there is one now, be it another process's.
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
