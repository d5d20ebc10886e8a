import Foundation
import Telemetry
import Testing

@testable import TelemetryCore

@Suite("The rule of the day")
struct DayRuleTests {
  private let bench = LedgerBench()

  @Test("midnight closes a day, not a moment earlier")
  func midnight() throws {
    bench.launch("2026-05-04 08:00:00")
    bench.launch("2026-05-04 23:59:59")
    #expect(bench.kept.isEmpty)
    bench.launch("2026-05-05 00:00:00")
    #expect(bench.story == ["2026-05-04 2 1.0"])
    let payload = try #require(bench.kept.first)
    #expect(payload.timeStampBegin?.description == "2026-05-04 00:00:00")
    #expect(payload.timeStampEnd?.description == "2026-05-05 00:00:00")
    bench.set("2026-05-06 00:00:00")
    #expect(bench.story == ["2026-05-04 2 1.0", "2026-05-05 1 1.0"])
  }

  @Test(
    "a day has 23, 24 or 25 hours as the clocks of the zone have it",
    arguments: [("2026-03-29", 23.0), ("2026-06-01", 24.0), ("2026-10-25", 25.0)])
  func lengths(_ day: String, _ hours: Double) throws {
    let bench = LedgerBench()
    let first = try #require(PayloadTime(day)?.date(in: bench.zone))
    // A launch at the first moment of every hour, and one a second before the end.
    for hour in 0..<Int(hours) {
      bench.set(first.addingTimeInterval(Double(hour) * 3600))
      bench.launch()
    }
    bench.set(first.addingTimeInterval(hours * 3600 - 1))
    bench.launch()
    #expect(bench.kept.isEmpty)
    bench.set(first.addingTimeInterval(hours * 3600))
    #expect(bench.story == ["\(day) \(Int(hours) + 1) 1.0"])
    #expect(try #require(bench.kept.first).interval(in: bench.zone)?.duration == hours * 3600)
  }

  @Test("a zone whose clocks go back at midnight has one day of 25 hours")
  func backAtMidnight() throws {
    let bench = LedgerBench("America/Sao_Paulo")
    // At 24:00 the clocks went back to 23:00.
    let first = try #require(PayloadTime("2019-02-16")?.date(in: bench.zone))
    for hour in [0.0, 23.5, 24.5] {
      bench.set(first.addingTimeInterval(hour * 3600))
      bench.launch()
    }
    bench.set(first.addingTimeInterval(25 * 3600))
    #expect(bench.story == ["2019-02-16 3 1.0"])
  }

  @Test("a clock set back within the day changes nothing")
  func setBackWithinADay() {
    bench.launch("2026-05-04 18:00:00")
    bench.launch("2026-05-04 09:00:00")
    bench.set("2026-05-05 00:00:00")
    #expect(bench.story == ["2026-05-04 2 1.0"])
  }

  @Test("a closed day stays closed: what a clock set back over midnight adds belongs to the next day")
  func setBackOverMidnight() {
    bench.launch("2026-05-04 23:00:00")
    bench.launch("2026-05-05 00:10:00")
    bench.launch("2026-05-04 23:20:00")
    bench.launch("2026-05-04 23:40:00")
    bench.launch("2026-05-05 10:00:00")
    bench.set("2026-05-06 00:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0", "2026-05-05 4 1.0"])
  }

  @Test("so it is if midnight passed without anything to record")
  func setBackOverAQuietMidnight() throws {
    bench.launch("2026-05-04 23:00:00")
    bench.set("2026-05-05 00:10:00")
    try bench.restart()
    bench.launch("2026-05-04 23:20:00")
    bench.set("2026-05-05 00:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0"])
    bench.set("2026-05-06 00:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0", "2026-05-05 1 1.0"])
  }

  @Test("a clock set back by days opens days that had no payload, and none that had one")
  func setBackByDays() {
    bench.launch("2026-05-04 12:00:00")
    bench.launch("2026-05-06 12:00:00")
    bench.launch("2026-05-04 12:00:00")
    bench.launch("2026-05-06 13:00:00")
    bench.set("2026-05-07 00:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0", "2026-05-05 1 1.0", "2026-05-06 2 1.0"])
  }

  @Test("a clock that was years ahead for a moment holds no later figures back")
  func yearsAhead() {
    bench.launch("2026-05-04 12:00:00")
    bench.launch("2038-01-19 03:14:07")
    bench.launch("2026-05-04 13:00:00")
    bench.launch("2026-05-05 13:00:00")
    bench.launch("2026-05-06 13:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0", "2038-01-19 1 1.0", "2026-05-05 2 1.0"])
  }

  @Test("an app that was killed goes on with its day")
  func killed() throws {
    bench.launch("2026-05-04 08:00:00")
    try bench.restart()
    bench.launch("2026-05-04 17:00:00")
    try bench.restart()
    bench.set("2026-05-05 09:00:00")
    #expect(bench.story == ["2026-05-04 2 1.0"])
  }

  @Test("a version updated at noon makes one payload of both, with the mark of several")
  func updated() throws {
    bench.launch("2026-05-04 08:00:00")
    try bench.restart(version: "1.1")
    bench.launch("2026-05-04 12:00:00")
    bench.launch("2026-05-05 12:00:00")
    bench.set("2026-05-06 00:00:00")
    #expect(bench.story == ["2026-05-04 2 1.1+", "2026-05-05 1 1.1"])
  }

  @Test("an update without anything recorded under the new version leaves the day to the old one")
  func updatedUnused() throws {
    bench.launch("2026-05-04 08:00:00")
    try bench.restart(version: "1.1")
    bench.set("2026-05-05 12:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0"])
  }

  @Test("thirty days have thirty payloads, days without figures none")
  func thirtyDays() throws {
    let first = try #require(PayloadTime("2026-03-10")?.date(in: bench.zone))
    for day in 0..<60 where day.isMultiple(of: 2) {
      bench.set(first.addingTimeInterval(Double(day) * 86_400 + 43_200))
      bench.launch()
      try bench.restart()
    }
    bench.set(first.addingTimeInterval(100 * 86_400))
    #expect(bench.kept.count == 30)
    #expect(Set(bench.kept.map(\.timeStampBegin)).count == 30)
    #expect(bench.kept.allSatisfy { $0.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.count == 1 })
  }

  @Test("a flight to the west that repeats a day does not repeat its payload")
  func flightWest() throws {
    bench.zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    bench.launch("2026-05-04 23:00:00")
    bench.launch("2026-05-05 07:00:00")
    bench.zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
    bench.set(bench.moment.addingTimeInterval(4 * 3600))
    bench.launch()
    bench.launch("2026-05-05 10:00:00")
    bench.set("2026-05-06 00:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0", "2026-05-05 3 1.0"])
  }

  @Test("a flight within a day, and one that skips a day, lose nothing")
  func flightEast() throws {
    bench.launch("2026-05-04 10:00:00")
    bench.zone = try #require(TimeZone(identifier: "America/New_York"))
    bench.launch("2026-05-04 18:00:00")
    bench.zone = try #require(TimeZone(identifier: "Pacific/Kiritimati"))
    bench.set(bench.moment.addingTimeInterval(12 * 3600))
    bench.launch()
    bench.set(bench.moment.addingTimeInterval(86_400))
    #expect(bench.story == ["2026-05-04 2 1.0", "2026-05-06 1 1.0"])
  }

  @Test("each source has its own payload of a day")
  func sources() {
    bench.launch("2026-05-04 10:00:00")
    #expect(bench.record(.bytes(.dataFiles, 1_234_567), source: .diskSpace))
    bench.set("2026-05-05 00:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0", "2026-05-04 0 1.0"])
    #expect(bench.kept.map { $0.diskSpaceUsageMetrics?.totalDataFileSize?.value } == [nil, 1_234])
  }

  @Test("a payload that the disk did not take leaves its day open")
  func fullDisk() {
    bench.launch("2026-05-04 10:00:00")
    let moment = bench.moment.addingTimeInterval(86_400)
    #expect(bench.ledger.clockShowed(moment, in: bench.zone).count == 1)
    #expect(bench.ledger.open.count == 1)
    bench.launch("2026-05-05 10:00:00")
    #expect(bench.story == ["2026-05-04 1 1.0"])
  }

  @Test(
    "moments that no payload can name are refused, and no clock traps",
    arguments: [-1e300, -1e12, -1e7, 9.4e13, 1e300, .infinity, -.infinity, .nan])
  func impossible(_ seconds: Double) {
    let bench = LedgerBench()
    bench.set(Date(timeIntervalSince1970: seconds))
    #expect(!bench.record(.time(.cpuTime, .seconds(1))))
    #expect(bench.ledger.open.isEmpty && bench.kept.isEmpty)
  }

  @Test("sources have a limit, also over days")
  func sourceLimit() {
    bench.set("2026-05-04 10:00:00")
    for source in 0..<DayLedger.sourceLimit { bench.launch(source: PayloadSource("s\(source)")) }
    #expect(!bench.record(.time(.cpuTime, .seconds(1)), source: "one more"))
    bench.set("2026-05-05 10:00:00")
    #expect(bench.kept.count == DayLedger.sourceLimit)
    #expect(!bench.record(.time(.cpuTime, .seconds(1)), source: "one more"))
    #expect(bench.record(.time(.cpuTime, .seconds(1)), source: "s7"))
  }

  @Test("open days have a limit, as a disk that fails for long would make them")
  func openLimit() throws {
    for day in 0...DayLedger.openLimit {
      bench.skip(to: Date(timeIntervalSince1970: 1_770_000_000 + Double(day) * 86_400))
      #expect(bench.record(.time(.cpuTime, .seconds(1))) == (day < DayLedger.openLimit))
    }
    #expect(
      try JSONDecoder().decode(DayLedger.self, from: JSONEncoder().encode(bench.ledger)) == bench.ledger)
  }

  @Test("the oldest closed days are forgotten")
  func memory() {
    for day in 0...DayLedger.memory + 1 {
      bench.set(Date(timeIntervalSince1970: 1_770_000_000 + Double(day) * 86_400))
      bench.launch()
    }
    bench.skip(to: Date(timeIntervalSince1970: 1_770_000_000))
    bench.launch()
    #expect(bench.ledger.open.keys.contains { $0.day.text == "2026-02-02" })
  }
}
