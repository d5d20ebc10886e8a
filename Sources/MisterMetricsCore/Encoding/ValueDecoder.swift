import Codecs
import Essentials

/// Decodes a stored value from its JSON.
enum ValueDecoder {
  /// Decodes `json` as `type`.
  ///
  /// Plain numbers and Booleans take a fast path; Foundation handles everything else, so that both accept and reject
  /// the same JSON.
  static func decode<T: MetricValue>(_ type: T.Type, from json: Data, of metric: AnyMetric)
    throws(MetricError) -> T
  {
    if T.self == Double.self, let value = plainNumber(json) as? T { return value }
    if T.self == Bool.self, let value = plainBool(json) as? T { return value }
    do {
      return try decoder.decode(type, from: json)
    } catch {
      throw MetricError(.undecodableValue, "a value of \(metric.name) is no \(T.self)", cause: error)
    }
  }

  /// A number without an exponent; for others, Foundation decides which are too small or too large.
  private static func plainNumber(_ json: Data) -> Double? {
    guard json.count <= 25, !json.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
    let isNumber = json.withUnsafeBytes { bytes in
      var tokenizer = JSONTokenizer(bytes)
      return tokenizer.number() != nil && tokenizer.isAtEnd
    }
    return isNumber ? Double(String(decoding: json, as: UTF8.self)) : nil
  }

  private static func plainBool(_ json: Data) -> Bool? {
    json == Data("true".utf8) ? true : json == Data("false".utf8) ? false : nil
  }

  private static let decoder = JSONDecoder()
}
