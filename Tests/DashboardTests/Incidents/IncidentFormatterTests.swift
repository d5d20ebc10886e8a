import Codecs
import Platform
import Testing

@testable import Aggregation
@testable import Dashboard

@Suite("Incidents in words")
struct IncidentFormatterTests {
  private func words(_ name: String, from usual: Double, to peak: Double) -> String {
    let series = SeriesIdentity(bucket: "net", name: name, typeName: "Int")
    let kind: Incident.Kind = peak > usual ? .above : .below
    let entry = IncidentLog.Entry(
      series: series, incident: Incident(kind: kind, start: 10, peak: peak, usual: usual))
    return IncidentFormatter(zone: .utc, now: Timestamp(100)).words(entry)
  }

  @Test(
    "a ratio is told of amounts, not of codes",
    arguments: [
      ("request_ms", "200ms → 600ms (3×)"), ("queue", "200 → 600 (3×)"), ("status", "200 → 600"),
      ("http.statusCode", "200 → 600"), ("exit_code", "200 → 600"), ("statuses", "200 → 600 (3×)"),
    ])
  func codes(name: String, expected: String) {
    #expect(words(name, from: 200, to: 600) == expected)
  }

  @Test("what fell is a part of what was")
  func fell() { #expect(words("fps", from: 60, to: 20) == "60 → 20 (1/3)") }
}
