#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What keeps apart the processes that write to one file.
///
/// Two locks. The first is that of a file of its own, `.NAME.lock`, which only those can open who may write to the file
/// itself. The second is the file's own, which whoever reads it can hold for as long as he likes: writers that know only
/// that one look at it, so it is waited for, but not for long by who has the first.
package struct WriterLock: Sendable {
  private let place: String
  private let operations: FileOperations
  private var descriptor: Int32 = -1
  /// Of the open file, and when to look next whether it has its name still.
  private var identity: FileIdentity?
  private var nextLook = MonotonicInstant.distantPast
  /// Whether somebody who is no writer held the file's own lock when it was last asked for.
  private var isFileHeld = false

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
  /// - Throws: `EWOULDBLOCK` when a writer has it still after that time; without the first lock, whoever has it.
  package mutating func take(
    with file: Int32, shared: Bool = false, wait: Duration = LockLimit.usual
  ) throws(FileFailure) -> Bool {
    guard let isFirst = try takeFirst(with: file, shared: shared, wait: wait) else {
      return try Posix.lock(file, shared: shared, wait: wait, with: operations.lock)
    }
    guard isFirst else { return false }
    do throws(FileFailure) {
      let patience = isFileHeld ? .zero : min(wait, LockLimit.ofReaders)
      let isTaken = try Posix.lock(file, shared: shared, wait: patience, with: operations.lock)
      // What was not waited for may be another writer's after all.
      guard isTaken || isFileHeld else {
        giveBackFirst()
        return false
      }
      isFileHeld = !isTaken
    } catch {
      guard error.isLockHeld else {
        giveBackFirst()
        throw error
      }
      isFileHeld = true
    }
    return true
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
      if descriptor < 0 { open(beside: file, creates: !shared) }
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

  /// Opens it, or makes it where this user may say who can open it.
  private mutating func open(beside file: Int32, creates: Bool) {
    guard let status = try? Posix.status(of: file) else { return }
    let permissions = Posix.permissions(ofWritersOf: status.permissions)
    // Others may make and remove it meanwhile.
    for _ in 0..<8 {
      let opened: Int32
      do {
        // Not for writing alone: network file systems take a shared lock by the right to read.
        opened = try Posix.openRegular(place, .appending)
      } catch {
        guard error.number == ENOENT, creates, [0, status.owner].contains(geteuid()),
          make(beside: file)
        else { return }
        continue
      }
      let lock = try? Posix.status(of: opened)
      let isTrusted = lock.map { [0, status.owner, geteuid()].contains($0.owner) } ?? false
      if let lock, isTrusted, lock.permissions & 0o777 & ~permissions == 0 {
        (descriptor, identity) = (opened, lock.identity)
        return
      }
      Posix.close(opened)
      guard lock?.owner == geteuid(), creates else { return }
      // More could write to the file when it was made: whoever had it open then may have it still.
      Posix.unlink(place)
    }
  }

  /// - Returns: Whether there is one now, be it another process's.
  private func make(beside file: Int32) -> Bool {
    do {
      let made = try Posix.open(place, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
      Posix.shareWriting(of: file, with: made)
      Posix.close(made)
      return true
    } catch {
      return error.number == EEXIST
    }
  }
}
