#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What keeps apart the processes that write to one file.
///
/// Two locks. The first is that of a file of its own, `.NAME.lock`, which only the file's owner can open. The second is the
/// file's own, which whoever reads it can hold for as long as he likes, and which is all that writers of other accounts
/// and of older versions have. Who has the first waits for the second only briefly when he appends: lines that are
/// appended do not touch each other. Nobody replaces the file without the second: the lines of whoever has it would go
/// with the old file.
package struct WriterLock: Sendable {
  /// What a lock is taken for.
  package enum Purpose: Sendable {
    case reading, appending
    /// Giving the name to another file.
    case replacing
  }

  private let place: String
  private let operations: FileOperations
  private var descriptor: Int32 = -1
  /// Of the open file, and when to look next whether it has its name still.
  private var identity: FileIdentity?
  private var nextLook = MonotonicInstant.distantPast
  /// Whether the file's own lock is taken too, or was when it was last asked for.
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
  ///   - wait: How long another writer may have it.
  /// - Returns: False when somebody has it and `wait` is zero.
  /// - Throws: `EWOULDBLOCK` when somebody has it still after that time.
  package mutating func take(
    with file: Int32, for purpose: Purpose, wait: Duration = LockLimit.usual
  ) throws(FileFailure) -> Bool {
    let isShared = purpose == .reading
    guard let isFirst = try takeFirst(with: file, shared: isShared, wait: wait) else {
      hasFile = true
      return try Posix.lock(file, shared: isShared, wait: wait, with: operations.lock)
    }
    guard isFirst else { return false }
    let mayGoWithout = purpose != .replacing
    let patience = !mayGoWithout ? wait : hasFile ? min(wait, LockLimit.ofReaders) : .zero
    let isAskedAgain = mayGoWithout && !hasFile
    do throws(FileFailure) {
      hasFile = try Posix.lock(file, shared: isShared, wait: patience, with: operations.lock)
      if hasFile || isAskedAgain { return true }
      // What was not waited for may be another writer's.
      hasFile = true
    } catch {
      guard error.isLockHeld, mayGoWithout else {
        giveBackFirst()
        throw error
      }
      hasFile = false
      return true
    }
    giveBackFirst()
    return false
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
    with file: Int32, shared: Bool, wait: Duration
  ) throws(FileFailure) -> Bool? {
    while true {
      if descriptor < 0 { try open(beside: file, creates: !shared) }
      guard descriptor >= 0 else { return nil }
      var isTaken = try Posix.lock(descriptor, shared: shared, wait: .zero, with: operations.lock)
      // Whoever has one that was removed keeps nobody up.
      if !isTaken, hasName() {
        isTaken = try Posix.lock(descriptor, shared: shared, wait: wait, with: operations.lock)
        if !isTaken { return false }
      }
      // Another writer has a lock on a new one otherwise; until that is seen the file's own keeps the two apart.
      if isTaken, MonotonicInstant.now() < nextLook || hasName() { return true }
      close()
    }
  }

  /// Whether the open file still has the name.
  private mutating func hasName() -> Bool {
    guard let identity, operations.hasName(identity, place) else { return false }
    nextLook = .now() + Self.lookInterval
    return true
  }

  private static let lookInterval = Duration.milliseconds(100)

  /// Opens it, or makes it, where the file is this user's or the user is root.
  ///
  /// Others stay without, and so does everybody where something else has its name.
  private mutating func open(beside file: Int32, creates: Bool) throws(FileFailure) {
    let owner = try Posix.status(of: file).owner
    guard [0, owner].contains(geteuid()) else { return }
    // Others may remove it between two calls.
    for _ in 0..<8 {
      let opened: Int32
      do throws(FileFailure) {
        // Not for writing alone: network file systems take a shared lock by the right to read.
        opened = try Posix.openRegular(place, .appending)
      } catch {
        if error.kind == .exhausted { throw error }
        guard error.number == ENOENT, creates, try make(for: owner) else { return }
        continue
      }
      guard let status = try? Posix.status(of: opened), status.owner == owner else {
        Posix.close(opened)
        return
      }
      if status.permissions & 0o077 != 0 { Posix.setPermissions(0o600, of: opened) }
      (descriptor, identity) = (opened, status.identity)
      return
    }
  }

  /// - Returns: Whether there is one now, be it another process's.
  private func make(for owner: UInt32) throws(FileFailure) -> Bool {
    let made: Int32
    do throws(FileFailure) {
      made = try Posix.open(place, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
    } catch {
      if error.kind == .exhausted { throw error }
      return error.number == EEXIST
    }
    defer { Posix.close(made) }
    return owner == geteuid() || fchown(made, uid_t(owner), gid_t.max) == 0
  }
}
