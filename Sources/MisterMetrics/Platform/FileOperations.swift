#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The two system calls whose failures decide what may be acknowledged; tests pass failing ones.
package struct FileOperations: Sendable {
  /// `write(2)`: bytes written, or -1 with `errno`.
  package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// Makes the file's data durable: 0, or -1 with `errno`.
  package var sync: @Sendable (_ descriptor: Int32) -> Int32

  /// Puts operations together.
  package init(
    write: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int,
    sync: @escaping @Sendable (Int32) -> Int32
  ) {
    self.write = write
    self.sync = sync
  }

  /// The operating system's own.
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
        // `fsync` leaves the data in the drive's cache on Apple systems; not every file system knows F_FULLFSYNC.
        fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
      #else
        fdatasync(descriptor)
      #endif
    })
}
