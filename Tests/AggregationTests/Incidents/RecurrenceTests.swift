import Testing

@testable import Aggregation

@Suite("What recurs at the same distance")
struct RecurrenceTests {
  private static let series = SeriesIdentity(bucket: "job", name: "load", typeName: "Double")

  private static func incident(_ start: Double, peak: Double = 50, length: Double? = 8) -> Incident {
    var incident = Incident(kind: .above, start: start, peak: peak, usual: 10)
    if let length { incident.end = .returned(start + length) }
    return incident
  }

  /// The periods told of some incidents.
  private static func periods(_ incidents: [Incident], until now: Double = 5000) -> [Double?] {
    var entries = incidents.map { IncidentLog.Entry(series: series, incident: $0) }
    Recurrence.mark(&entries, until: now)
    return entries.map(\.incident.period)
  }

  @Test("the fourth at the same distance is as usual, a tenth off or not")
  func learned() {
    #expect(Self.periods([0, 300, 600, 900].map { Self.incident($0) }) == [nil, nil, nil, 300])
    #expect(Self.periods([0, 310, 600, 880].map { Self.incident($0) }) == [nil, nil, nil, 300])
    #expect(Self.periods([0, 300, 700, 1000].map { Self.incident($0) }) == [nil, nil, nil, nil])
  }

  @Test("one round may be missed; what comes at another time, or after two, is news")
  func late() {
    #expect(Self.periods([0, 300, 600, 1210].map { Self.incident($0) }).last == 300)
    #expect(Self.periods([0, 300, 600, 1050].map { Self.incident($0) }).last == .some(nil))
    #expect(Self.periods([0, 300, 600, 1500].map { Self.incident($0) }).last == .some(nil))
  }

  @Test("what is much larger or longer than usual is news")
  func larger() {
    let rounds = [0, 300, 600].map { Self.incident($0) }
    #expect(Self.periods(rounds + [Self.incident(900, peak: 90)]).last == 300)
    #expect(Self.periods(rounds + [Self.incident(900, peak: 500)]).last == .some(nil))
    #expect(Self.periods(rounds + [Self.incident(900, length: 100)]).last == .some(nil))
    let lasting = rounds + [Self.incident(900, length: nil)]
    #expect(Self.periods(lasting, until: 910).last == 300)
    #expect(Self.periods(lasting, until: 1000).last == .some(nil), "it does not end")
  }

  @Test("what is as usual is a story of its own")
  func apart() {
    var usual = Self.incident(100)
    usual.period = 300
    let other = SeriesIdentity(bucket: nil, name: "n", typeName: "Double")
    let groups = IncidentGroup.groups(of: [
      IncidentLog.Entry(series: Self.series, incident: usual),
      IncidentLog.Entry(series: other, incident: Self.incident(101)),
    ])
    #expect(groups.map(\.period) == [300, nil])
  }
}
