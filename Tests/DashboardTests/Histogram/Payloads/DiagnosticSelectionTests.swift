import Aggregation
import History
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("Payloads of diagnostics beside those of metrics")
struct DiagnosticSelectionTests {
  @Test("real diagnostics do not hide simulated metrics, the only ones there are")
  func simulatedMetrics() {
    var archive = PayloadArchive()
    archive.figures = [.init(name: "x", unit: "ms"), .init(name: "crashDiagnostics", unit: "count")]
    var metrics = PayloadArchive.Payload()
    (metrics.isSimulated, metrics.facts) = (true, ["kind": "metric"])
    metrics.values = [(0, .bins([.init(start: 0, end: 9, count: 7)]))]
    var crash = PayloadArchive.Payload()
    (crash.facts, crash.values) = (["kind": "diagnostic"], [(1, .number(1))])
    archive.payloads = [metrics, crash]
    let selection = PayloadSelection(archive, SampleCube.Choice())
    #expect(selection.days(of: "x").map(\.count) == [7])
    #expect(selection.payloads.count == 1 && selection.marks == .simulated)
  }
}
