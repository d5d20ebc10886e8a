import Essentials
package import Platform

/// A file of saved positions, owned by this process alone while the object lives.
///
/// The lock is on the file itself: a replacement is locked before it takes the file's place. If the file system does
/// not support locks, it works without.
package final class PositionStore {
  /// The reason a file is not accepted, or no longer written.
  package enum Refusal: Error, Hashable, Sendable {
    /// Not written by a store; the file is left untouched.
    case foreign
    /// In use by another process.
    case taken
    /// More positions than could be read back.
    case tooLarge
    case failure(FileFailure)
  }

  /// The positions in the file; empty if it did not exist, or if it ``isDamaged``.
  package let file: PositionFile
  /// True if it starts like a position file but cannot be trusted.
  package let isDamaged: Bool
  /// Symbolic links are resolved: the target is written, not the link.
  private let path: String
  /// The file, locked.
  private var held: Int32
  private let sizeLimit: Int

  /// Opens the file, or creates an empty one.
  ///
  /// - Parameter sizeLimit: Maximum size in bytes; larger files are neither read nor written.
  package init(path: String, sizeLimit: Int = PositionFile.sizeLimit) throws(Refusal) {
    self.sizeLimit = sizeLimit
    do { self.path = try Posix.trustedEntry(of: path) } catch { throw .failure(error) }
    held = try Self.hold(self.path)
    do {
      let found = try Self.load(held, sizeLimit)
      file = found ?? PositionFile()
      isDamaged = found == nil
    } catch {
      Posix.close(held)
      throw error
    }
    ReplacementFile.removeLeftovers(of: self.path)
  }

  deinit {
    Posix.close(held)
  }

  /// Replaces the earlier positions atomically.
  package func save(_ file: PositionFile) throws(Refusal) {
    let bytes = file.encoded
    guard bytes.count <= sizeLimit else { throw .tooLarge }
    guard isStillOurs else { throw .foreign }
    do throws(FileFailure) {
      let replacement = try ReplacementFile(for: path)
      try replacement.write(bytes)
      try replacement.takeAttributes(of: held, path)
      _ = try? Posix.lock(replacement.descriptor, wait: .zero)
      try replacement.putInPlace()
      Posix.close(held)
      held = replacement.takeDescriptor()
    } catch {
      throw .failure(error)
    }
  }

  private static func hold(_ path: String) throws(Refusal) -> Int32 {
    for _ in 0..<100 {
      // Even opening a FIFO or a device can have side effects.
      if let status = Posix.status(at: path), status.kind != .regular { throw .foreign }
      let flags = O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
      let descriptor: Int32
      do { descriptor = try Posix.open(path, flags: flags, permissions: 0o600) } catch {
        throw .failure(error)
      }
      guard isTrusted(descriptor, path) else {
        Posix.close(descriptor)
        throw .failure(FileFailure(.useFile(path), number: EACCES))
      }
      let isTaken = (try? Posix.lock(descriptor, wait: .zero)) == false
      // The previous owner may have put another file in its place between the two calls.
      if !isTaken, isNamed(path, descriptor) == true { return descriptor }
      Posix.close(descriptor)
      if isTaken { throw .taken }
    }
    throw .taken
  }

  /// True if no other account could have put it there: a position decides what is not read again.
  private static func isTrusted(_ descriptor: Int32, _ path: String) -> Bool {
    guard let owner = (try? Posix.status(of: descriptor))?.owner, ![0, geteuid()].contains(owner) else {
      return true
    }
    return geteuid() == 0 && Posix.status(at: PathParts(path).directory)?.owner == owner
  }

  /// - Returns: `nil` if the bytes are damaged.
  private static func load(_ descriptor: Int32, _ sizeLimit: Int) throws(Refusal) -> PositionFile? {
    var bytes: [UInt8] = []
    while bytes.count <= sizeLimit {
      let piece: [UInt8]
      do { piece = try Posix.read(descriptor, at: bytes.count, count: 64 << 10) } catch {
        throw .failure(error)
      }
      // Created but never written, as `mktemp` does.
      if bytes.isEmpty, piece.isEmpty { return PositionFile() }
      if piece.isEmpty { break }
      bytes += piece
      guard PositionFile.isHeaded(bytes) else { throw .foreign }
    }
    return bytes.count <= sizeLimit ? PositionFile.decoded(bytes) : nil
  }

  /// True if a path refers to an open file; `nil` if it does not exist.
  private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool? {
    guard let named = Posix.status(at: path) else { return nil }
    return named.identity == (try? Posix.status(of: descriptor))?.identity
  }

  /// True if the path does not exist, or still refers to the file that this object put there.
  private var isStillOurs: Bool {
    guard Self.isNamed(path, held) != false else { return false }
    guard let start = try? Posix.read(held, at: 0, count: 64) else { return false }
    return start.isEmpty || PositionFile.isHeaded(start)
  }
}
