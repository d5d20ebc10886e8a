import Codecs

/// The kind of a JSON object, determined by its keys.
enum PayloadShape: Equatable {
  case metric
  /// Metrics as written by iOS 27.
  case report
  case diagnostic
  /// A diagnostic as written by iOS 27.
  case diagnosticReport
  case singleDiagnostic(DiagnosticKind)
  case callStacks
  case unknown

  /// Keys around payloads in the formats of known tools.
  static let envelopes = ["payloads", "payload", "_source", "hits"]
  /// Keys of figures; those of the origin also occur elsewhere.
  static let sectionKeys = Set(MetricPayload.fields.map(\.key).filter { $0.hasSuffix("Metrics") })
  /// True for a key that Apple writes in a payload, or in a report of iOS 27.
  static func isKnown(_ key: String) -> Bool {
    sectionKeys.contains(key) || originKeys.contains(key) || DiagnosticKind(rawValue: key) != nil
      || ReportTranslation.isKnown(key)
  }

  private static let originKeys = Set(
    MetricPayload.fields.flatMap { [$0.key] + $0.aliases }.filter { !$0.hasSuffix("Metrics") })

  /// - Parameter mayBeEmpty: True to take an object that has only the origin of a payload for an empty one.
  init(_ fields: [String: JSONValue], mayBeEmpty: Bool) {
    func has(_ key: String) -> Bool { fields[key]?.opened.isCollection == true }
    let kinds = DiagnosticKind.allCases
    if kinds.contains(where: { has($0.rawValue) }) {
      self = .diagnostic
    } else if kinds.contains(where: { has($0.reportKey) }) {
      self = .diagnosticReport
    } else if ReportTranslation.isMetrics(fields) {
      self = .report
    } else if Self.sectionKeys.contains(where: has) {
      self = .metric
    } else if has("callStackTree") {
      self = .singleDiagnostic(DiagnosticKind(element: fields))
    } else if has("callStacks") || has("callStackThreads") {
      self = .callStacks
    } else {
      let isEmpty =
        mayBeEmpty && fields.contains { $0.value != .null } && Self.originKeys.isSuperset(of: fields.keys)
      self = isEmpty ? .metric : .unknown
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
  case memoryException = "memoryExceptionDiagnostics"
  case unclassified = "unclassifiedDiagnostics"

  /// The key of iOS 27, which writes one diagnostic a report.
  var reportKey: String { String(rawValue.dropLast()) }

  /// The kind by the key of a report.
  init?(report key: String) { self.init(rawValue: key + "s") }

  /// The kind of a single diagnostic, by members that only this kind has.
  init(element: [String: JSONValue]) {
    let data = (element["diagnosticMetaData"]?.fields ?? [:]).merging(element) { inside, _ in inside }
    let kinds: [(DiagnosticKind, [String])] = [
      (.hang, ["hangDuration"]), (.cpuException, ["totalCPUTime", "totalSampledTime"]),
      (.diskWriteException, ["writesCaused", "totalWritesCaused", "totalBytesWritten"]),
      (.appLaunch, ["launchDuration"]),
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
    case .memoryException: payload.memoryExceptionDiagnostics = [Diagnostic(fields, &context)]
    case .unclassified: payload.unclassifiedDiagnostics = [Diagnostic(fields, &context)]
    }
    return payload
  }
}

extension JSONValue {
  /// True for an object or an array.
  var isCollection: Bool { fields != nil || elements != nil }

  /// The object or array in a text of JSON, as some tools write them; any other value as it is.
  var opened: JSONValue {
    guard let text, let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return self }
    return (try? JSONValue(Array(text.utf8))) ?? self
  }
}
