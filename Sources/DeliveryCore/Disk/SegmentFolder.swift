import Essentials
import Platform

/// The folder of a disk queue, locked during the life of this object.
final class SegmentFolder: Sendable {
  let path: String
  let operations: FileOperations
  private let lock: Int32

  private static let lockName = "queue.lock"

  /// Creates the folder if it is missing, and locks it.
  init(_ path: String, operations: FileOperations) throws(StorageFailure) {
    do throws(FileFailure) {
      // No other account may read users' actions, whichever account created the folder.
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
    // An empty queue leaves no file; a process waiting for this lock checks that the file still has its name.
    if (try? Posix.names(in: path)) == [Self.lockName] { Posix.unlink(PathParts.join(path, Self.lockName)) }
    Posix.close(lock)
  }

  private static func excludeFromBackup(_ path: String) {
    #if canImport(Darwin)
      var folder = URL(fileURLWithPath: path, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // Excluding events from backups is best effort.
      try? folder.setResourceValues(values)
    #endif
  }
}

// MARK: Names

extension SegmentFolder {
  /// The meaning of a file name in the folder.
  enum Entry {
    case segment
    /// Leftover of an interrupted replacement.
    case leftover
    /// A segment of an unknown version.
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

  /// The entries of the folder, in name order.
  func entries() throws(StorageFailure) -> [(path: String, entry: Entry)] {
    do {
      return try Posix.names(in: path).sorted().map { (PathParts.join(path, $0), Entry($0)) }
    } catch {
      throw StorageFailure(FileFailure(.openFolder(path), number: error.number), path)
    }
  }

  /// An unused path for a segment that begins with this event number.
  func freePath(base: Int64) throws(StorageFailure) -> String {
    for attempt in 0..<Int64(10_000) {
      let digits = String(UInt64(bitPattern: base &+ attempt) ^ 1 << 63, radix: 16)
      let name = Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits
      let free = PathParts.join(path, name)
      if !Posix.isTaken(free) { return free }
    }
    throw StorageFailure("\(path): no name is left for a segment")
  }

  /// Renames an unreadable file.
  ///
  /// - Returns: Its new name, or the old one if the folder cannot be changed.
  func setAside(_ path: String) -> String {
    PathParts((try? DamagedFile.setAside(path)) ?? path).name
  }

  /// Makes the current names durable.
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
  /// A file kept open for reading until its last reader is released.
  private final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ path: String) throws(FileFailure) {
      descriptor = try Posix.openRegular(path)
    }

    deinit { Posix.close(descriptor) }
  }

  /// The bytes of a file.
  ///
  /// - Throws: Also for anything but a regular file; `missing` if there is no such file.
  func window(_ path: String, upTo limit: Int = .max) throws(FileFailure) -> FileWindow {
    let file = try OpenFile(path)
    let status = try Posix.status(of: file.descriptor)
    let read = operations.read
    return FileWindow(size: min(limit, Int(clamping: status.size)), length: 1 << 16) {
      (offset, count) throws(FileFailure) in
      try Posix.read(file.descriptor, at: offset, count: count, with: read)
    }
  }

  /// Writes to a file at its end or at an offset, durably.
  func write(_ bytes: [UInt8], to path: String, at offset: Int? = nil) throws(FileFailure) {
    let descriptor = try Posix.open(path, flags: O_WRONLY | O_NOFOLLOW | (offset == nil ? O_APPEND : 0))
    defer { Posix.close(descriptor) }
    if let offset, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw FileFailure(.write(path)) }
    try bytes.withTypedBytes { (raw) throws(FileFailure) in
      try Posix.write(raw, to: descriptor, path: path, with: operations.write)
    }
    try Posix.sync(descriptor, path: path, with: operations.sync)
  }

  /// Truncates a file, durably.
  func cut(_ path: String, to size: Int) throws(FileFailure) {
    let descriptor = try Posix.open(path, flags: O_WRONLY | O_NOFOLLOW)
    defer { Posix.close(descriptor) }
    try Posix.truncate(descriptor, to: size)
    try Posix.sync(descriptor, path: path, with: operations.sync)
  }

  /// Replaces a file atomically.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
    let file = try ReplacementFile(lockedFor: path, operations: operations)
    try file.write(bytes)
    try file.putInPlace(permissions: 0o600)
  }

  /// Removes a file, or throws the reason that it stays.
  func remove(_ path: String) throws(StorageFailure) {
    do { try Posix.remove(path) } catch {
      throw StorageFailure("cannot remove \(path): \(error.text)")
    }
  }
}

extension StorageFailure {
  /// Creates a failure from a file system error and its path.
  init(_ failure: FileFailure, _ path: String) {
    self.init(failure.message.contains(path) ? failure.message : "\(path): \(failure.message)")
  }
}
