import Essentials

/// A file that is written beside a path and then takes that path's place, completely or not at all.
///
/// A file that was not put in place is removed with the object.
package final class ReplacementFile {
  /// The accounts that may read the file.
  package enum Readers: Sendable {
    case ownerOnly
    /// The accounts that the umask permits.
    case usual
  }

  /// The treatment of a symbolic link at the path.
  package enum Links: Sendable {
    /// The link itself is replaced: for paths that only the program chooses.
    case replaced
    /// The link's target is replaced, if the link can be trusted: for paths that a person chose.
    case followed
  }

  /// The final path.
  package let path: String
  let folder: OpenFolder
  let name: String
  var temporary: String
  /// Open for writing; -1 once handed on.
  package private(set) var descriptor: Int32
  /// The name that it has taken, perhaps not yet durably; `nil` before.
  var place: String?
  /// True if it has taken its final name.
  package var isInPlace: Bool { place != nil }
  /// True if a failure to make its name durable is an error.
  private let mustLast: Bool
  private let operations: FileOperations

  /// Creates an empty file with a new name in the folder of `path`.
  ///
  /// - Parameter mustLast: True if the folder must be synced; some folders cannot be read, and hence not synced.
  package init(
    for path: String, readers: Readers = .ownerOnly, links: Links = .replaced, mustLast: Bool = false
  ) throws(FileFailure) {
    self.path = links == .followed ? try Posix.trustedPlace(of: path) : path
    let parts = PathParts(self.path)
    (folder, name) = (try OpenFolder(parts.directory), parts.name)
    if links == .followed { Self.removeLeftovers(of: self.path) }
    // A file that will get the readers of another one starts with none.
    let isPrivate = readers == .ownerOnly || folder.status(of: name) != nil
    var (temporary, descriptor) = ("", Int32?.none)
    for attempt in 1...100 where descriptor == nil {
      temporary = Self.temporaryPrefix(of: name) + RandomName.letters(6)
      do {
        descriptor = try folder.open(
          temporary, flags: O_RDWR | O_CREAT | O_EXCL, permissions: isPrivate ? 0o600 : 0o666)
      } catch {
        guard error.number == EEXIST, attempt < 100 else { throw error }
      }
    }
    guard let descriptor else { throw .other(EEXIST) }
    // Distinguishes it from the leftovers of a killed process.
    _ = try? Posix.lock(descriptor, wait: .zero)
    self.descriptor = descriptor
    self.temporary = temporary
    self.mustLast = mustLast
    operations = .system
  }

  /// Opens the locked file that belongs to the file at `path`, empty and accessible only to its owner.
  ///
  /// A killed process leaves at most one file, which the next one reuses; its own lock separates two processes. If
  /// another account has put a link or a file of its own under that name, it is removed, and neither written to nor
  /// waited for.
  ///
  /// - Parameter path: The path, without symbolic links.
  package init(lockedFor path: String, operations: FileOperations = .system) throws(FileFailure) {
    let parts = PathParts(path)
    (folder, name) = (try OpenFolder(parts.directory), parts.name)
    let temporary = Self.lockedName(for: name)
    while true {
      let opened: Int32
      do {
        opened = try folder.open(temporary, flags: O_RDWR | O_CREAT, permissions: 0o600)
      } catch {
        // A link, a folder, a FIFO without a reader, or a file of another account.
        guard folder.status(of: temporary).map({ !Self.isOurs($0) }) == true else { throw error }
        try folder.remove(temporary)
        continue
      }
      do throws(FileFailure) {
        let found = try Posix.status(of: opened)
        if Self.isOurs(found) {
          do { _ = try Posix.lock(opened) } catch {
            // A reader may hold the lock of a file that others can open.
            guard error.isLockHeld, found.permissions & 0o077 != 0 else { throw error }
          }
        }
        let status = try Posix.status(of: opened)
        if folder.status(of: temporary)?.identity == status.identity {
          if Self.isOurs(status), status.permissions & 0o077 == 0 {
            // After a truncation to zero, ext4 writes the data out as soon as the file is closed.
            if status.size > 0 { try Posix.truncate(opened, to: 0) }
            self.path = path
            descriptor = opened
            self.temporary = temporary
            mustLast = true
            self.operations = operations
            return
          }
          try folder.remove(temporary)
        }
      } catch {
        Posix.close(opened)
        throw error
      }
      Posix.close(opened)
    }
  }

  /// True if a regular file belongs to this user and has only one name.
  private static func isOurs(_ status: FileStatus) -> Bool {
    status.kind == .regular && status.links == 1 && status.owner == geteuid()
  }

  deinit {
    if !isInPlace { try? folder.remove(temporary) }
    guard descriptor >= 0 else { return }
    // Unlocked explicitly: a child that was just forked still has the descriptor, and with it the lock.
    Posix.unlock(descriptor)
    Posix.close(descriptor)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    try Posix.write(bytes, to: descriptor, path: folder.path(of: temporary), with: operations.write)
  }

  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    try bytes.withTypedBytes { bytes throws(FileFailure) in try write(bytes) }
  }

  /// Copies the owner, permissions and attributes of another file, which it will replace.
  package func takeAttributes(of other: Int32, _ path: String) throws(FileFailure) {
    try Posix.copyAttributes(from: other, to: descriptor, of: path)
  }

  /// Copies those of the file at the path, if there is one.
  package func takeAttributesOfReplaced() throws(FileFailure) {
    guard folder.status(of: name)?.kind == .regular else { return }
    let old = try folder.open(name, flags: O_RDONLY)
    defer { Posix.close(old) }
    try takeAttributes(of: old, path)
  }

  /// Switches to append mode, so that later writes follow those of other processes.
  package func appendFromNowOn() { _ = fcntl(descriptor, F_SETFL, O_APPEND) }

  /// Makes everything written so far durable.
  package func sync() throws(FileFailure) {
    try Posix.sync(descriptor, path: folder.path(of: temporary), with: operations.sync)
  }

  /// Durably replaces the file at the path, if any.
  ///
  /// - Parameter permissions: The new permissions, if they change.
  package func putInPlace(permissions: UInt32? = nil) throws(FileFailure) {
    if let permissions { Posix.setPermissions(permissions, of: descriptor) }
    try sync()
    try rename(to: name)
  }

  private func rename(to name: String) throws(FileFailure) {
    try checkTemporary(for: name)
    try folder.rename(temporary, to: name)
    place = name
    try syncFolder()
  }

  /// Refuses a file that another process put under the temporary name.
  func checkTemporary(for name: String) throws(FileFailure) {
    let status = try Posix.status(of: descriptor)
    guard folder.status(of: temporary)?.identity == status.identity else {
      throw FileFailure(.rename(folder.path(of: temporary), to: folder.path(of: name)), number: ENOENT)
    }
  }

  /// Takes the path if it is not in use.
  ///
  /// - Throws: `.other(EEXIST)` if it is in use.
  package func putInFreePlace() throws(FileFailure) {
    try sync()
    try takeFreePlace(name)
    place = name
    try syncFolder()
  }

  /// Hands over the open file, along with its lock if it has one; the caller closes it.
  package func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Syncs the folder, without which the new name would not survive a power failure.
  func syncFolder() throws(FileFailure) {
    do { try folder.sync(with: operations.syncFolder) } catch {
      // Otherwise the old file reappears after a power failure.
      if mustLast { throw error }
    }
  }
}

// MARK: Names

extension ReplacementFile {
  /// The fixed name of a locked file.
  package static func lockedName(for path: String) -> String {
    PathParts.sibling(of: path) { ".\($0).optimizing" }
  }

  /// Prefix of temporary names for a file; six letters follow.
  static func temporaryPrefix(of name: String) -> String { ".\(name)\(mark)" }
  private static let mark = ".mistertop-"

  /// The final name of a temporary file, complete or abandoned; `nil` for any other file.
  package static func original(ofTemporary name: String) -> String? {
    let ending = name.utf8.suffix(mark.utf8.count + 6)
    guard name.utf8.first == UInt8(ascii: "."), ending.starts(with: mark.utf8) else { return nil }
    return String(name.utf8.dropFirst().dropLast(mark.utf8.count + 6))
  }

  /// Removes leftovers of this user's killed processes: files that no one writes to or holds the lock of.
  ///
  /// If another program's file came out of an exchange of names when its process was killed, it gets a name that
  /// readers recognize.
  package static func removeLeftovers(of path: String) {
    let parts = PathParts(path)
    let prefix = temporaryPrefix(of: parts.name)
    guard let folder = try? OpenFolder(parts.directory) else { return }
    for name in (try? Posix.names(in: parts.directory)) ?? [] where name.utf8.starts(with: prefix.utf8) {
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      let removable = removable(ofExchange: String(decoding: rest, as: UTF8.self))
      guard removable != nil || rest.count == 6, folder.isAbandoned(name) else { continue }
      if let removable, folder.status(of: name).map({ removable.contains($0.identity.inode) }) != true {
        try? keep(name, as: parts.name, in: folder)
      } else {
        try? folder.remove(name)
      }
    }
  }
}
