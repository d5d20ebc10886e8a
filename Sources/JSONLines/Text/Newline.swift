import Essentials

extension UnsafeRawBufferPointer {
  /// The index of the first newline.
  package var firstNewline: Int? {
    guard let base = baseAddress, let found = memchr(base, 0x0A, count) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// The index of the last newline.
  package var lastNewline: Int? {
    var end = count
    while end > 0 {
      if self[end - 1] == 0x0A { return end - 1 }
      end -= 1
    }
    return nil
  }
}
