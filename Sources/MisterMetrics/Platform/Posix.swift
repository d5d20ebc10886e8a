#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one open file from another while both are open: device and inode.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

/// Identity and size of a file at one moment.
package struct PosixStatus: Sendable {
  package let identity: FileIdentity
  package let size: Int
  /// Permissions and type.
  package let mode: UInt32
}

/// The system calls of files that outlive the process, retried after signals and with errors as ``MetricError``.
package enum Posix {
  /// Opens a file; never truncates.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - creates: Whether it is made when it is missing.
  ///   - writes: Whether it is opened for appending, too.
  ///   - mode: Who may do what with a new file.
  /// - Returns: The descriptor, or `nil` when there is no file and `creates` is false.
  package static func open(
    _ path: String, creates: Bool, writes: Bool = true, mode: UInt32 = 0o644
  ) throws(MetricError) -> Int32? {
    var flags = (writes ? O_APPEND | O_RDWR : O_RDONLY) | O_CLOEXEC
    if creates { flags |= O_CREAT }
    let opened = flags
    let descriptor = retrying { platformOpen(path, opened, mode_t(truncatingIfNeeded: mode)) }
    if descriptor >= 0 { return descriptor }
    if !creates, errno == ENOENT { return nil }
    throw failure(.fileUnavailable, "cannot open \(path)")
  }

  /// Closes a descriptor.
  package static func close(_ descriptor: Int32) {
    _ = platformClose(descriptor)
  }

  /// Takes the advisory lock of a file.
  ///
  /// - Returns: False when another process has it and `waits` is false.
  package static func lock(
    _ descriptor: Int32, shared: Bool = false, waits: Bool = true,
    with call: (Int32, Int32) -> Int32 = { flock($0, $1) }
  ) throws(MetricError) -> Bool {
    let operation = (shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    if retrying({ call(descriptor, operation) }) == 0 { return true }
    if !waits, errno == EWOULDBLOCK { return false }
    throw failure(.fileUnavailable, "cannot lock the file")
  }

  /// Gives the advisory lock back.
  static func unlock(_ descriptor: Int32) {
    _ = retrying { flock(descriptor, LOCK_UN) }
  }

  /// Identity and size of an open file.
  package static func status(of descriptor: Int32) throws(MetricError) -> PosixStatus {
    var result = stat()
    guard fstat(descriptor, &result) == 0 else { throw failure(.fileUnavailable, "cannot look at the file") }
    return PosixStatus(result)
  }

  /// Identity and size of the file that has this name now, or `nil`.
  package static func status(at path: String) -> PosixStatus? {
    var result = stat()
    guard stat(path, &result) == 0 else { return nil }
    return PosixStatus(result)
  }

  /// Reads at an offset; fewer bytes than asked for mean the end of the file.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int,
    with call: (Int32, UnsafeMutableRawBufferPointer, Int) -> Int = FileOperations.system.read
  ) throws(MetricError) -> Int {
    guard buffer.baseAddress != nil else { return 0 }
    let count = retrying { call(descriptor, buffer, offset) }
    guard count >= 0 else { throw failure(.readFailed, "cannot read the file") }
    return count
  }

  /// Where the first newline is in a part of `bytes`.
  static func firstNewline(in bytes: UnsafeRawBufferPointer, from start: Int, upTo end: Int) -> Int? {
    guard start < end, let base = bytes.baseAddress else { return nil }
    guard let found = memchr(base + start, 0x0A, end - start) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Cuts a file to `size` bytes.
  package static func truncate(_ descriptor: Int32, to size: Int) throws(MetricError) {
    guard retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw failure(.writeFailed, "cannot cut the file back")
    }
  }

  /// Gives a file the permissions of another.
  static func setMode(_ mode: UInt32, of descriptor: Int32) {
    _ = fchmod(descriptor, mode_t(truncatingIfNeeded: mode & 0o7777))
  }

  /// Renames a file over another.
  static func rename(_ source: String, to target: String) throws(MetricError) {
    guard platformRename(source, target) == 0 else {
      throw failure(.writeFailed, "cannot rename \(source) to \(target)")
    }
  }

  /// Makes a folder's entries (new, renamed, removed names) durable.
  package static func syncFolder(of path: String) throws(MetricError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = retrying { platformOpen(folder, O_RDONLY | O_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw failure(.syncFailed, "cannot open the folder \(folder)") }
    defer { close(descriptor) }
    guard retrying({ fsync(descriptor) }) == 0 else {
      throw failure(.syncFailed, "cannot sync the folder \(folder)")
    }
  }

  /// The path with every symbolic link resolved, or the path itself when it leads nowhere yet.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Removes a name.
  package static func unlink(_ path: String) {
    _ = platformUnlink(path)
  }

  /// The error of the system call that has just failed.
  package static func failure(_ code: MetricError.Code, _ message: String) -> MetricError {
    let number = errno
    return MetricError(code, "\(message): \(String(cString: strerror(number)))", systemErrorNumber: number)
  }

  /// Repeats a system call that a signal has interrupted.
  package static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

extension PosixStatus {
  fileprivate init(_ status: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    size = Int(clamping: status.st_size)
    mode = UInt32(truncatingIfNeeded: status.st_mode)
  }
}

// Inside `Posix` the plain names would mean its own functions.
private func platformOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func platformClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func platformRename(_ source: String, _ target: String) -> Int32 { rename(source, target) }
private func platformUnlink(_ path: String) -> Int32 { unlink(path) }
