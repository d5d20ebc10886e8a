import Codecs

/// Finds the payloads in a JSON document, in objects and texts of any depth.
struct PayloadSearch {
  /// A payload and what surrounds it.
  struct Found {
    let path: [String]
    let shape: PayloadShape
    let fields: [String: JSONValue]
    /// Members of the objects around it; the inner one wins.
    var envelope: [String: JSONValue] = [:]
  }

  /// A part without a payload.
  struct Failure {
    let path: [String]
    let code: PayloadReadingError.Code
    let text: String
  }

  /// Maximum depth of texts in texts.
  private static let textLimit = 8
  /// Maximum keys named of an object without a payload.
  private static let namedKeys = 6

  private(set) var found: [Found] = []
  private(set) var failures: [Failure] = []
  private(set) var emptyArrays: [[String]] = []
  private var textFailures: [Failure] = []

  /// Searches a document; each element of an array is one of its own.
  mutating func search(_ document: JSONValue) {
    read(document, [], texts: 0)
  }

  /// Searches where a payload is expected: failures are told.
  private mutating func read(_ json: JSONValue, _ path: [String], texts: Int) {
    switch json {
    case .array(let elements):
      if elements.isEmpty { emptyArrays.append(path) }
      for (index, element) in elements.enumerated() { read(element, path + [String(index)], texts: texts) }
    case .object(let fields):
      let count = found.count
      textFailures = []
      search(fields, path, texts: texts, isExpected: true)
      guard found.count == count else { return }
      if let envelope = PayloadShape.envelopes.first(where: { fields[$0]?.isCollection == true }),
        let inside = fields[envelope]
      {
        read(inside, path + [envelope], texts: texts)
      } else {
        failures +=
          textFailures.isEmpty
          ? [Failure(path: path, code: .notAPayload, text: Self.keys(of: fields))] : textFailures
      }
    case .string(let text):
      textFailures = []
      switch opened(text, path, texts: texts) {
      case .some(let json): read(json, path, texts: texts + 1)
      case nil where textFailures.last?.path == path: failures += textFailures
      case nil: failures.append(Failure(path: path, code: .notAPayload, text: "\(json.kind), not a payload"))
      }
    case .null, .bool, .integer, .unsigned, .wide, .number:
      failures.append(Failure(path: path, code: .notAPayload, text: "\(json.kind), not a payload"))
    }
  }

  static func keys(of fields: [String: JSONValue]) -> String {
    let unknown = fields.keys.filter { !PayloadShape.isKnown($0) }.sorted()
    let keys = unknown.isEmpty ? fields.keys.sorted() : unknown
    let named = keys.prefix(namedKeys).map { String($0.prefix(40)) }.joined(separator: ", ")
    if keys.isEmpty { return "an object without keys, not a payload" }
    return named + (keys.count > namedKeys ? " and \(keys.count - namedKeys) more" : "")
      + (unknown.isEmpty ? ": no figure and no diagnostic" : ": no key of a payload")
  }

  /// Searches an object, and attaches what is not part of a payload to the payloads within.
  ///
  /// - Parameter isExpected: True to take an object that has only the origin of a payload for an empty one.
  private mutating func search(
    _ fields: [String: JSONValue], _ path: [String], texts: Int, isExpected: Bool
  ) {
    let shape = PayloadShape(fields, mayBeEmpty: isExpected)
    if shape != .unknown {
      found.append(Found(path: path, shape: shape, fields: fields))
      return
    }
    let start = found.count
    var rest = fields
    for key in fields.keys.sorted() {
      guard let value = fields[key] else { continue }
      let count = found.count
      look(
        into: value, path + [key], texts: texts,
        isExpected: isExpected && PayloadShape.envelopes.contains(key))
      if found.count > count { rest[key] = nil }
    }
    for index in start..<found.count { found[index].envelope.merge(rest) { inner, _ in inner } }
  }

  private mutating func look(into json: JSONValue, _ path: [String], texts: Int, isExpected: Bool) {
    switch json {
    case .object(let fields): search(fields, path, texts: texts, isExpected: isExpected)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        look(into: element, path + [String(index)], texts: texts, isExpected: isExpected)
      }
    case .string(let text):
      guard let json = opened(text, path, texts: texts) else { return }
      look(into: json, path, texts: texts + 1, isExpected: isExpected)
    case .null, .bool, .integer, .unsigned, .wide, .number: break
    }
  }

  /// The JSON of a text, also in Base64; `nil` for other texts.
  private mutating func opened(_ text: String, _ path: [String], texts: Int) -> JSONValue? {
    guard let bytes = Self.json(in: text) else { return nil }
    guard texts < Self.textLimit else {
      textFailures.append(Failure(path: path, code: .notAPayload, text: "too many texts around a payload"))
      return nil
    }
    do throws(JSONSyntaxError) {
      var position = 0
      return try JSONValue(bytes, at: &position)
    } catch {
      textFailures.append(
        Failure(
          path: path, code: .notJSON, text: "in this text, at byte \(error.offset): \(error.text)"))
      return nil
    }
  }

  /// The bytes of a text that looks like an object or an array of JSON, or like the Base64 of one.
  private static func json(in text: String) -> [UInt8]? {
    guard let first = text.utf8.first(where: { $0 > 0x20 }) else { return nil }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return Array(text.utf8) }
    return mayBeBase64(text.utf8) ? json(inBase64: text.utf8) : nil
  }

  /// True if a text may be the Base64 of a brace, which begins with `e`, or a bracket, with `W`.
  static func mayBeBase64(_ text: some Collection<UInt8>) -> Bool {
    let first = text.first { $0 > 0x20 }
    return (first == UInt8(ascii: "e") || first == UInt8(ascii: "W")) && text.count >= 16
  }

  /// The bytes of an object or an array of JSON in Base64, also with line breaks, in the alphabet of addresses, without
  /// padding or without its end.
  static func json(inBase64 text: some Sequence<UInt8>) -> [UInt8]? {
    var digits = text.filter { $0 > 0x20 }.map { digit in
      switch digit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    if digits.count % 4 == 1 { digits.removeLast() }
    digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    var bytes: [UInt8] = []
    guard digits.withUnsafeBytes({ Base64.decode($0, into: &bytes) }), bytes.count > 1 else { return nil }
    return bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "[") ? bytes : nil
  }
}
