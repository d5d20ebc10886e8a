package import Platform

/// The unpacked bytes of a gzip file.
package struct UnpackedFile: Hashable, Sendable {
  /// How many bytes came out.
  package var bytes: UInt64
  /// The damage that ended it too soon; `nil` if the file was unpacked whole and its checksums match.
  package var damage: GzipDamage?

  package init(bytes: UInt64, damage: GzipDamage? = nil) {
    self.bytes = bytes
    self.damage = damage
  }
}

/// Where a gzip file is damaged, cut off, or followed by something else.
package struct GzipDamage: Hashable, Sendable {
  /// The byte of the packed file where that was noticed, from 0; it may begin before.
  package var position: UInt64
  /// The number of unpacked bytes proven by a checksum; later ones may be wrong.
  package var soundBytes: UInt64

  package init(position: UInt64, soundBytes: UInt64) {
    self.position = position
    self.soundBytes = soundBytes
  }
}

/// Why a gzip file was not unpacked.
package enum GunzipFailure: Error, Hashable, Sendable {
  /// It does not begin as such a file does.
  case notGzip
  /// It is damaged or cut off at this byte, and nothing could be unpacked.
  case damaged(at: UInt64)
  /// More comes out than the limit allows.
  case tooLarge
  case cannotRead(FileFailure)
  case cannotWrite(FileFailure)
  case cancelled
}
