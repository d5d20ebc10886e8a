package import Codecs

extension PayloadOriginal {
  /// A JSON value as lines of text, with the keys in order.
  package static func lines(_ json: JSONValue) -> [String] {
    String(decoding: PrettyJSON(json).bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }

  /// The payload in a recorded value, and the members around it; `nil` for other JSON.
  package static func lines(ofRecorded json: [UInt8]) -> [String]? {
    guard let value = try? JSONValue(json), let original = PayloadOriginal(value) else { return nil }
    let envelope = original.envelope.isEmpty ? [] : lines(.object(["envelope": .object(original.envelope)]))
    return lines(original.payload) + envelope
  }
}
