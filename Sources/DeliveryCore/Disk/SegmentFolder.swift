import Essentials
import Platform

/// The folder of a disk queue, locked as long as this lives.
final class SegmentFolder: Sendable {
  let path: String
  let operations: FileOperations
  private let lock: Int32

  private static let lockName = "queue.lock"

  /// Makes the folder where it is missing, and locks it.
  init(_ path: String, operations: FileOperations) throws(StorageFailure) {
    do throws(FileFailure) {
      // No other account may read users' actions, whichever account made the folder.
      let (folder, made) = try OpenFolder.own(path)
      for made in made { try Posix.syncFolder(of: made, with: operations.syncFolder) }
      self.path = folder.path
      let file = PathParts.join(self.path, Self.lockName)
      guard let lock = try Posix.openAlone(file, permissions: 0o600, with: operations) else {
        throw FileFailure(.lock, number: EWOULDBLOCK)
      }
      self.lock = lock
      self.operations = operations
    } catch {
      guard error.number != EWOULDBLOCK else {
        throw StorageFailure("another process, or another client, uses the disk queue in \(path)")
      }
      throw StorageFailure(error, path)
    }
    Self.excludeFromBackup(self.path)
  }

  deinit {
    // A queue without events leaves no file; a process that waits for this one checks that it still has the name.
    if (try? Posix.names(in: path)) == [Self.lockName] { Posix.unlink(PathParts.join(path, Self.lockName)) }
    Posix.close(lock)
  }

  private static func excludeFromBackup(_ path: String) {
    #if canImport(Darwin)
      var folder = URL(fileURLWithPath: path, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // Events that are backed up as well do no harm but to the backup.
      try? folder.setResourceValues(values)
    #endif
  }
}

// MARK: Names

extension SegmentFolder {
  /// The meaning of a name in the folder.
  enum Entry {
    case segment
    /// Remains of a segment that a killed process was about to put in place.
    case leftover
    /// A segment of a version that is not known.
    case unknown
    /// A segment that was set aside.
    case setAside
    case other

    init(_ name: String) {
      if name.hasPrefix(".queue.v"), name.hasSuffix(".optimizing") {
        self = .leftover
      } else if !name.hasPrefix("queue.v") {
        self = .other
      } else if name.contains(DamagedFile.suffix) {
        self = .setAside
      } else {
        let number = name.dropFirst(SegmentFolder.prefix.count)
        let isOurs =
          name.hasPrefix(SegmentFolder.prefix) && number.utf8.count == 16 && number.allSatisfy(\.isHexDigit)
        self = isOurs ? .segment : .unknown
      }
    }
  }

  private static let prefix = "queue.v1."

  /// The entries of the folder, in the order of the names.
  func entries() throws(StorageFailure) -> [(path: String, entry: Entry)] {
    do {
      return try Posix.names(in: path).sorted().map { (PathParts.join(path, $0), Entry($0)) }
    } catch {
      throw StorageFailure(FileFailure(.openFolder(path), number: error.number), path)
    }
  }

  /// A path that no file has, for a segment that begins with an event of this number.
  func freePath(base: Int64) throws(StorageFailure) -> String {
    for attempt in 0..<Int64(10_000) {
      let digits = String(UInt64(bitPattern: base &+ attempt) ^ 1 << 63, radix: 16)
      let name = Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits
      let free = PathParts.join(path, name)
      if !Posix.isTaken(free) { return free }
    }
    throw StorageFailure("\(path): no name is left for a segment")
  }

  /// Gives what cannot be read another name.
  ///
  /// - Returns: The name it has now, which is the old one where the folder cannot be changed.
  func setAside(_ path: String) -> String {
    PathParts((try? DamagedFile.setAside(path)) ?? path).name
  }

  /// Makes the names as they are now durable.
  func sync() throws(StorageFailure) {
    do {
      try Posix.syncFolder(of: PathParts.join(path, Self.lockName), with: operations.syncFolder)
    } catch {
      throw StorageFailure(error, path)
    }
  }
}

// MARK: Files

extension SegmentFolder {
  /// A file that is open for reading until its last reader is gone.
  private final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ path: String) throws(FileFailure) {
      descriptor = try Posix.openRegular(path)
    }

    deinit { Posix.close(descriptor) }
  }

  /// The bytes of a file.
  ///
  /// - Throws: Also for what is no plain file; `missing` where nothing has the name.
  func window(_ path: String, upTo limit: Int = .max) throws(FileFailure) -> FileWindow {
    let file = try OpenFile(path)
    let status = try Posix.status(of: file.descriptor)
    let read = operations.read
    return FileWindow(size: min(limit, Int(clamping: status.size)), length: 1 << 16) {
      (offset, count) throws(FileFailure) in
      try Posix.read(file.descriptor, at: offset, count: count, with: read)
    }
  }

  /// Writes into a file at its end or at a place, and makes that durable.
  func write(_ bytes: [UInt8], to path: String, at offset: Int? = nil) throws(FileFailure) {
    let descriptor = try Posix.open(path, flags: O_WRONLY | O_NOFOLLOW | (offset == nil ? O_APPEND : 0))
    defer { Posix.close(descriptor) }
    if let offset, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw FileFailure(.write(path)) }
    try bytes.withTypedBytes { (raw) throws(FileFailure) in
      try Posix.write(raw, to: descriptor, path: path, with: operations.write)
    }
    try Posix.sync(descriptor, path: path, with: operations.sync)
  }

  /// Cuts a file, durably.
  func cut(_ path: String, to size: Int) throws(FileFailure) {
    let descriptor = try Posix.open(path, flags: O_WRONLY | O_NOFOLLOW)
    defer { Posix.close(descriptor) }
    try Posix.truncate(descriptor, to: size)
    try Posix.sync(descriptor, path: path, with: operations.sync)
  }

  /// Writes a file whole or not at all, in the place of the one that has the name.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
    let file = try ReplacementFile(lockedFor: path, operations: operations)
    try file.write(bytes)
    try file.putInPlace(permissions: 0o600)
  }

  /// Removes a file, or says why it stays.
  func remove(_ path: String) throws(StorageFailure) {
    do { try Posix.remove(path) } catch {
      throw StorageFailure("cannot remove \(path): \(error.text)")
    }
  }
}

extension StorageFailure {
  /// Why the file system said no, and where.
  init(_ failure: FileFailure, _ path: String) {
    self.init(failure.message.contains(path) ? failure.message : "\(path): \(failure.message)")
  }
}
