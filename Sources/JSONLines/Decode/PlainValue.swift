import Codecs

/// Recognizes values that need no work beyond Base64 decoding: strings without escapes, objects and arrays.
enum PlainValue {
  /// Reads the JSON from `start` to the end of `bytes`; `nil` for any other value and for invalid JSON.
  ///
  /// - Returns: The kind, and the range of the payload in `bytes`: a string without its quotes, otherwise all of the
  ///   JSON.
  static func read(_ bytes: [UInt8], from start: Int) -> (SampleKind, Range<Int>)? {
    let count = bytes.count - start
    guard count >= 2 else { return nil }
    return bytes.withUnsafeBytes { all -> (SampleKind, Range<Int>)? in
      let json = UnsafeRawBufferPointer(rebasing: all[start...])
      switch json[0] {
      case UInt8(ascii: "\""):
        return isPlainText(json) ? (.text, start + 1..<start + count - 1) : nil
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        var tokenizer = JSONTokenizer(json)
        guard tokenizer.skipValue(), tokenizer.isAtEnd else { return nil }
        return (json[0] == UInt8(ascii: "{") ? .object : .array, start..<start + count)
      default: return nil
      }
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
