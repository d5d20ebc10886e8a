import Codecs

/// A JSON value as text, in the style of Apple's `NSJSONSerialization`.
///
/// Two spaces per level, ` : ` after a key, a blank line inside empty containers, and `\/` for a slash. Object keys
/// are sorted.
struct PrettyJSON {
  private(set) var bytes: [UInt8] = []
  private var indentation = 0

  init(_ value: JSONValue) {
    append(value)
  }

  private mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .unsigned(let value): append(String(value))
    case .wide(let digits): append(digits)
    case .number(let value): append(value.isFinite ? String(value) : "null")
    case .string(let text): append(quoted: text)
    case .array(let elements): append(elements, between: "[", and: "]") { $0.append($1) }
    case .object(let fields):
      append(fields.sorted { $0.key < $1.key }, between: "{", and: "}") { text, field in
        text.append(quoted: field.key)
        text.append(" : ")
        text.append(field.value)
      }
    }
  }

  private mutating func append<Part>(
    _ parts: [Part], between opening: String, and closing: String,
    each: (inout PrettyJSON, Part) -> Void
  ) {
    append(opening)
    indentation += 1
    for (index, part) in parts.enumerated() {
      if index > 0 { append(",") }
      newLine()
      each(&self, part)
    }
    indentation -= 1
    if parts.isEmpty { append("\n") }
    newLine()
    append(closing)
  }

  private mutating func newLine() {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * indentation))
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(quoted text: String) {
    JSONWriter.append(text: text, to: &bytes)
  }
}
