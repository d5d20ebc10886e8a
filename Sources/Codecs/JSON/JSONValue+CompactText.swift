extension JSONValue {
  /// The value on one line, the keys of an object in the order of their names.
  package var compactText: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: JSONWriter.append("null", to: &bytes)
    case .bool(let value): JSONWriter.append(value ? "true" : "false", to: &bytes)
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .unsigned(let value): bytes.append(contentsOf: String(value).utf8)
    case .wide(let digits): bytes.append(contentsOf: digits.utf8)
    case .number(let value): JSONWriter.append(number: value, to: &bytes)
    case .string(let text): JSONWriter.append(text: text, to: &bytes, escapesSlashes: false)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let fields):
      bytes.append(UInt8(ascii: "{"))
      for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONWriter.append(text: field.key, to: &bytes, escapesSlashes: false)
        bytes.append(UInt8(ascii: ":"))
        field.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
