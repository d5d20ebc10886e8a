#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written beside a path and then takes that path's place, whole or not at all.
///
/// What was not put in place goes with the object.
package final class ReplacementFile {
  /// Who may read it.
  package enum Readers: Sendable {
    case ownerOnly
    /// Those whom the process's mask allows.
    case usual
  }

  /// The path without symbolic links: what a link leads to is replaced, not the link.
  package let path: String
  private let temporary: String
  /// Open for writing; -1 once it was handed on.
  package private(set) var descriptor: Int32
  /// Whether it has the other's name by now, though that may not be durable.
  package private(set) var isInPlace = false
  private let isLocked: Bool
  private let operations: FileOperations

  /// Makes an empty file of a new name in the folder of `path`.
  package init(for path: String, readers: Readers = .ownerOnly) throws(FileFailure) {
    let path = Posix.place(of: path)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    var (name, descriptor) = ("", Int32?.none)
    for attempt in 1...100 where descriptor == nil {
      name = Self.temporaryPrefix(of: path) + Self.randomLetters()
      do {
        descriptor = try Posix.open(name, flags: flags, permissions: readers == .ownerOnly ? 0o600 : 0o666)
      } catch {
        guard error.number == EEXIST, attempt < 100 else { throw error }
      }
    }
    guard let descriptor else { throw .other(EEXIST) }
    self.path = path
    self.descriptor = descriptor
    temporary = name
    isLocked = false
    operations = .system
  }

  /// Takes the file with the one name that belongs to the file at `path`, empty; a new one has these permissions.
  ///
  /// A killed process leaves one file at most, which the next one uses; its own lock keeps two processes apart.
  ///
  /// - Parameter path: without symbolic links.
  package init(
    lockedFor path: String, permissions: UInt32 = 0o644, operations: FileOperations = .system
  ) throws(FileFailure) {
    let name = Self.lockedName(for: path)
    while true {
      let opened = try Posix.openOrCreate(name, permissions: permissions)
      if try Posix.lock(opened), case let status = try Posix.status(of: opened),
        Posix.status(at: name)?.identity == status.identity
      {
        // Of a file that was cut to nothing, ext4 writes the data out as soon as it is closed.
        if status.size > 0 { try Posix.truncate(opened, to: 0) }
        self.path = path
        descriptor = opened
        temporary = name
        isLocked = true
        self.operations = operations
        return
      }
      Posix.close(opened)
    }
  }

  deinit {
    if !isInPlace { Posix.unlink(temporary) }
    if descriptor >= 0 { Posix.close(descriptor) }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    try Posix.write(bytes, to: descriptor, path: temporary, with: operations.write)
  }

  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    try bytes.withTypedBytes { bytes throws(FileFailure) in try write(bytes) }
  }

  /// Takes the place of whatever has the path, or another one of its folder, durably.
  ///
  /// - Parameter permissions: those that it gets, if others.
  package func putInPlace(of other: String? = nil, permissions: UInt32? = nil) throws(FileFailure) {
    if let permissions { Posix.setPermissions(permissions, of: descriptor) }
    try Posix.sync(descriptor, path: temporary, with: operations.sync)
    try Posix.rename(temporary, to: other ?? path)
    isInPlace = true
    try syncFolder()
  }

  /// Takes the path if nothing has it.
  ///
  /// - Throws: `.other(EEXIST)` if something has.
  package func putInFreePlace() throws(FileFailure) {
    try Posix.sync(descriptor, path: temporary, with: operations.sync)
    if link(temporary, path) == 0 {
      Posix.unlink(temporary)
    } else {
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw .last }
      // A file system without second names: another process may come between the check and the rename.
      var status = stat()
      guard lstat(path, &status) != 0 else { throw .other(EEXIST) }
      try Posix.rename(temporary, to: path)
    }
    isInPlace = true
    try syncFolder()
  }

  /// Hands the open file on, with its lock if it has one, to be closed by the caller.
  package func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// The new name survives a power cut only with its folder.
  private func syncFolder() throws(FileFailure) {
    do { try Posix.syncFolder(of: path, with: operations.syncFolder) } catch {
      // The others may stand in folders that cannot be read, where the old file is found after a power cut.
      if isLocked { throw error }
    }
  }
}

// MARK: Names

extension ReplacementFile {
  /// The one name of a locked file.
  package static func lockedName(for path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<slash]).\(path[slash...]).optimizing"
  }

  /// What the names of files that are written for a path begin with; six letters follow.
  private static func temporaryPrefix(of path: String) -> String {
    let parts = PathParts(path)
    return PathParts.join(parts.directory, ".\(parts.name).mistertop-")
  }

  private static func randomLetters() -> String {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return String((0..<6).compactMap { _ in letters.randomElement() })
  }

  /// Removes what killed runs have left behind; no other process may be writing there now.
  package static func removeLeftovers(of path: String) {
    let parts = PathParts(temporaryPrefix(of: path))
    for name in (try? Posix.names(in: parts.directory)) ?? []
    where name.hasPrefix(parts.name) && name.utf8.count == parts.name.utf8.count + 6 {
      Posix.unlink(PathParts.join(parts.directory, name))
    }
  }
}
