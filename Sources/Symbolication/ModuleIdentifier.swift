/// The identity of a build of a program: the UUID of a Mach-O file, or the build id of an ELF file.
package struct ModuleIdentifier: Hashable, Sendable {
  /// Sizes in bytes; a UUID has 16, a build id usually 20.
  private static let sizes = 4...64

  /// The bytes as lowercase hexadecimal digits.
  package let digits: String

  /// Reads an identifier as payloads write it, with or without hyphens.
  ///
  /// - Returns: `nil` for any other text, and for zeros, which no build has.
  package init?(_ text: String) {
    var digits: [UInt8] = []
    for byte in text.utf8.prefix(Self.sizes.upperBound * 3) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(byte | 0x20)
      case UInt8(ascii: "-"): break
      default: return nil
      }
    }
    guard digits.count.isMultiple(of: 2), Self.sizes.contains(digits.count / 2),
      digits.contains(where: { $0 != UInt8(ascii: "0") })
    else { return nil }
    self.digits = String(decoding: digits, as: UTF8.self)
  }

  /// An identifier by its bytes; `nil` if they are too few, too many, or all zero.
  package init?(bytes: some Collection<UInt8>) {
    guard Self.sizes.contains(bytes.count) else { return nil }
    let digits = bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }
    self.init(digits.joined())
  }
}
