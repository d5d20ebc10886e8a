import Foundation
import MisterMetricsCore
import Platform
import Telemetry
import Testing

@Suite("Payloads as MetricKit delivers them")
struct MetricKitDocumentTests {
  /// Keeps what it gets, call by call.
  private final class Kept: PayloadSubscriber {
    let calls = Locked<[String]>([])

    func didReceive(_ payloads: [MetricPayload]) {
      calls.withLock { calls in
        calls.append(payloads.map { $0.timeStampBegin?.calendarDay ?? "?" }.joined(separator: " "))
      }
    }

    func didReceive(_ payloads: [DiagnosticPayload]) {
      calls.withLock { $0.append("\(payloads.count) diagnostic") }
    }

    func calls(of documents: String...) -> [String] {
      let errors = receive(json: documents.map { Data($0.utf8) })
      return calls.withLock { $0 } + errors.map(\.text)
    }
  }

  private func day(_ day: String) -> String {
    #"{"timeStampBegin":"\#(day) 00:00:00","signpostMetrics":[]}"#
  }

  @Test("metrics come in one call by their days, diagnostics in another")
  func calls() {
    #expect(
      Kept().calls(
        of: day("2026-03-02"), PayloadSamples.diagnostics, day("2026-03-01"), #"{"signpostMetrics":[]}"#,
        PayloadSamples.oldCrash) == ["? 2026-03-01 2026-03-02", "2 diagnostic"])
    #expect(Kept().calls(of: day("2026-03-02")) == ["2026-03-02"])
    #expect(Kept().calls(of: PayloadSamples.diagnostics) == ["1 diagnostic"] && Kept().calls().isEmpty)
  }

  @Test("equal documents count each, and what is no payload is told")
  func odd() {
    #expect(
      Kept().calls(of: day("2026-03-02"), "[1]", day("2026-03-02"))
        == ["2026-03-02 2026-03-02", "a number, not a payload"])
  }
}
