package import JSONLines
package import Platform

/// The real file system with faults that a test switches on and off.
///
/// Only used by one thread at a time.
package final class InjectedFileSystem: TailFileSystem, @unchecked Sendable {
  private let real = PosixFileSystem()
  /// True to deny opening files, as for a user without permissions.
  package var denies = false
  /// True to return bytes as they were when first read, whatever the file contains now.
  ///
  /// A marker then always matches, as if there were none.
  package var remembers = false
  private var remembered: [FileToken: [UInt8]] = [:]

  package init() {}

  package func status(ofPath path: String) throws(FileFailure) -> FileStatus {
    try real.status(ofPath: path)
  }

  package func status(of file: FileToken) throws(FileFailure) -> FileStatus { try real.status(of: file) }

  package func birth(of file: FileToken) -> Int64? { real.birth(of: file) }

  package func open(_ path: String) throws(FileFailure) -> FileToken {
    if denies { throw .denied }
    let file = try real.open(path)
    remembered[file] = []
    return file
  }

  package func read(
    _ file: FileToken, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    let count = try real.read(file, at: offset, into: buffer)
    guard remembers, let start = Int(exactly: offset), var old = remembered[file] else { return count }
    let known = start < old.count ? min(buffer.count, old.count - start) : 0
    for index in 0..<known { buffer[index] = old[start + index] }
    if start + count > old.count, start <= old.count {
      old += buffer[(old.count - start)..<count]
      remembered[file] = old
    }
    return max(count, known)
  }

  package func dataStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64 {
    try real.dataStart(in: file, from: offset)
  }

  package func close(_ file: FileToken) {
    remembered[file] = nil
    real.close(file)
  }

  package func duplicate(_ file: FileToken) throws(FileFailure) -> FileToken { try real.duplicate(file) }

  package func resolved(_ path: String) throws(FileFailure) -> String { try real.resolved(path) }

  package func names(in directory: String) throws(FileFailure) -> [String] { try real.names(in: directory) }
}
