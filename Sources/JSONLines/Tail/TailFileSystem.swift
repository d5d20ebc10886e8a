package import Platform

/// The operations that a tail needs of a file system; implemented by the real one and one in memory.
///
/// Every call says what the system call of that kind says at that moment; nothing is kept between calls.
package protocol TailFileSystem: Sendable {
  /// Status of the file at a path, symbolic links followed.
  func status(ofPath path: String) throws(FileFailure) -> FileStatus
  func status(of file: FileToken) throws(FileFailure) -> FileStatus
  /// When a file was made; `nil` where that is not known.
  func birth(of file: FileToken) -> Int64?
  /// Opens for reading, without waiting for the other end of a FIFO.
  func open(_ path: String) throws(FileFailure) -> FileToken
  /// - Returns: the number of bytes read; 0 at the end of the file.
  func read(
    _ file: FileToken, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int
  /// The first place from `offset` on that is no hole of a sparse file; the end of the file where only a hole follows.
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
}

extension TailFileSystem {
  /// Without knowledge of holes everything may be data.
  package func dataStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64 { offset }

  package func birth(of file: FileToken) -> Int64? { nil }

  /// How a file looks that was just opened, with its birth, which never changes.
  func fullStatus(of file: FileToken) throws(FileFailure) -> FileStatus {
    var status = try status(of: file)
    status.born = birth(of: file)
    return status
  }

  package func rotated(_ original: String, in directory: String) throws(FileFailure) -> [String] {
    try names(in: directory).filter { RotatedName.isRotated($0, of: original) }
  }
}

/// The part of a file before the place where its tail began, to be read apart and in any order.
///
/// Holds the file open, so that it can be read however the path changes meanwhile.
package final class EarlierBytes: Sendable {
  /// Bytes from the start of the file; behind them the tail began.
  package let end: UInt64
  private let fileSystem: any TailFileSystem
  private let file: FileToken

  /// - Parameter file: closed with the last reference to this object.
  init(of file: FileToken, in fileSystem: any TailFileSystem, end: UInt64) {
    self.file = file
    self.fileSystem = fileSystem
    self.end = end
  }

  deinit {
    fileSystem.close(file)
  }

  /// The first place from `offset` on that is no hole.
  func dataStart(from offset: UInt64) -> UInt64 {
    // Where nothing is known of holes, they are read as the zeros that they are.
    (try? fileSystem.dataStart(in: file, from: offset)) ?? offset
  }

  /// Reads at most up to ``end``.
  ///
  /// - Returns: the number of bytes read; 0 where the file was cut meanwhile.
  package func read(
    at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    guard offset < end else { return 0 }
    let count = Int(min(UInt64(buffer.count), end - offset))
    return try fileSystem.read(
      file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}
