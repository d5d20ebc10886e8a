import Foundation

/// A stored value from its JSON.
enum ValueDecoder {
  /// Decodes `json` as `type`.
  ///
  /// Plain numbers and booleans take a short way; whatever the short way does not know is left to Foundation, so both
  /// accept and refuse the same.
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

  /// Digits with at most one point and a leading minus: the shape most encoders write.
  private static func plainNumber(_ json: Data) -> Double? {
    let bytes = Array(json)
    var index = bytes.first == UInt8(ascii: "-") ? 1 : 0
    guard bytes.count <= 25, let whole = digits(bytes, &index) else { return nil }
    guard whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits(bytes, &index) != nil else { return nil }
    }
    guard index == bytes.count else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  private static func digits(_ bytes: [UInt8], _ index: inout Int) -> Int? {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    return index > start ? index - start : nil
  }

  private static func plainBool(_ json: Data) -> Bool? {
    json == Data("true".utf8) ? true : json == Data("false".utf8) ? false : nil
  }

  private static let decoder = JSONDecoder()
}
