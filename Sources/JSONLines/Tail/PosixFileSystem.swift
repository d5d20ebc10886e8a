package import Platform

/// The real file system, as tails see it.
package struct PosixFileSystem: TailFileSystem {
  private let listings = FolderListings()

  package init() {}

  package func status(ofPath path: String) throws(FileFailure) -> FileStatus {
    try Posix.status(ofPath: path)
  }

  package func status(of file: FileToken) throws(FileFailure) -> FileStatus {
    try Posix.status(of: file.rawValue)
  }

  package func birth(of file: FileToken) -> Int64? { Posix.birth(of: file.rawValue) }

  package func open(_ path: String) throws(FileFailure) -> FileToken {
    // Non-blocking: a FIFO that replaced the file since the last look must not block us.
    FileToken(rawValue: try Posix.open(path))
  }

  package func read(
    _ file: FileToken, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    try Posix.read(file.rawValue, into: buffer, at: offset)
  }

  package func dataStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64 {
    try Posix.dataStart(in: file.rawValue, from: offset)
  }

  package func close(_ file: FileToken) {
    Posix.close(file.rawValue)
  }

  package func duplicate(_ file: FileToken) throws(FileFailure) -> FileToken {
    FileToken(rawValue: try Posix.duplicate(file.rawValue))
  }

  package func resolved(_ path: String) throws(FileFailure) -> String {
    try Posix.realPath(path)
  }

  package func names(in directory: String) throws(FileFailure) -> [String] {
    try Posix.names(in: directory)
  }

  package func rotated(_ original: String, in directory: String) throws(FileFailure) -> [String] {
    try listings.rotated(original, in: directory)
  }

  package func mount(ofPath path: String) -> MountKind { Posix.mount(ofPath: path) }

  package func refresh(_ path: String, _ files: [FileToken]) {
    // The folder first: it tells whether a name still leads to the same file.
    Posix.refresh(PathParts(path).directory)
    Posix.refresh(path)
    for file in files { Posix.refresh(file.rawValue) }
  }

  package func reopen(_ file: FileToken, at path: String, _ identity: FileIdentity) {
    guard let new = try? Posix.open(path) else { return }
    defer { Posix.close(new) }
    guard let status = try? Posix.status(of: new), status.kind == .regular, status.identity == identity
    else { return }
    Posix.replace(file.rawValue, by: new)
  }
}

/// A file held open by the driver, as the state machine refers to it.
package struct FileToken: Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}
