/// Case-insensitive comparison of texts.
enum CaseFolding {
  /// The lower case of an ASCII letter; any other byte unchanged.
  @inline(__always)
  static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) || left.lowercased().utf8.elementsEqual(right.lowercased().utf8)
  }
}
