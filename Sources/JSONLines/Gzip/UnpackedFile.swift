package import Platform

/// The unpacked bytes of a gzip file.
package struct UnpackedFile: Hashable, Sendable {
  /// Number of unpacked bytes.
  package var bytes: UInt64
  /// The damage that cut unpacking short; `nil` if the file was unpacked in full and its checksums match.
  package var damage: GzipDamage?

  package init(bytes: UInt64, damage: GzipDamage? = nil) {
    self.bytes = bytes
    self.damage = damage
  }
}

/// The position at which a gzip file is damaged, truncated, or followed by other data.
package struct GzipDamage: Hashable, Sendable {
  /// The packed byte at which the damage was noticed, from 0; it may start earlier.
  package var position: UInt64
  /// The number of unpacked bytes proven by a checksum; later ones may be wrong.
  package var soundBytes: UInt64

  package init(position: UInt64, soundBytes: UInt64) {
    self.position = position
    self.soundBytes = soundBytes
  }
}

/// The reason a gzip file was not unpacked.
package enum GunzipFailure: Error, Hashable, Sendable {
  /// It does not start like a gzip file.
  case notGzip
  /// It is damaged or truncated at this byte, and nothing could be unpacked.
  case damaged(at: UInt64)
  /// The unpacked data exceeds the limit.
  case tooLarge
  case cannotRead(FileFailure)
  case cannotWrite(FileFailure)
  case cancelled
}
