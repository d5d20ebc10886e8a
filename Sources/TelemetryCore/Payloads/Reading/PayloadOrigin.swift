package import Codecs

/// The JSON of a payload, and what an uploader wrote around it.
package struct PayloadOrigin: Hashable, Sendable {
  /// Keys that usually name the user or the device, in order of preference.
  private static let userKeys = [
    "userId", "user_id", "userID", "distinct_id", "installId", "install_id", "deviceId", "device_id",
  ]

  /// The payload as it was read.
  package let json: JSONValue
  /// The members around the payload, and the unknown ones in it; those of an inner object win.
  package let envelope: [String: JSONValue]
  /// The user or device, if the envelope names one.
  package let user: String?

  private let known: [String: JSONValue]?

  /// - Parameter userKey: The keys from the envelope to the user; `nil` for the usual ones.
  init(_ found: PayloadSearch.Found, userKey: [String]?) {
    json = .object(found.fields)
    let isKnown: (String) -> Bool
    switch found.shape {
    case .report, .diagnosticReport: isKnown = ReportTranslation.isKnown
    case .metric: isKnown = Self.metricKeys.contains
    case .diagnostic: isKnown = Self.diagnosticKeys.contains
    case .singleDiagnostic, .callStacks, .unknown: isKnown = { _ in true }
    }
    let extra = found.fields.filter { !isKnown($0.key) }
    envelope = found.envelope.merging(extra) { _, inner in inner }
    user =
      if let userKey { Self.text(in: .object(envelope), at: userKey[...]) } else {
        Self.user(in: envelope, depth: 4)
      }
    let isReport = found.shape == .report || found.shape == .diagnosticReport
    known = isReport ? found.fields.filter { isKnown($0.key) } : nil
  }

  /// The keys that were found, to be told of a payload that holds nothing.
  package var keys: String { json.fields.map(PayloadSearch.keys) ?? "" }

  private static let metricKeys = keys(of: MetricPayload.fields)
  private static let diagnosticKeys = keys(of: DiagnosticPayload.fields)

  private static func keys<Section>(of fields: [SectionField<Section>]) -> Set<String> {
    Set(fields.flatMap { [$0.key] + $0.aliases })
  }

  private static func user(in fields: [String: JSONValue], depth: Int) -> String? {
    for key in userKeys {
      if let user = text(in: .object(fields), at: [key]) { return user }
    }
    guard depth > 0 else { return nil }
    for key in fields.keys.sorted() {
      if let inside = fields[key]?.fields, let user = user(in: inside, depth: depth - 1) { return user }
    }
    return nil
  }

  private static func text(in json: JSONValue, at keys: ArraySlice<String>) -> String? {
    guard let key = keys.first else {
      switch json {
      case .string(let text): return text.isEmpty ? nil : text
      case .integer, .unsigned, .wide: return json.compactText
      default: return nil
      }
    }
    return json.fields?[key].flatMap { text(in: $0, at: keys.dropFirst()) }
  }

  /// A hash of the payload without what uploaders add, and of its user.
  func identity(of payload: Payload) -> PayloadHash {
    let content: ContentDigest
    switch payload {
    case _ where known != nil: content = ContentDigest(.object(known ?? [:]))
    case .metric(var payload):
      payload.otherFields = payload.otherFields.filter { envelope[$0.key] == nil }
      content = payload.digest
    case .diagnostic(var payload):
      payload.otherFields = payload.otherFields.filter { envelope[$0.key] == nil }
      content = payload.digest
    }
    guard let user else { return PayloadHash(content) }
    return PayloadHash(ContentDigest(elements: [content, ContentDigest(user)]))
  }
}
