import Aggregation
import Testing

@Suite("How long incidents last")
struct LastingIncidentTests {
  private static let series = SeriesIdentity(bucket: "net", name: "request_ms", typeName: "Double")

  /// Ten minutes as usual, then something else for some seconds, then as usual again; a value a second.
  private func entries(
    unusual: Int, of length: Int, _ value: (_ isUnusual: Bool, _ second: Int) -> SeriesValue
  ) -> [Incident] {
    var log = IncidentLog { _ in .values }
    guard let number = log.number(of: Self.series) else { return [] }
    for second in 0..<length {
      log.record(value((600..<600 + unusual).contains(second), second), at: Double(second), of: number)
    }
    return log.entries.map(\.incident)
  }

  private func level(_ isUnusual: Bool, _ second: Int) -> SeriesValue {
    .number((isUnusual ? 400 : 20) + Double(second % 7))
  }

  private func outcome(_ isUnusual: Bool, _ second: Int) -> SeriesValue {
    .text(isUnusual ? "fail" : "ok")
  }

  @Test(
    "an incident ends when the values return, also long after they count as usual",
    arguments: [100, 200, 300, 600, 1500])
  func returns(unusual: Int) {
    for incident in [
      entries(unusual: unusual, of: 600 + unusual + 60, level),
      entries(unusual: unusual, of: 600 + unusual + 60, outcome),
    ] {
      #expect(incident.count == 1)
      #expect(incident.first?.start == 600)
      #expect(incident.first?.end == .returned(Double(600 + unusual - 1)))
    }
  }

  @Test("while the values have not returned it lasts", arguments: [10, 119, 121, 300, 1700])
  func lasts(unusual: Int) {
    #expect(entries(unusual: unusual, of: 600 + unusual, level).map(\.end) == [.none])
    #expect(entries(unusual: max(60, unusual), of: 600 + max(60, unusual), outcome).map(\.end) == [.none])
  }

  @Test("after an hour they are the new state of things")
  func stays() {
    let found = entries(unusual: 5000, of: 5600, level)
    #expect(found.count == 1)
    guard case .adopted(let time) = found.first?.end else { return #expect(Bool(false), "not adopted") }
    #expect((4190...4215).contains(time))
  }

  @Test("what happens at the new level is an incident of its own")
  func nested() {
    let found = entries(unusual: 900, of: 1700) { isUnusual, second in
      .number((isUnusual ? (1100..<1120).contains(second) ? 9000 : 400 : 20) + Double(second % 7))
    }
    #expect(found.map(\.start) == [600, 1100])
    #expect(found.map(\.end) == [.returned(1499), .returned(1119)])
  }
}
