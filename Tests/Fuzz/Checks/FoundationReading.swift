import Codecs
package import Foundation

@testable import JSONLines

/// Foundation's reading of a line: the judge of our decoders.
package struct FoundationReading {
  /// The members of an entry, as the original library declares them.
  private struct Wire: Decodable {
    struct Metric: Decodable {
      let bucket: String?
      let name: String
      let valueTypeString: String
    }

    let metric: Metric
    let timestamp: Double
    let value: String
  }

  package let bucket: String?
  package let name: String
  package let typeName: String
  package let time: Double
  /// The JSON of the value.
  package let json: Data

  private static let decoder = JSONDecoder()

  /// Decodes a line without its newline; `nil` if Foundation refuses it.
  ///
  /// - Parameter takesLast: True if the last of repeated members counts; for Foundation's decoder it is the first.
  package init?(line: Data, takesLast: Bool = false) {
    var shapes = ObjectShapes()
    // Leaving a member out must not make JSON of a text that is none.
    let rest =
      takesLast && Self.isJSON(line)
      ? line.withUnsafeBytes { RepeatedMembers.removed(from: $0, learning: &shapes) } : nil
    let line = rest.map { Data($0) } ?? line
    guard let wire = try? Self.decoder.decode(Wire.self, from: line),
      let value = StrictBase64.decode(Data(wire.value.utf8))
    else { return nil }
    bucket = wire.metric.bucket
    name = wire.metric.name
    typeName = wire.metric.valueTypeString
    time = wire.timestamp
    json = value
  }

  private static func isJSON(_ text: Data) -> Bool {
    text.withUnsafeBytes { bytes in
      var tokenizer = JSONTokenizer(bytes)
      guard tokenizer.skipValue() else { return false }
      tokenizer.skipWhitespace()
      return tokenizer.isAtEnd
    }
  }

  /// The value; `nil` if it is not valid JSON.
  package var value: FoundationValue? { FoundationValue(json: json) }
}

/// A JSON value as Foundation reads it.
package enum FoundationValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([FoundationValue])
  case object([String: FoundationValue])

  /// Decodes a whole JSON text; `nil` if Foundation refuses it.
  package init?(json: Data) {
    guard let value = try? JSONDecoder().decode(FoundationValue.self, from: json) else { return nil }
    self = value
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([FoundationValue].self) {
      self = .array(array)
    } else if let object = try? container.decode([String: FoundationValue].self) {
      self = .object(object)
    } else {
      self = .number(try container.decode(Double.self))
    }
  }
}

/// Foundation's Base64 decoder without its tolerance for padding inside a text or beyond a group, which no encoder
/// writes.
enum StrictBase64 {
  static func decode(_ text: Data) -> Data? {
    let padding = UInt8(ascii: "=")
    let pads = text.drop { $0 != padding }
    guard text.count % 4 == 0, pads.count <= 2, pads.allSatisfy({ $0 == padding }) else { return nil }
    return Data(base64Encoded: text)
  }
}
