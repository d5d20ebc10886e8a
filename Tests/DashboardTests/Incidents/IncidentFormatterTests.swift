import Codecs
import Platform
import Testing

@testable import Aggregation
@testable import DashboardCore

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

  @Test(
    "times have as much of their dates as the day of the reader, and the end's, need",
    arguments: [
      (0.0, 60.0, "00:00:00-00:01:00"), (-86_400, -86_340, "2000-12-31 00:00:00-00:01:00"),
      (-86_400, 60, "2000-12-31 00:00:00-2001-01-01 00:01:00"),
      (172_800, 172_860, "01-03 00:00:00-00:01:00"), (172_800, 259_260, "01-03 00:00:00-01-04 00:01:00"),
    ])
  func times(start: Double, end: Double, expected: String) {
    let series = SeriesIdentity(bucket: "net", name: "n", typeName: "Int")
    var incident = Incident(kind: .above, start: start, peak: 9, usual: 1)
    incident.end = .returned(end)
    let group = IncidentGroup.groups(of: [IncidentLog.Entry(series: series, incident: incident)])
    #expect(group.map { IncidentFormatter(zone: .utc, now: Timestamp(100)).span($0) } == [expected])
  }

  @Test("what fell is a part of what was")
  func fell() { #expect(words("fps", from: 60, to: 20) == "60 → 20 (1/3)") }
}
