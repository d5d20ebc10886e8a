#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension UnsafeRawBufferPointer {
  /// The index of the first newline.
  var firstNewline: Int? {
    guard let base = baseAddress, let found = memchr(base, 0x0A, count) else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
