import Codecs

extension StructFields {
  /// Calls `body` for each field as ``forEach(in:_:)`` does, without creating strings: the name is UTF-8 and valid only
  /// during the call; only numbers have a value, as digits.
  @inline(__always)
  package static func forEachBytes(
    in object: ArraySlice<UInt8>,
    _ body: (_ name: UnsafeRawBufferPointer, _ digits: UnsafeRawBufferPointer?) -> Void
  ) {
    object.withUnsafeBytes { forEachBytes(in: $0, body) }
  }

  /// The same for an object in memory.
  @inline(__always)
  static func forEachBytes(
    in bytes: UnsafeRawBufferPointer,
    _ body: (_ name: UnsafeRawBufferPointer, _ digits: UnsafeRawBufferPointer?) -> Void
  ) {
    guard var lexer = LineLexer(bytes), let start = lexer.skipSpace(0) else { return }
    var path: [UInt8] = []
    _ = walk(bytes, &lexer, start, &path, depth: 0, body)
  }

  /// A number from its digits; `nil` if it does not fit a double.
  package static func number(_ digits: UnsafeRawBufferPointer) -> Double? {
    PlainNumber.double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Walks an object; returns its end.
  private static func walk(
    _ bytes: UnsafeRawBufferPointer, _ lexer: inout LineLexer, _ start: Int, _ path: inout [UInt8],
    depth: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) -> Void
  ) -> Int? {
    guard lexer.byte(start) == UInt8(ascii: "{"), var position = lexer.skipSpace(start &+ 1) else {
      return nil
    }
    if lexer.byte(position) == UInt8(ascii: "}") { return position &+ 1 }
    let prefix = path.count
    while true {
      guard let key = lexer.keyEnd(position) else { return nil }
      let name = UnsafeRawBufferPointer(rebasing: bytes[position &+ 1..<key.end])
      let value = key.value
      let first = lexer.byte(value)
      var end: Int?
      if first == UInt8(ascii: "{"), depth < depthLimit {
        append(name, key.hasEscapes, to: &path)
        path.append(UInt8(ascii: "."))
        end = walk(bytes, &lexer, value, &path, depth: depth &+ 1, body)
        path.removeLast(path.count &- prefix)
      } else {
        end = lexer.valueEnd(value)
        if let end, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") {
          let isNumber = first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10
          let digits = isNumber ? UnsafeRawBufferPointer(rebasing: bytes[value..<end]) : nil
          if prefix == 0, !key.hasEscapes {
            body(name, digits)
          } else {
            append(name, key.hasEscapes, to: &path)
            path.withUnsafeBytes { body($0, digits) }
            path.removeLast(path.count &- prefix)
          }
        }
      }
      guard let end, let sign = lexer.skipSpace(end) else { return nil }
      if lexer.byte(sign) == UInt8(ascii: "}") { return sign &+ 1 }
      guard lexer.byte(sign) == UInt8(ascii: ","), let next = lexer.skipSpace(sign &+ 1) else { return nil }
      position = next
    }
  }

  private static func append(_ name: UnsafeRawBufferPointer, _ hasEscapes: Bool, to path: inout [UInt8]) {
    guard hasEscapes, let base = name.baseAddress else { return path.append(contentsOf: name) }
    var tokenizer = JSONTokenizer(UnsafeRawBufferPointer(start: base - 1, count: name.count + 2))
    path.append(contentsOf: tokenizer.string()?.unescaped ?? [])
  }
}
