#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of saved positions, kept by this process alone as long as the object lives.
///
/// The lock is that of the file itself: what takes its place is locked before it does. Where the file system knows no
/// locks it goes without.
package final class PositionStore {
  /// Why a file is not taken, or not written any more.
  package enum Refusal: Error, Hashable, Sendable {
    /// What is there was not written by a store: it is left alone.
    case foreign
    /// Another process keeps it.
    case taken
    case failure(FileFailure)
  }

  /// What the file held; no positions if there was none, or if it ``isDamaged``.
  package let file: PositionFile
  /// It began as such a file does, and yet it cannot be believed.
  package let isDamaged: Bool
  /// Without symbolic links: what a link leads to is written, not the link.
  private let path: String
  /// The file, locked.
  private var held: Int32

  /// Opens the file, or makes an empty one.
  package init(path: String) throws(Refusal) {
    self.path = PosixFileSystem().place(of: path)
    held = try Self.hold(self.path)
    do {
      let found = try Self.load(held)
      file = found ?? PositionFile()
      isDamaged = found == nil
    } catch {
      close(held)
      throw error
    }
    removeLeftovers()
  }

  deinit {
    close(held)
  }

  /// Whether a path may not be a store because it is, or would be, one of the followed files.
  ///
  /// - Parameter streams: descriptors that are read or written beside the sources.
  package static func isFollowed(_ path: String, by sources: [TailSource], streams: [Int32]) -> Bool {
    let system = PosixFileSystem()
    let place = system.place(of: path)
    let identity = try? system.status(ofPath: place).identity
    func isSame(_ other: FileIdentity?) -> Bool { identity != nil && identity == other }
    return streams.contains { isSame(try? system.status(of: FileToken(rawValue: $0)).identity) }
      || sources.contains { source in
        switch source {
        case .file(let file):
          system.place(of: file) == place || isSame(try? system.status(ofPath: file).identity)
        case .folder(let folder):
          system.place(of: folder) == PathParts(place).directory && place.hasSuffix(".jsonl")
        case .standardInput: false
        }
      }
  }

  /// Puts the positions in place of those before, whole or not at all, whatever happens meanwhile.
  package func save(_ file: PositionFile) throws(Refusal) {
    guard isStillOurs else { throw .foreign }
    let (descriptor, temporary) = try makeTemporary()
    do throws(FileFailure) {
      try Self.write(file.encoded, to: descriptor)
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      guard rename(temporary, path) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      close(descriptor)
      throw .failure(error)
    }
    close(held)
    held = descriptor
    syncDirectory()
  }

  private static func hold(_ path: String) throws(Refusal) -> Int32 {
    for _ in 0..<100 {
      // To open a FIFO or a device can be too much already.
      if let status = try? PosixFileSystem().status(ofPath: path), status.kind != .regular { throw .foreign }
      let flags = O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw .failure(.last) }
      let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      // The process that held it may have put another file in its place between the two calls.
      if !isTaken, isNamed(path, descriptor) == true { return descriptor }
      close(descriptor)
      if isTaken { throw .taken }
    }
    throw .taken
  }

  /// - Returns: `nil` if the bytes are damaged.
  private static func load(_ descriptor: Int32) throws(Refusal) -> PositionFile? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= PositionFile.sizeLimit {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .failure(.last) }
      // Touched and never written, as `mktemp` leaves it.
      if bytes.isEmpty, count == 0 { return PositionFile() }
      if count == 0 { break }
      bytes += block[..<count]
      guard PositionFile.isHeaded(bytes) else { throw .foreign }
    }
    return PositionFile.decoded(bytes)
  }

  /// Whether a path names an open file; `nil` if it names nothing.
  private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool? {
    let system = PosixFileSystem()
    guard let named = try? system.status(ofPath: path) else { return nil }
    return named.identity == (try? system.status(of: FileToken(rawValue: descriptor)))?.identity
  }

  /// Whether what is under the path, if anything, is what this object has put there.
  private var isStillOurs: Bool {
    guard Self.isNamed(path, held) != false else { return false }
    var start = [UInt8](repeating: 0, count: 64)
    let count = pread(held, &start, start.count, 0)
    return count == 0 || (count > 0 && PositionFile.isHeaded(start[..<count]))
  }

  /// What the names of temporary files begin with; six characters follow.
  private var temporaryPrefix: String {
    let parts = PathParts(path)
    return PathParts.join(parts.directory, ".\(parts.name).mistertop-")
  }

  private func makeTemporary() throws(Refusal) -> (descriptor: Int32, path: String) {
    var name = Array((temporaryPrefix + "XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw .failure(.last) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return (descriptor, String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// Removes what runs have left behind that were killed while they saved; the lock says that none is at it.
  private func removeLeftovers() {
    let parts = PathParts(temporaryPrefix)
    for name in (try? PosixFileSystem().names(in: parts.directory)) ?? []
    where name.hasPrefix(parts.name) && name.utf8.count == parts.name.utf8.count + 6 {
      unlink(PathParts.join(parts.directory, name))
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// The new name survives a power cut only with its directory; where that cannot be synced, the old file is found.
  private func syncDirectory() {
    let descriptor = open(PathParts(path).directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The system call; inside the type its own method of this name hides it.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
