/// The fields of comma-separated values (RFC 4180).
package enum CSVText {
  /// Appends a text as a field, in quotes where it needs them.
  ///
  /// A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula, and runs
  /// it; such a one gets an apostrophe before it, as OWASP advises against "CSV injection". Who reads the file back has to
  /// take it off. A number is left as it is.
  package static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let isFormula = text.first.map(formulaStarts.contains) == true && !isNumber(text)
    let isPlain = !text.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0D || $0 == 0x0A }
    if !isPlain { output.append(quote) }
    if isFormula { output.append(UInt8(ascii: "'")) }
    for byte in text {
      output.append(byte)
      if byte == quote { output.append(quote) }
    }
    if !isPlain { output.append(quote) }
  }

  private static let formulaStarts: Set<UInt8> = Set("=+-@\t\r".utf8)

  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    text.allSatisfy { ("0"..."9").contains(Unicode.Scalar($0)) || "+-.eE".utf8.contains($0) }
      && Double(String(decoding: text, as: UTF8.self)) != nil
  }
}
