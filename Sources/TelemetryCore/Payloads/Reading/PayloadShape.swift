import Codecs

/// The kind of a JSON object, determined by its keys.
enum PayloadShape {
  case metric
  case diagnostic
  case singleDiagnostic(DiagnosticKind)
  case callStacks
  /// A wrapper around the value of this key.
  case envelope(String)
  case unknown

  static let envelopes = ["payloads", "payload", "_source", "hits"]
  static let metricKeys = MetricPayload.fields.flatMap { [$0.key] + $0.aliases }

  init(_ fields: [String: JSONValue]) {
    func has(_ key: String) -> Bool { fields[key].map { $0 != .null } ?? false }
    // Envelopes first: some tools also write the app version beside the payload.
    if let key = Self.envelopes.first(where: { fields[$0]?.canHoldPayload == true }) {
      self = .envelope(key)
    } else if DiagnosticKind.allCases.contains(where: { has($0.rawValue) }) {
      self = .diagnostic
    } else if has("callStackTree") {
      self = .singleDiagnostic(DiagnosticKind(element: fields))
    } else if has("callStacks") {
      self = .callStacks
    } else {
      self = Self.metricKeys.contains(where: has) ? .metric : .unknown
    }
  }
}

/// The kinds of diagnostics, by the key of their array.
enum DiagnosticKind: String, CaseIterable {
  case crash = "crashDiagnostics"
  case hang = "hangDiagnostics"
  case cpuException = "cpuExceptionDiagnostics"
  case diskWriteException = "diskWriteExceptionDiagnostics"
  case appLaunch = "appLaunchDiagnostics"
  case unclassified = "unclassifiedDiagnostics"

  /// The kind of a single diagnostic, by members that only this kind has.
  init(element: [String: JSONValue]) {
    let data = element["diagnosticMetaData"]?.fields ?? [:]
    let kinds: [(DiagnosticKind, [String])] = [
      (.hang, ["hangDuration"]), (.cpuException, ["totalCPUTime", "totalSampledTime"]),
      (.diskWriteException, ["writesCaused", "totalWritesCaused"]), (.appLaunch, ["launchDuration"]),
      (.crash, ["exceptionType", "signal", "terminationReason"]),
    ]
    let told = kinds.first { $0.1.contains { data[$0] != nil } }?.0
    self = told ?? (element["hangType"] == nil ? .unclassified : .hang)
  }

  /// A payload with one diagnostic of this kind.
  func payload(_ fields: [String: JSONValue], _ context: inout ReadingContext) -> DiagnosticPayload {
    var payload = DiagnosticPayload()
    switch self {
    case .crash: payload.crashDiagnostics = [Diagnostic(fields, &context)]
    case .hang: payload.hangDiagnostics = [Diagnostic(fields, &context)]
    case .cpuException: payload.cpuExceptionDiagnostics = [Diagnostic(fields, &context)]
    case .diskWriteException: payload.diskWriteExceptionDiagnostics = [Diagnostic(fields, &context)]
    case .appLaunch: payload.appLaunchDiagnostics = [Diagnostic(fields, &context)]
    case .unclassified: payload.unclassifiedDiagnostics = [Diagnostic(fields, &context)]
    }
    return payload
  }
}

extension JSONValue {
  /// True if it can contain a payload: an object, an array, or a string of either.
  fileprivate var canHoldPayload: Bool {
    switch self {
    case .object, .array: true
    case .string(let text):
      text.utf8.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
    case .null, .bool, .integer, .unsigned, .number: false
    }
  }
}
