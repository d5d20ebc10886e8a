package import Platform

/// The file system operations that a tail needs, implemented by the real file system and an in-memory one.
///
/// Every call reflects the state at that moment; nothing is cached between calls, except by the system itself for a
/// remote file (``refresh(_:_:)``).
package protocol TailFileSystem: Sendable {
  /// Status of the file at a path, following symbolic links.
  func status(ofPath path: String) throws(FileFailure) -> FileStatus
  func status(of file: FileToken) throws(FileFailure) -> FileStatus
  /// Creation time of a file; `nil` if unknown.
  func birth(of file: FileToken) -> Int64?
  /// Opens for reading, without waiting for a FIFO's writer.
  func open(_ path: String) throws(FileFailure) -> FileToken
  /// - Returns: The number of bytes read; 0 at the end of the file.
  func read(
    _ file: FileToken, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int
  /// The first offset from `offset` on that is not in a hole of a sparse file; the end of the file if only a hole
  /// follows.
  func dataStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64
  func close(_ file: FileToken)
  /// Another token for the same open file.
  func duplicate(_ file: FileToken) throws(FileFailure) -> FileToken
  /// The path with all symbolic links resolved.
  func resolved(_ path: String) throws(FileFailure) -> String
  /// Names in a directory, in any order.
  func names(in directory: String) throws(FileFailure) -> [String]
  /// The names in a folder that a file of this name may have been rotated to.
  func rotated(_ original: String, in directory: String) throws(FileFailure) -> [String]
  /// The kind of file system of a path or, if nothing exists there, of the nearest folder above it.
  func mount(ofPath path: String) -> MountKind
  /// Has the system ask again for what it may have cached of a path, its folder and open files.
  func refresh(_ path: String, _ files: [FileToken])
  /// Opens a path again for an open file, which keeps its token, if it leads to the file with this identity.
  func reopen(_ file: FileToken, at path: String, _ identity: FileIdentity)
}

extension TailFileSystem {
  /// Without knowledge of holes, everything counts as data.
  package func dataStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64 { offset }

  package func birth(of file: FileToken) -> Int64? { nil }

  package func mount(ofPath path: String) -> MountKind { .local }

  package func refresh(_ path: String, _ files: [FileToken]) {}

  package func reopen(_ file: FileToken, at path: String, _ identity: FileIdentity) {}

  /// The status of a file that was just opened, with its creation time, which never changes.
  func fullStatus(of file: FileToken) throws(FileFailure) -> FileStatus {
    var status = try status(of: file)
    status.born = birth(of: file)
    return status
  }

  package func rotated(_ original: String, in directory: String) throws(FileFailure) -> [String] {
    try names(in: directory).filter { RotatedName.isRotated($0, of: original) }
  }
}

/// The part of a file before the start of its tail, for separate reading in any order.
///
/// Holds the file open, so that it can be read whatever happens to the path.
package final class EarlierBytes: Sendable {
  /// The end of the part, which is where the tail started, in bytes from the start of the file.
  package let end: UInt64
  private let fileSystem: any TailFileSystem
  private let file: FileToken

  /// - Parameter file: Closed with the last reference to this object.
  init(of file: FileToken, in fileSystem: any TailFileSystem, end: UInt64) {
    self.file = file
    self.fileSystem = fileSystem
    self.end = end
  }

  deinit {
    fileSystem.close(file)
  }

  /// The first offset from `offset` on that is not in a hole.
  func dataStart(from offset: UInt64) -> UInt64 {
    // Unknown holes are read as zeros.
    (try? fileSystem.dataStart(in: file, from: offset)) ?? offset
  }

  /// Reads up to ``end`` at most.
  ///
  /// - Returns: The number of bytes read; 0 if the file was truncated in the meantime.
  package func read(
    at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    guard offset < end else { return 0 }
    let count = Int(min(UInt64(buffer.count), end - offset))
    return try fileSystem.read(
      file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}
