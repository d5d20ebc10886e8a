import Codecs
package import Essentials

/// Encodes a value as JSON, byte for byte as Foundation's `JSONEncoder` (sorted keys) writes it.
///
/// Numbers, Booleans and strings take a fast path, because the encoder needs several microseconds per value; everything
/// else goes through the encoder.
package enum ValueEncoder {
  /// The JSON of `value`.
  package static func encode<T: MetricValue>(_ value: T) throws(MetricError) -> Data {
    if T.self == Double.self, let number = value as? Double { return try encode(number) }
    if T.self == Int.self, let number = value as? Int { return Data(number.description.utf8) }
    if T.self == Bool.self, let flag = value as? Bool { return flag ? trueJSON : falseJSON }
    if T.self == String.self, let text = value as? String { return encode(text) }
    do {
      return try encoder.encode(value)
    } catch {
      throw MetricError(
        .unencodableValue, "a value of type \(T.self) cannot be written as JSON", cause: error)
    }
  }

  /// The value type's name as in the file: `String(describing:)`, without its cost for common types.
  package static func typeName<T>(of type: T.Type) -> String {
    if type == Double.self { return "Double" }
    if type == Int.self { return "Int" }
    if type == Bool.self { return "Bool" }
    if type == String.self { return "String" }
    return String(describing: type)
  }

  private static func encode(_ number: Double) throws(MetricError) -> Data {
    guard number.isFinite else {
      throw MetricError(.unencodableValue, "\(number) cannot be written as JSON")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    JSONWriter.append(number: number, to: &bytes)
    return Data(bytes)
  }

  private static func encode(_ text: String) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    JSONWriter.append(text: text, to: &bytes)
    return Data(bytes)
  }

  private static let trueJSON = Data("true".utf8)
  private static let falseJSON = Data("false".utf8)

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }()
}
