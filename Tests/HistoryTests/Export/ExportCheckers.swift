/// Strict readers of the forms, after their standards; each says what is wrong with a text, or nothing.
enum ExportCheckers {
  /// The rows of RFC 4180 text, every line ended by CR LF; `nil` for what is none.
  static func csv(_ text: String) -> [[String]]? {
    var rows: [[String]] = []
    var (row, cell): ([String], [UInt8]) = ([], [])
    var rest = ArraySlice(text.utf8)
    func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }
    let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    while !rest.isEmpty {
      cell = []
      if take(quote) {
        while true {
          guard let byte = rest.popFirst() else { return nil }
          if byte == quote, !take(quote) { break }
          cell.append(byte)
        }
      } else {
        while let byte = rest.first, byte != comma, byte != 0x0D {
          guard byte != quote, byte != 0x0A else { return nil }
          cell.append(byte)
          rest = rest.dropFirst()
        }
      }
      row.append(String(decoding: cell, as: UTF8.self))
      if take(comma) { continue }
      guard take(0x0D), take(0x0A) else { return nil }
      rows.append(row)
      row = []
    }
    return row.isEmpty ? rows : nil
  }

  /// The faults of InfluxDB line protocol; a field of two types in a measurement is wrong too.
  static func complaint(influx text: String) -> String? {
    var rest = ArraySlice(text.utf8)
    var types: [String: Character] = [:]
    while !rest.isEmpty {
      guard rest.first != UInt8(ascii: "#"), let measurement = word(&rest, until: ", ", unescaping: ", ")
      else { return "measurement" }
      while rest.first == UInt8(ascii: ",") {
        rest = rest.dropFirst()
        guard word(&rest, until: "=", unescaping: ",= ") != nil, rest.popFirst() != nil,
          word(&rest, until: ", ", unescaping: ",= ") != nil
        else { return "tag of \(measurement)" }
      }
      repeat {
        rest = rest.dropFirst()
        guard let key = word(&rest, until: "=", unescaping: ",= "), rest.popFirst() != nil,
          let type = value(&rest)
        else { return "field of \(measurement)" }
        let known = types.updateValue(type, forKey: measurement + "\0" + key) ?? type
        guard known == type else { return "types of \(key)" }
      } while rest.first == UInt8(ascii: ",")
      guard rest.popFirst() == UInt8(ascii: " "), let end = rest.firstIndex(of: 0x0A),
        Int64(String(decoding: rest[..<end], as: UTF8.self)) != nil
      else { return "time of \(measurement)" }
      rest = rest[(end + 1)...]
    }
    return nil
  }

  /// A name up to a sign that is not escaped; `nil` for an empty one, or one that a line's end cuts.
  private static func word(
    _ rest: inout ArraySlice<UInt8>, until ends: String, unescaping escaped: String
  ) -> String? {
    var word: [UInt8] = []
    while let byte = rest.first, byte != 0x0A {
      if ends.utf8.contains(byte) { return word.isEmpty ? nil : String(decoding: word, as: UTF8.self) }
      rest = rest.dropFirst()
      guard byte == UInt8(ascii: "\\"), let next = rest.first, escaped.utf8.contains(next) else {
        word.append(byte)
        continue
      }
      word.append(next)
      rest = rest.dropFirst()
    }
    return nil
  }

  /// The type of a field's value: a fraction, an integer, a bool or a text.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> Character? {
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst()
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") { return "s" }
        if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
      }
      return nil
    }
    let end = rest.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") } ?? rest.endIndex
    let text = String(decoding: rest[..<end], as: UTF8.self)
    rest = rest[end...]
    if text == "true" || text == "false" { return "b" }
    if text.hasSuffix("i") { return Int64(text.dropLast()) == nil ? nil : "i" }
    return Double(text).map { $0.isFinite ? "f" : nil } ?? nil
  }
}
