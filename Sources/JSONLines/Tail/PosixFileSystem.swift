#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file system of the machine, by system calls.
package struct PosixFileSystem: TailFileSystem {
  package init() {}

  package func status(ofPath path: String) throws(FileFailure) -> FileStatus {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    return FileStatus(status)
  }

  package func status(of file: FileToken) throws(FileFailure) -> FileStatus {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw .last }
    return FileStatus(status)
  }

  package func open(_ path: String) throws(FileFailure) -> FileToken {
    // O_NONBLOCK: a FIFO that took the file's place since the last look must not hold us.
    try token(retrying { systemOpen(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) })
  }

  package func read(
    _ file: FileToken, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    guard let position = off_t(exactly: offset) else { throw .other(EOVERFLOW) }
    let count = retrying { pread(file.rawValue, buffer.baseAddress, buffer.count, position) }
    guard count >= 0 else { throw .last }
    return count
  }

  package func dataStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64 {
    try Self.dataStart(in: file.rawValue, from: offset)
  }

  /// Moves the place of the descriptor, which reading at given places does not mind.
  static func dataStart(in descriptor: Int32, from offset: UInt64) throws(FileFailure) -> UInt64 {
    guard let position = off_t(exactly: offset) else { throw .other(EOVERFLOW) }
    let start = lseek(descriptor, position, seekData)
    if start >= 0 { return UInt64(start) }
    guard errno == ENXIO else { throw .last }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .last }
    return max(offset, UInt64(end))
  }

  package func close(_ file: FileToken) {
    systemClose(file.rawValue)
  }

  package func duplicate(_ file: FileToken) throws(FileFailure) -> FileToken {
    try token(fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0))
  }

  package func resolved(_ path: String) throws(FileFailure) -> String {
    guard let resolved = realpath(path, nil) else { throw .last }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package func names(in directory: String) throws(FileFailure) -> [String] {
    guard let stream = opendir(directory) else { throw .last }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private func token(_ descriptor: Int32) throws(FileFailure) -> FileToken {
    guard descriptor >= 0 else { throw .last }
    return FileToken(rawValue: descriptor)
  }

  private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    var result = call()
    while result < 0, errno == EINTR { result = call() }
    return result
  }
}

extension FileFailure {
  /// What `errno` says after a failed call.
  package static var last: FileFailure {
    switch errno {
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .denied
    case EMFILE, ENFILE: .exhausted
    default: .other(errno)
    }
  }
}

extension FileStatus {
  init(_ status: stat) {
    let kinds: [(mode_t, FileKind)] = [
      (S_IFREG, .regular), (S_IFDIR, .directory), (S_IFIFO, .fifo), (S_IFSOCK, .socket), (S_IFCHR, .device),
      (S_IFBLK, .device),
    ]
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    self.init(
      kind: kinds.first { status.st_mode & S_IFMT == $0.0 }?.1 ?? .other,
      identity: FileIdentity(
        device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino)),
      size: UInt64(max(0, status.st_size)),
      modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
      links: Int(status.st_nlink))
  }
}

/// `SEEK_DATA`, which is not imported.
#if canImport(Darwin)
  private let seekData: Int32 = 4
#else
  private let seekData: Int32 = 3
#endif

/// The system call; inside the type its own method of this name hides it.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags)
}

private func systemClose(_ descriptor: Int32) {
  close(descriptor)
}
