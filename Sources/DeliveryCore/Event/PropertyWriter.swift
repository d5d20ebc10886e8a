import Codecs

/// Appends values as JSON: plain, without white space, members in the order of their names.
///
/// Equal values are equal bytes. What JSON cannot say, and what nests deeper than ``PropertyConversion/depthLimit``, is
/// written as `null`; conversion leaves it out before.
package enum PropertyWriter {
  package static func append(_ value: PropertyValue, depth: Int = 0, to bytes: inout [UInt8]) {
    switch value {
    case .text(let text): JSONWriter.append(text: text, to: &bytes, escapesSlashes: false)
    case .integer(let number): append(number, to: &bytes)
    // The description has a point or an exponent, which keeps it apart from an integer.
    case .double(let number): append(number.isFinite ? number.description : "null", to: &bytes)
    case .bool(let isTrue): JSONWriter.append(isTrue ? "true" : "false", to: &bytes)
    case .array(let values): append(values, depth: depth, to: &bytes)
    case .object(let members): append(members, depth: depth, to: &bytes)
    case .null: JSONWriter.append("null", to: &bytes)
    }
  }

  package static func append(
    _ members: [String: PropertyValue], depth: Int = 0, to bytes: inout [UInt8]
  ) {
    guard depth < PropertyConversion.depthLimit else { return JSONWriter.append("null", to: &bytes) }
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONWriter.append(text: name, to: &bytes, escapesSlashes: false)
      bytes.append(UInt8(ascii: ":"))
      append(value, depth: depth + 1, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(_ values: [PropertyValue], depth: Int, to bytes: inout [UInt8]) {
    guard depth < PropertyConversion.depthLimit else { return JSONWriter.append("null", to: &bytes) }
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(value, depth: depth + 1, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    append(number.description, to: &bytes)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.utf8)
  }
}
