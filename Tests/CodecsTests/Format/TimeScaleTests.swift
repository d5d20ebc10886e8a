import Foundation
import Platform
import Testing

@testable import Codecs

@Suite("Round times for an axis")
struct TimeScaleTests {
  /// 2026-11-21 00:00 UTC.
  static let midnight = Timestamp(816_912_000)

  private func labels(_ from: Timestamp, _ length: Double, limit: Int = 6) -> [String] {
    TimeScale(window: from..<from + length, zone: .utc, limit: limit).ticks.map(\.label)
  }

  @Test("steps are round on the clock, then on the calendar")
  func steps() {
    #expect(labels(Self.midnight + 1, 0.02).first == "00:00:01.000")
    #expect(
      labels(Self.midnight + 3, 60) == [
        "00:00:10", "00:00:20", "00:00:30", "00:00:40", "00:00:50", "00:01:00",
      ])
    #expect(labels(Self.midnight + 8 * 3600 + 77, 1024) == ["08:05", "08:10", "08:15"])
    #expect(labels(Self.midnight + 3600, 90_000) == ["06:00", "12:00", "18:00", "11-22"])
    #expect(labels(Self.midnight, 86_400 * 30).first == "2026-11-26")
    #expect(labels(Timestamp(0), 86_400 * 3652).first == "2001-01")
  }

  @Test("never more than there is room for, and none where time cannot be told apart")
  func bounds() {
    for exponent in -9...41 {
      let length = Double(sign: .plus, exponent: exponent, significand: 1)
      for from in [Timestamp(0), Self.midnight, Timestamp(-1e12), Timestamp(1e12 - length)] {
        let end = max(from + length, Timestamp(from.seconds.nextUp))
        let ticks = TimeScale(window: from..<end, zone: .utc, limit: 8).ticks
        #expect(ticks.count <= 9)
      }
    }
  }

  // MARK: Changes of the clocks

  private static func scale(_ zone: String, from start: String, hours: Double, limit: Int) throws -> TimeScale
  {
    let zone = try #require(TimeZone(identifier: zone))
    let start = Timestamp(
      try Date(start, strategy: .iso8601).timeIntervalSinceReferenceDate)
    return TimeScale(window: start..<start + hours * 3600, limit: limit) {
      Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0.seconds)))
    }
  }

  private static func written(_ ticks: [TimeScale.Tick]) -> [String] {
    ticks.map {
      "\($0.label) \(Date(timeIntervalSinceReferenceDate: $0.time.seconds).formatted(.iso8601).dropFirst(5))"
    }
  }

  /// Zone, start, hours, limit, and the ticks with the times that they are at.
  private static let changes: [(String, String, Double, Int, [String])] = [
    (
      "Europe/Vienna", "2026-10-23T12:00:00Z", 96, 4,
      [
        "2026-10-24 10-23T22:00:00Z", "2026-10-25 10-24T22:00:00Z", "2026-10-26 10-25T23:00:00Z",
        "2026-10-27 10-26T23:00:00Z",
      ]
    ),
    (
      "Europe/Vienna", "2026-03-27T12:00:00Z", 96, 4,
      [
        "2026-03-28 03-27T23:00:00Z", "2026-03-29 03-28T23:00:00Z", "2026-03-30 03-29T22:00:00Z",
        "2026-03-31 03-30T22:00:00Z",
      ]
    ),
    // 02:00 comes twice, and does not come at all.
    (
      "Europe/Vienna", "2026-10-24T21:00:00Z", 9, 5,
      ["00:00 10-24T22:00:00Z", "02:00 10-25T00:00:00Z", "04:00 10-25T03:00:00Z", "06:00 10-25T05:00:00Z"]
    ),
    (
      "Europe/Vienna", "2026-03-28T22:30:00Z", 7, 4,
      ["00:00 03-28T23:00:00Z", "03:00 03-29T01:00:00Z", "04:00 03-29T02:00:00Z", "06:00 03-29T04:00:00Z"]
    ),
    (
      "Europe/Vienna", "2026-10-25T00:30:00Z", 8, 4,
      ["04:00 10-25T03:00:00Z", "06:00 10-25T05:00:00Z", "08:00 10-25T07:00:00Z"]
    ),
    // Up to an hour every tick is a step after the one before.
    (
      "Europe/Vienna", "2026-10-24T23:00:00Z", 3, 3,
      ["01:00 10-24T23:00:00Z", "02:00 10-25T00:00:00Z", "02:00 10-25T01:00:00Z"]
    ),
    (
      "America/New_York", "2026-10-31T20:00:00Z", 36, 4,
      ["11-01 11-01T04:00:00Z", "12:00 11-01T17:00:00Z", "11-02 11-02T05:00:00Z"]
    ),
    (
      "Australia/Lord_Howe", "2026-04-03T20:00:00Z", 72, 3,
      ["2026-04-05 04-04T13:00:00Z", "2026-04-06 04-05T13:30:00Z", "2026-04-07 04-06T13:30:00Z"]
    ),
    (
      "Asia/Kathmandu", "2026-10-24T20:00:00Z", 48, 4,
      ["12:00 10-25T06:15:00Z", "10-26 10-25T18:15:00Z", "12:00 10-26T06:15:00Z", "10-27 10-26T18:15:00Z"]
    ),
    // Clocks skip midnight; a whole day.
    (
      "Africa/Cairo", "2026-04-23T11:00:00Z", 36, 4,
      ["04-24 04-23T22:00:00Z", "12:00 04-24T09:00:00Z", "04-25 04-24T21:00:00Z"]
    ),
    (
      "Pacific/Apia", "2011-12-29T00:00:00Z", 72, 3,
      ["2011-12-29 12-29T10:00:00Z", "2011-12-31 12-30T10:00:00Z", "2012-01-01 12-31T10:00:00Z"]
    ),
  ]

  @Test("days and hours stay where they are when the clocks change", arguments: changes)
  func changedClocks(zone: String, start: String, hours: Double, limit: Int, expected: [String]) throws {
    let scale = try Self.scale(zone, from: start, hours: hours, limit: limit)
    #expect(Self.written(scale.ticks) == expected)
  }

  @Test(
    "no tick stands twice, out of order or outside of the window in any year of a zone",
    arguments: ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])
  func ordered(zone: String) throws {
    for hours in [3.0, 11, 24, 47, 96, 500, 5000] {
      for start in stride(from: 0.0, to: 370 * 86_400, by: hours < 24 ? 13_000 : 40_000) {
        let window = Timestamp(788_000_000 + start)..<Timestamp(788_000_000 + start + hours * 3600)
        let zone = try #require(TimeZone(identifier: zone))
        let scale = TimeScale(window: window, limit: 6) {
          Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0.seconds)))
        }
        let times = scale.ticks.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times.allSatisfy(window.contains) && times.count <= 7)
      }
    }
  }
}
