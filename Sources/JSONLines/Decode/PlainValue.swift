/// A value that needs no work beyond Base64 decoding: a string without escapes, an object or an array.
struct PlainValue {
  let kind: SampleKind
  /// The range of the payload: a string without its quotes, otherwise all of the JSON.
  let payload: Range<Int>
  /// True if it holds an object that may have repeated members.
  let mayRepeat: Bool

  /// Reads the JSON from `start` to the end of `bytes`; `nil` for any other value and for invalid JSON.
  init?(_ bytes: [UInt8], from start: Int, _ shapes: ObjectShapes) {
    guard bytes.count - start >= 2 else { return nil }
    let range = start..<bytes.count
    switch bytes[start] {
    case UInt8(ascii: "\""):
      guard bytes.withUnsafeBytes({ Self.isPlainText(UnsafeRawBufferPointer(rebasing: $0[range])) }) else {
        return nil
      }
      (kind, payload, mayRepeat) = (.text, start + 1..<bytes.count - 1, false)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let (isValid, isNew) = bytes.withUnsafeBytes { all in
        shapes.known.withUnsafeBufferPointer { known -> (Bool, Bool) in
          let json = UnsafeRawBufferPointer(rebasing: all[range])
          guard var lexer = LineLexer(json, shapes: known.baseAddress) else { return (false, false) }
          return (lexer.valueEnd(0) == json.count && lexer.isUTF8, lexer.hasNewShape)
        }
      }
      guard isValid else { return nil }
      (kind, payload, mayRepeat) = (bytes[start] == UInt8(ascii: "{") ? .object : .array, range, isNew)
    default: return nil
    }
  }

  /// True if the bytes are a string of printable ASCII without escapes.
  private static func isPlainText(_ json: UnsafeRawBufferPointer) -> Bool {
    guard json[json.count - 1] == UInt8(ascii: "\"") else { return false }
    var isPlain = true
    for byte in json[1..<json.count - 1] {
      isPlain = isPlain && byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    return isPlain
  }
}
