import Essentials
import MisterMetricsCore

extension DiagnosticPayload {
  /// The entries of its diagnostics, one each, in Apple's order of the kinds.
  func entries(at time: Date, source: RecordedSource) -> [MetricEntry] {
    let isSimulated = isSimulated
    func entries<Details>(
      _ kind: DiagnosticKind, _ diagnostics: [Diagnostic<Details>]?,
      _ facts: (Details) -> PayloadDiagnostic.Facts
    ) -> [MetricEntry] {
      (diagnostics ?? []).map { diagnostic in
        let value = PayloadDiagnostic(
          diagnostic, of: self, isSimulated: isSimulated, facts: facts(diagnostic.details), source: source)
        return MetricEntry(timestamp: time, metric: PayloadMetrics.diagnostic(kind.rawValue), value: value)
      }
    }
    return entries(.crash, crashDiagnostics, \.facts) + entries(.hang, hangDiagnostics, \.facts)
      + entries(.cpuException, cpuExceptionDiagnostics, \.facts)
      + entries(.diskWriteException, diskWriteExceptionDiagnostics, \.facts)
      + entries(.appLaunch, appLaunchDiagnostics, \.facts)
      + entries(.memoryException, memoryExceptionDiagnostics) { _ in PayloadDiagnostic.Facts() }
      + entries(.unclassified, unclassifiedDiagnostics) { _ in PayloadDiagnostic.Facts() }
  }
}

extension CrashDetails {
  fileprivate var facts: PayloadDiagnostic.Facts {
    var facts = PayloadDiagnostic.Facts()
    let names = [
      exceptionType.map { exceptionName ?? "exception \($0)" }, signal.map { signalName ?? "signal \($0)" },
    ]
    facts.reason = names.compactMap { $0 }.joined(separator: ", ")
    facts.termination = terminationReason ?? ""
    let message = exceptionReason.map { $0.composedMessage ?? $0.formatString ?? "" } ?? ""
    let name = exceptionReason.map { $0.exceptionName ?? $0.className ?? $0.exceptionType ?? "" } ?? ""
    facts.exception = [name, message].filter { !$0.isEmpty }.joined(separator: ": ")
    return facts
  }
}

extension HangDetails {
  fileprivate var facts: PayloadDiagnostic.Facts {
    PayloadDiagnostic.Facts(
      reason: hangType ?? "", amount: hangDurationQuantity.map { ($0.value(in: .seconds), .seconds) })
  }
}

extension CPUExceptionDetails {
  fileprivate var facts: PayloadDiagnostic.Facts {
    PayloadDiagnostic.Facts(amount: totalCPUTimeQuantity.map { ($0.value(in: .seconds), .seconds) })
  }
}

extension DiskWriteExceptionDetails {
  fileprivate var facts: PayloadDiagnostic.Facts {
    PayloadDiagnostic.Facts(amount: totalWritesCausedQuantity.map { ($0.value(in: .bytes), .bytes) })
  }
}

extension AppLaunchDetails {
  fileprivate var facts: PayloadDiagnostic.Facts {
    PayloadDiagnostic.Facts(
      amount: launchDurationQuantity.map { ($0.value(in: .milliseconds), .milliseconds) })
  }
}
