import Essentials

/// File system calls, retried after signals, with errors as ``FileFailure``.
///
/// Descriptors are plain numbers: the code that opens one closes it.
package enum Posix {
  /// The purpose of an opened file.
  package enum Access: Sendable {
    /// Reading; neither a FIFO without a writer nor a terminal that would become the controlling one blocks the caller.
    case reading
    /// Reading, and appending.
    case appending
    /// Only locking. Network file systems require write permission for an exclusive lock, read permission for a shared
    /// one.
    case locking
  }

  /// Opens an existing file for reading.
  package static func open(_ path: String) throws(FileFailure) -> Int32 {
    try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
  }

  /// Opens a file with flags of `open(2)`; child programs do not inherit it.
  package static func open(
    _ path: String, flags: Int32, permissions: UInt32 = 0
  ) throws(FileFailure) -> Int32 {
    let descriptor = retrying {
      systemOpen(path, flags | O_CLOEXEC, mode_t(truncatingIfNeeded: permissions))
    }
    guard descriptor >= 0 else { throw FileFailure(.open(path)) }
    return descriptor
  }

  /// Opens a regular file, without following a link or waiting for anything else.
  ///
  /// - Parameter permissions: Permissions of a newly created file; `nil` not to create one.
  /// - Throws: `ELOOP` for a link, `EINVAL` for anything but a regular file, `EMLINK` for a file to append to that has
  ///   a second name in a folder where others may create one: it may be any file of ours.
  package static func openRegular(
    _ path: String, _ access: Access = .reading, creating permissions: UInt32? = nil
  ) throws(FileFailure) -> Int32 {
    let flags = (access == .reading ? O_RDONLY : O_RDWR | O_APPEND) | (permissions == nil ? 0 : O_CREAT)
    let descriptor = try open(
      path, flags: flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, permissions: permissions ?? 0)
    do throws(FileFailure) {
      let status = try status(of: descriptor)
      guard status.kind == .regular else { throw FileFailure(.open(path), number: EINVAL) }
      if access == .appending, status.links > 1, mayOthersName(in: PathParts(path).directory) {
        throw FileFailure(.open(path), number: EMLINK)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// True if another account other than root may add a name to this folder.
  private static func mayOthersName(in folder: String) -> Bool {
    guard let folder = status(at: folder) else { return true }
    return ![0, geteuid()].contains(folder.owner) || folder.permissions & 0o022 != 0
  }

  /// Closes a descriptor.
  package static func close(_ descriptor: Int32) {
    _ = systemClose(descriptor)
  }

  /// Takes the advisory lock of a file.
  ///
  /// - Parameter wait: Maximum time to wait for another process.
  /// - Returns: False if another process holds it and `wait` is zero; true if the file system has no locks.
  /// - Throws: `EWOULDBLOCK` if another process still holds it after that time.
  package static func lock(
    _ descriptor: Int32, shared: Bool = false, wait: Duration = LockLimit.usual,
    with call: (Int32, Int32) -> Int32 = { flock($0, $1) }
  ) throws(FileFailure) -> Bool {
    let operation = (shared ? LOCK_SH : LOCK_EX) | LOCK_NB
    var deadline: MonotonicInstant?
    var pause: UInt32 = 50
    while retrying({ call(descriptor, operation) }) != 0 {
      // The file system has no locks: the user has to ensure that there is only one writer.
      if [ENOLCK, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(errno) { return true }
      guard errno == EWOULDBLOCK else { throw FileFailure(.lock) }
      guard wait > .zero else { return false }
      let end = deadline ?? .now() + wait
      deadline = end
      guard .now() < end else { throw FileFailure(.lock, number: EWOULDBLOCK) }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
    return true
  }

  /// Opens a file, or creates it and its folders, and takes its lock for this handle alone.
  ///
  /// A file of another account is refused, because its owner could read what is written. Permissions wider than
  /// requested are narrowed.
  ///
  /// - Returns: `nil` if another handle, of this process or another, holds the lock.
  package static func openAlone(
    _ path: String, _ access: Access = .appending, permissions: UInt32, with operations: FileOperations
  ) throws(FileFailure) -> Int32? {
    while true {
      let descriptor = try openWithFolders(path, access, permissions: permissions)
      do throws(FileFailure) {
        let found = try status(of: descriptor)
        guard found.owner == geteuid() else { throw FileFailure(.useFile(path), number: EACCES) }
        guard try lock(descriptor, wait: .zero, with: operations.lock) else {
          close(descriptor)
          return nil
        }
        if permissions & 0o077 == 0, found.permissions & 0o077 != 0 {
          setPermissions(permissions, of: descriptor)
        }
        // Between opening and locking, the previous holder may have replaced the file, so that the name refers to
        // another one.
        if operations.hasName(try status(of: descriptor).identity, path) { return descriptor }
      } catch {
        close(descriptor)
        throw error
      }
      close(descriptor)
    }
  }

  private static func openWithFolders(
    _ path: String, _ access: Access, permissions: UInt32
  ) throws(FileFailure) -> Int32 {
    do {
      return try openRegular(path, access, creating: permissions)
    } catch {
      guard error.number == ENOENT else { throw error }
      try createFolder(of: path, permissions: permissions & 0o077 == 0 ? 0o700 : 0o777)
      return try openRegular(path, access, creating: permissions)
    }
  }

  /// Releases the advisory lock.
  package static func unlock(_ descriptor: Int32) {
    _ = retrying { flock(descriptor, LOCK_UN) }
  }

  /// The status of an open file.
  package static func status(of descriptor: Int32) throws(FileFailure) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure(.status) }
    return FileStatus(status)
  }

  /// The status of the file that currently has this name, following symbolic links; `nil` if there is none.
  package static func status(at path: String) -> FileStatus? {
    try? status(ofPath: path)
  }

  /// The status of the file that currently has this name, following symbolic links.
  package static func status(ofPath path: String) throws(FileFailure) -> FileStatus {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(.status) }
    return FileStatus(status)
  }

  /// Reads at an offset; fewer bytes than requested mean the end of the file.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64,
    with call: (Int32, UnsafeMutableRawBufferPointer, Int) -> Int = FileOperations.system.read
  ) throws(FileFailure) -> Int {
    guard buffer.baseAddress != nil else { return 0 }
    guard let position = Int(exactly: offset) else { throw FileFailure(.read, number: EOVERFLOW) }
    let count = retrying { call(descriptor, buffer, position) }
    guard count >= 0 else { throw FileFailure(.read) }
    return count
  }

  /// Reads the next bytes of a stream; 0 bytes mean its end.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    let count = retrying { systemRead(descriptor, buffer.baseAddress, buffer.count) }
    guard count >= 0 else { throw FileFailure(.read) }
    return count
  }

  /// The first bytes of a regular file, up to a count; never waits for a FIFO, a terminal or a device.
  ///
  /// - Throws: `EINVAL` for anything but a regular file.
  package static func head(of path: String, _ count: Int) throws(FileFailure) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    let status = try status(of: descriptor)
    guard status.kind == .regular || status.kind == .generated else {
      throw FileFailure(.open(path), number: EINVAL)
    }
    // Allocates no more than the size of the file.
    return try read(
      descriptor, at: 0, count: status.kind == .regular ? min(count, Int(clamping: status.size)) : count)
  }

  /// Reads a number of bytes at an offset; fewer only at the end of the file.
  package static func read(
    _ descriptor: Int32, at offset: Int, count: Int,
    with call: (Int32, UnsafeMutableRawBufferPointer, Int) -> Int = FileOperations.system.read
  ) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let part = try bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileFailure) in
          try read(
            descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]),
            at: UInt64(offset + done), with: call)
        }
      }.get()
      guard part > 0 else { break }
      done += part
    }
    bytes.removeSubrange(done...)
    return bytes
  }

  /// Writes all of the bytes, in as many calls as necessary.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String = "the file",
    with call: (Int32, UnsafeRawBufferPointer) -> Int = FileOperations.system.write
  ) throws(FileFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = retrying { call(descriptor, rest) }
      guard count > 0 else { throw FileFailure(.write(path)) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Writes to standard error; a failure is ignored, because there is nothing left to report to.
  package static func writeError(_ text: String) {
    try? Array(text.utf8).withTypedBytes { bytes throws(FileFailure) in try write(bytes, to: STDERR_FILENO) }
  }

  /// Makes the data of a file durable.
  package static func sync(
    _ descriptor: Int32, path: String, with call: (Int32) -> Int32 = FileOperations.system.sync
  ) throws(FileFailure) {
    guard retrying({ call(descriptor) }) == 0 else { throw FileFailure(.sync(path)) }
  }

  /// Truncates a file to `size` bytes.
  package static func truncate(
    _ descriptor: Int32, to size: Int, with call: (Int32, Int) -> Int32 = FileOperations.system.truncate
  ) throws(FileFailure) {
    guard retrying({ call(descriptor, size) }) == 0 else { throw FileFailure(.truncate) }
  }

  /// Sets the permissions of an open file.
  package static func setPermissions(_ permissions: UInt32, of descriptor: Int32) {
    _ = fchmod(descriptor, mode_t(truncatingIfNeeded: permissions & 0o7777))
  }

  /// The first offset from `offset` on that is not in a hole of a sparse file; the end of the file if only a hole
  /// follows.
  ///
  /// Moves the descriptor's position, which does not affect reads at explicit offsets.
  package static func dataStart(in descriptor: Int32, from offset: UInt64) throws(FileFailure) -> UInt64 {
    guard let position = off_t(exactly: offset) else { throw .other(EOVERFLOW) }
    let start = lseek(descriptor, position, seekData)
    if start >= 0 { return UInt64(start) }
    guard errno == ENXIO else { throw .last }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .last }
    return max(offset, UInt64(end))
  }

  /// Another descriptor for the same open file.
  package static func duplicate(_ descriptor: Int32) throws(FileFailure) -> Int32 {
    let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { throw .last }
    return duplicate
  }

  /// Makes a descriptor refer to the file of another one; child programs do not inherit it.
  package static func replace(_ descriptor: Int32, by other: Int32) {
    guard dup2(other, descriptor) >= 0 else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// The width of a terminal; `nil` for any other descriptor.
  package static func columns(of descriptor: Int32) -> Int? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
    return Int(window.ws_col)
  }

  /// Raises the limit of open files to the maximum allowed.
  package static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(descriptorLimit, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(descriptorLimit, &limit)
  }

  /// Retries a system call that a signal interrupted.
  static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// Maximum times that others may hold a lock.
package enum LockLimit {
  /// A healthy writer needs microseconds; only a stopped or hostile one holds it longer than this.
  package static let usual = Duration.seconds(2)
  /// A reader holds the lock only for microseconds; after this time, a writer with its own lock continues without this
  /// one.
  package static let ofReaders = Duration.milliseconds(200)
}

#if canImport(Glibc)
  private let descriptorLimit = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
#else
  private let descriptorLimit = RLIMIT_NOFILE
#endif

/// `SEEK_DATA`, which Swift does not import.
#if canImport(Darwin)
  private let seekData: Int32 = 4
#else
  private let seekData: Int32 = 3
#endif

// Inside `Posix`, the plain names would refer to its own functions.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
