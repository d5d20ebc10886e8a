import Essentials
import TelemetryCore

/// The facts about a payload that an import and `doctor` report.
struct PayloadFacts: Sendable {
  /// The number of diagnostics of each kind; `nil` for a metrics payload.
  let diagnostics: [(kind: String, count: Int)]?
  let versions: [String]
  let isSimulated: Bool
  let isMixed: Bool
  let isZoneUnknown: Bool
  /// The time of its entries, if it has one.
  let time: Date?
  let day: String?

  init(_ payload: Payload, time: Date?) {
    self.time = time
    let end = payload.timeStampEnd ?? payload.timeStampBegin
    isZoneUnknown = end?.isZoneUnknown ?? false
    day = payload.timeStampBegin?.calendarDay
    isSimulated = payload.isSimulated
    switch payload {
    case .metric(let payload):
      diagnostics = nil
      versions = [payload.latestApplicationVersion ?? ""].filter { !$0.isEmpty }
      isMixed = payload.includesMultipleApplicationVersions
    case .diagnostic(let payload):
      diagnostics = payload.countsByKind
      versions = payload.applicationVersions.filter { !$0.isEmpty }
      isMixed = false
    }
  }
}

extension DiagnosticPayload {
  /// The number of diagnostics of each kind, in plain words.
  var countsByKind: [(kind: String, count: Int)] {
    [
      ("crash", crashDiagnostics?.count), ("hang", hangDiagnostics?.count),
      ("CPU exception", cpuExceptionDiagnostics?.count),
      ("disk write exception", diskWriteExceptionDiagnostics?.count),
      ("slow launch", appLaunchDiagnostics?.count),
      ("memory termination", memoryExceptionDiagnostics?.count),
      ("call stack", unclassifiedDiagnostics?.count),
    ].compactMap { kind, count in count.map { (kind, $0) } }
  }
}
