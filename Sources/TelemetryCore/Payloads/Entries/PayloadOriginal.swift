package import Codecs
import Essentials
import MisterMetricsCore

/// A payload as it was read, with what stood around it: bucket `payload`, metric `payload.json`.
///
/// `{"envelope":{…},"payload":{…},"source":"…","user":"…"}`
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

  func entry(at time: Date) -> MetricEntry {
    var fields: [String: JSONValue] = ["payload": payload, "source": .string(source)]
    if !envelope.isEmpty { fields["envelope"] = .object(envelope) }
    fields["user"] = user.map(JSONValue.string)
    return MetricEntry(
      timestamp: time,
      metric: AnyMetric(
        name: PayloadMetrics.original, bucket: PayloadMetrics.bucket, valueTypeString: "PayloadOriginal"),
      value: Data(JSONValue.object(fields).compactText.utf8))
  }
}
