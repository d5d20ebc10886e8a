/// The byte order mark that some editors write before UTF-8.
package enum ByteOrderMark {
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension Collection<UInt8> {
  package var hasByteOrderMark: Bool { starts(with: ByteOrderMark.utf8) }
}

extension UnsafeRawBufferPointer {
  /// The bytes after the mark.
  package var withoutByteOrderMark: UnsafeRawBufferPointer {
    hasByteOrderMark ? UnsafeRawBufferPointer(rebasing: self[ByteOrderMark.utf8.count...]) : self
  }
}
