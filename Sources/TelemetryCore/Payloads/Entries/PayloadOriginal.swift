package import Codecs
import Essentials
import MisterMetricsCore

/// A payload as it was read, with what stood around it: bucket `payload`, metric `payload.json`.
///
/// `{"envelope":{…},"payload":{…},"source":"…","user":"…"}`; the text of a longer one is recorded in pieces:
/// `{"piece":0,"pieces":3,"source":"…","text":"…"}`.
package struct PayloadOriginal: Sendable {
  /// The payload.
  package let payload: JSONValue
  /// The members around it.
  package let envelope: [String: JSONValue]
  /// The user or device that the envelope names.
  package let user: String?
  /// The payload's file name and content hash.
  package let source: String

  init(_ origin: PayloadOrigin, source: RecordedSource) {
    (payload, envelope, user) = (origin.json, origin.envelope, origin.user)
    self.source = source.description
  }

  /// Reads a recorded value; `nil` for any other JSON.
  package init?(_ json: JSONValue) {
    guard let fields = json.fields, let payload = fields["payload"], payload.fields != nil else { return nil }
    self.payload = payload
    envelope = fields["envelope"]?.fields ?? [:]
    user = fields["user"]?.text
    source = fields["source"]?.text ?? ""
  }

  /// Maximum bytes of a piece: escaped and in Base64 it is shorter than the longest line.
  private static let pieceLimit = 4 << 20

  func entries(at time: Date) -> [MetricEntry] {
    var fields: [String: JSONValue] = ["payload": payload, "source": .string(source)]
    if !envelope.isEmpty { fields["envelope"] = .object(envelope) }
    fields["user"] = user.map(JSONValue.string)
    let text = JSONValue.object(fields).compactText
    let pieces = Self.pieces(of: text)
    let values =
      pieces.count < 2
      ? [text]
      : pieces.enumerated().map { number, piece in
        JSONValue.object([
          "piece": .integer(Int64(number)), "pieces": .integer(Int64(pieces.count)),
          "source": .string(source),
          "text": .string(String(piece)),
        ]).compactText
      }
    return values.map { value in
      MetricEntry(
        timestamp: time,
        metric: AnyMetric(
          name: PayloadMetrics.original, bucket: PayloadMetrics.bucket, valueTypeString: "PayloadOriginal"),
        value: Data(value.utf8))
    }
  }

  private static func pieces(of text: String) -> [Substring] {
    var (pieces, rest): ([Substring], Substring) = ([], text[...])
    while rest.utf8.count > pieceLimit {
      let cut = rest.unicodeScalars.index(before: rest.utf8.index(rest.startIndex, offsetBy: pieceLimit))
      pieces.append(rest[..<cut])
      rest = rest[cut...]
    }
    return pieces + [rest]
  }
}
