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

  /// The summary of one incident of a metric.
  private func summary(
    _ incident: Incident, _ name: String = "request_ms", limits: LimitSet = LimitSet(), isExact: Bool = false
  ) -> String {
    let series = SeriesIdentity(bucket: "net", name: name, typeName: "Double")
    let groups = IncidentGroup.groups(of: [IncidentLog.Entry(series: series, incident: incident)])
    let formatter = IncidentFormatter(zone: .utc, now: Timestamp(1000), limits: limits)
    return groups.first.map { isExact ? formatter.exact($0) : formatter.summary($0) } ?? ""
  }

  @Test("what recurs is told with its period, what stayed as the new usual, what one value carries with it")
  func endings() {
    var incident = Incident(kind: .above, start: 10, peak: 600, usual: 200)
    incident.carrier = Incident.Carrier(field: "region", value: "eu", count: 4)
    #expect(summary(incident) == "200ms → 600ms (3×), only region=eu")
    incident.carrier = nil
    incident.end = .adopted(3610)
    #expect(summary(incident) == "200ms → 600ms (3×), became the new usual")
    incident.end = .returned(20)
    incident.period = 303
    #expect(summary(incident) == "200ms → 600ms (3×), every 5m, as usual")
  }

  @Test("a factor has its margin where there is room")
  func margin() {
    var incident = Incident(kind: .above, start: 10, peak: 600, usual: 200)
    incident.margin = 1.07
    #expect(summary(incident, isExact: true) == "200ms → 600ms (3× ±0.2)")
    #expect(summary(incident) == "200ms → 600ms (3×)")
    incident.margin = 1.001
    #expect(summary(incident, isExact: true) == "200ms → 600ms (3×)")
  }

  @Test("a drift tells when it reaches a limit that stands in its way")
  func pace() {
    var incident = Incident(kind: .drift, start: 400, peak: 300, usual: 200)
    (incident.slope, incident.slopeMargin) = (10, 2)
    let limits = LimitSet(["net.used_mb": 500])
    let drift = "200M → 300M (1.5×), grows 10.0M ±2.00M a minute"
    #expect(
      summary(incident, "used_mb", limits: limits) == drift
        + ", reaching its limit of 500M by 00:36:40")
    #expect(summary(incident, "used_mb") == drift)
    #expect(summary(incident, "used_mb", limits: LimitSet(["net.used_mb": 250])) == drift, "it is beyond it")
    incident.end = .returned(900)
    #expect(summary(incident, "used_mb", limits: limits) == drift, "it is over")
  }
}
