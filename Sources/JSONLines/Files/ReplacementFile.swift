#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
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
  private var isInPlace = false

  /// Makes an empty file in the folder of `path`.
  package init(for path: String, readers: Readers = .ownerOnly) throws(FileFailure) {
    let path = PosixFileSystem().place(of: path)
    let mode: mode_t = readers == .ownerOnly ? 0o600 : 0o666
    var (name, descriptor) = ("", Int32(-1))
    for _ in 0..<100 {
      name = Self.temporaryPrefix(of: path) + Self.randomLetters()
      descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor >= 0 || errno != EEXIST && errno != EINTR { break }
    }
    guard descriptor >= 0 else { throw .last }
    self.path = path
    self.descriptor = descriptor
    temporary = name
  }

  deinit {
    if !isInPlace { unlink(temporary) }
    if descriptor >= 0 { close(descriptor) }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    try PosixFileSystem.write(bytes, to: descriptor)
  }

  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileFailure) in try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Waits until the disk has what was written.
  package func sync() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Takes the place of whatever has the path.
  package func putInPlace() throws(FileFailure) {
    try sync()
    guard rename(temporary, path) == 0 else { throw .last }
    isInPlace = true
    syncFolder()
  }

  /// Takes the path if nothing has it.
  ///
  /// - Throws: `.other(EEXIST)` if something has.
  package func putInFreePlace() throws(FileFailure) {
    try sync()
    if link(temporary, path) == 0 {
      unlink(temporary)
    } else {
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw .last }
      // A file system without second names: between the look and the taking somebody else may come.
      var status = stat()
      guard lstat(path, &status) != 0 else { throw .other(EEXIST) }
      guard rename(temporary, path) == 0 else { throw .last }
    }
    isInPlace = true
    syncFolder()
  }

  /// Hands the open file on to be closed by the caller.
  package func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// The new name survives a power cut only with its folder; where that cannot be synced, the old file is found.
  private func syncFolder() {
    let folder = open(PathParts(path).directory, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
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

  /// Removes what runs have left behind that were killed while they wrote; nobody may be at it now.
  package static func removeLeftovers(of path: String) {
    let parts = PathParts(temporaryPrefix(of: path))
    for name in (try? PosixFileSystem().names(in: parts.directory)) ?? []
    where name.hasPrefix(parts.name) && name.utf8.count == parts.name.utf8.count + 6 {
      unlink(PathParts.join(parts.directory, name))
    }
  }
}

extension PosixFileSystem {
  /// Writes all of the bytes, however many calls that takes.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(FileFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = writeBytes(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}

/// The system call; inside a type a method of this name hides it.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
