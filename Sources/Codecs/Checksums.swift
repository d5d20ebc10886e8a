/// The checksum of gzip and Ethernet.
///
/// Not taken from zlib: apps that link `Sync` should not need a C library for a table of 256 words.
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { word, _ in word & 1 == 0 ? word >> 1 : word >> 1 ^ 0xEDB8_8320 }
  }

  package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        // A loop: in unoptimized builds, as used by tests, `reduce` takes five times as long.
        var (word, place) = (~UInt32(0), 0)
        while place < bytes.count {
          word = word >> 8 ^ table[Int(UInt8(truncatingIfNeeded: word) ^ bytes[place])]
          place &+= 1
        }
        return ~word
      }
    }
  }
}

/// The 64-bit FNV-1a hash: detects accidental changes, not deliberate ones.
package enum FNV1a {
  /// The hash of a byte sequence.
  ///
  /// - Parameter basis: The initial value; a different one gives an independent hash.
  package static func hash(_ bytes: some Sequence<UInt8>, basis: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    bytes.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
