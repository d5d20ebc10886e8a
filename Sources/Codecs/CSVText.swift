/// Fields of comma-separated values (RFC 4180).
package enum CSVText {
  /// Appends text as a field, quoted if necessary.
  ///
  /// A spreadsheet would run text as a formula if it begins with a tab, a line break, a NUL character, or, after any
  /// invisible characters, with `=`, `+`, `-` or `@` of any width. Such text gets an apostrophe in front, as OWASP
  /// recommends against CSV injection; a program that reads the file has to remove it. Numbers are left unchanged.
  package static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let isFormula = isFormula(text)
    let isPlain = !text.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0D || $0 == 0x0A }
    if !isPlain { output.append(quote) }
    if isFormula { output.append(UInt8(ascii: "'")) }
    for byte in text {
      output.append(byte)
      if byte == quote { output.append(quote) }
    }
    if !isPlain { output.append(quote) }
  }

  private static func isFormula(_ text: ArraySlice<UInt8>) -> Bool {
    // Fast path: most texts begin with a letter or a digit.
    guard let first = text.first, first < 0x30 || first > 0x7A || "=@".utf8.contains(first) else {
      return false
    }
    guard !isNumber(text) else { return false }
    let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
    if let first = scalars.first, "\t\r\n\0".unicodeScalars.contains(first) { return true }
    return scalars.first { !isUnseen($0) }.map(signs.contains) ?? false
  }

  private static let signs = Set("=+-@＝＋－＠﹦﹢﹣﹫−".unicodeScalars)

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      // The blank Braille pattern.
      || scalar == "\u{2800}" || [.control, .format].contains(scalar.properties.generalCategory)
  }

  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    text.allSatisfy { ("0"..."9").contains(Unicode.Scalar($0)) || "+-.eE".utf8.contains($0) }
      && Double(String(decoding: text, as: UTF8.self)) != nil
  }
}
