/// Appends JSON in the format of Foundation's encoder.
package enum JSONWriter {
  /// Appends text that is already JSON.
  package static func append(_ json: StaticString, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  /// Appends a number, which must be finite because JSON cannot express others.
  package static func append(number: Double, to bytes: inout [UInt8]) {
    Decimals.append(number, to: &bytes)
  }

  /// Appends a quoted string.
  package static func append(text: String, to bytes: inout [UInt8], escapesSlashes: Bool = true) {
    var text = text
    // The quotation mark, which is always escaped, takes the place of the slash.
    let slash = UInt8(ascii: escapesSlashes ? "/" : "\"")
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where needsEscape(utf8[index], slash: slash) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        appendEscape(of: utf8[index], to: &bytes)
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8, slash: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == slash
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(contentsOf: Hexadecimal.text(byte).utf8)
    default: bytes.append(byte)
    }
  }
}
