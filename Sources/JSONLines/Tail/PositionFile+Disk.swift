#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PositionFile {
  /// Reads the file.
  ///
  /// - Returns: `nil` if what is there cannot be believed; no positions if nothing is there.
  /// - Throws: ``FileFailure`` if something is there and cannot be read.
  package static func load(_ path: String) throws(FileFailure) -> PositionFile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return PositionFile() }
      throw .last
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= sizeLimit {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      // Touched and never written, as `mktemp` leaves it.
      if count == 0 { return bytes.isEmpty ? PositionFile() : decoded(bytes) }
      bytes += block[..<count]
    }
    return nil
  }

  /// Puts the file in place of the one before, whole or not at all, whatever happens meanwhile.
  ///
  /// - Throws: ``FileFailure``; the file before is as it was then.
  package func save(to path: String) throws(FileFailure) {
    // The file that a link leads to is replaced, not the link.
    let path = (try? PosixFileSystem().resolved(path)) ?? path
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last }
    let failure = Self.write(encoded, to: descriptor)
    close(descriptor)
    if let failure {
      unlink(temporary)
      throw failure
    }
    guard rename(temporary, path) == 0 else { throw .last }
    Self.sync(directory: PathParts(path).directory)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> FileFailure? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .last }
      rest = rest.dropFirst(count)
    }
    return fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0 ? nil : .last
  }

  /// The new name survives a power cut only with its directory; where that cannot be synced, the old file is found.
  private static func sync(directory: String) {
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The system call; inside the type its own method of this name hides it.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
