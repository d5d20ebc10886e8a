import Essentials

/// System calls whose failures decide what may be acknowledged, and the locking calls; tests inject their own.
package struct FileOperations: Sendable {
  /// `write(2)`: bytes written, or -1 with `errno`.
  package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// Makes the file's data durable: 0, or -1 with `errno`.
  package var sync: @Sendable (_ descriptor: Int32) -> Int32
  /// Makes a folder's entries durable: 0, or -1 with `errno`.
  package var syncFolder: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
  /// `flock(2)`: 0, or -1 with `errno`.
  package var lock: @Sendable (_ descriptor: Int32, _ operation: Int32) -> Int32 = { flock($0, $1) }
  /// `pread(2)`: bytes read, or -1 with `errno`.
  package var read:
    @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int = {
      pread($0, $1.baseAddress, $1.count, off_t($2))
    }
  /// `ftruncate(2)`: 0, or -1 with `errno`.
  package var truncate: @Sendable (_ descriptor: Int32, _ size: Int) -> Int32 = { ftruncate($0, off_t($1)) }
  /// `unlink(2)`: 0, or -1 with `errno`.
  package var remove: @Sendable (_ path: String) -> Int32 = { unlink($0) }
  /// True if the file with this identity currently has the name.
  package var hasName: @Sendable (_ identity: FileIdentity, _ path: String) -> Bool = {
    Posix.status(at: $1)?.identity == $0
  }

  /// Combines operations; those that separate writers are the system's.
  package init(
    write: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int,
    sync: @escaping @Sendable (Int32) -> Int32
  ) {
    self.write = write
    self.sync = sync
  }

  /// The operating system's operations.
  package static let system = FileOperations(
    write: { descriptor, bytes in
      #if canImport(Darwin)
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
    },
    sync: { descriptor in
      #if canImport(Darwin)
        // `fsync` leaves the data in the drive's cache on Apple systems; not every file system supports F_FULLFSYNC.
        fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
      #else
        fdatasync(descriptor)
      #endif
    })
}
