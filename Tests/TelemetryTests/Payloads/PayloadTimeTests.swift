import Foundation
import Telemetry
import Testing

@Suite("Times of payloads")
struct PayloadTimeTests {
  @Test(
    "every known form is read",
    arguments: [
      ("2019-10-21 07:00:00 +0000", "2019-10-21 07:00:00 +0000"),
      ("2022-11-14 00:00:00", "2022-11-14 00:00:00"),
      ("2026-05-15T10:00:00.000Z", "2026-05-15 10:00:00 +0000"),
      ("2026-05-15T10:00:00.25+02:00", "2026-05-15 10:00:00.25 +0200"),
      ("2026-05-15T10:00:00", "2026-05-15 10:00:00"), ("2026-05-15", "2026-05-15 00:00:00"),
      ("2026-05-15 10:00", "2026-05-15 10:00:00"), ("2026-05-15 10:00:00 -0330", "2026-05-15 10:00:00 -0330"),
      ("2026-05-15 10:00:00 UTC", "2026-05-15 10:00:00 +0000"), ("1571641200", "2019-10-21 07:00:00 +0000"),
      ("1571641200123", "2019-10-21 07:00:00.123 +0000"), ("1571641200.5", "2019-10-21 07:00:00.5 +0000"),
      ("2024-02-29 23:59:60", "2024-02-29 23:59:60"),
      ("2026-05-15 10:00:00.1234567891", "2026-05-15 10:00:00.123456789"),
    ])
  func forms(_ text: String, _ written: String) throws {
    let time = try #require(PayloadTime(text))
    #expect(time.description == written)
    #expect(PayloadTime(written) == time)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "yesterday", "2023-02-29 00:00:00", "2023-13-01", "2023-01-01 24:00:00", "2023-01-01 00:00:61",
      "2023-1-1",
      "2023-01-01 00:00:00 +0", "2023-01-01 00:00:00 +9900", "2023-01-01 00:00:00 Mars", "nan", "inf",
      "1e300", "-1e14",
      "0000-01-01", "2023-01-01 00:00:00.",
    ])
  func refused(_ text: String) {
    #expect(PayloadTime(text) == nil)
  }

  @Test("the zone that was written goes before the one that is given")
  func zones() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let local = try #require(PayloadTime("2022-11-14 09:00:00"))
    #expect(local.isZoneUnknown && local.calendarDay == "2022-11-14")
    #expect(local.date(in: .gmt) == Date(timeIntervalSince1970: 1_668_416_400))
    #expect(local.date(in: tokyo) == Date(timeIntervalSince1970: 1_668_384_000))
    let fixed = try #require(PayloadTime("2022-11-14 09:00:00 +0100"))
    #expect(!fixed.isZoneUnknown && fixed.date(in: tokyo) == Date(timeIntervalSince1970: 1_668_412_800))
  }

  @Test("a date becomes what a device writes")
  func dates() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let date = Date(timeIntervalSince1970: 1_668_384_000.25)
    #expect(PayloadTime(local: date, in: tokyo)?.description == "2022-11-14 09:00:00.25")
    #expect(PayloadTime(date)?.description == "2022-11-14 00:00:00.25 +0000")
    #expect(PayloadTime(Date(timeIntervalSince1970: -7e10)) == nil)
    #expect(PayloadTime(Date(timeIntervalSince1970: 1e20)) == nil)
  }

  @Test(
    "a day is as long as it was in the zone of the device",
    arguments: [(3, 30, 23.0), (10, 26, 25), (6, 1, 24)])
  func days(_ month: Int, _ day: Int, _ hours: Double) throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    var payload = MetricPayload()
    payload.timeStampBegin = PayloadTime(year: 2025, month: month, day: day)
    payload.timeStampEnd = PayloadTime(year: 2025, month: month, day: day == 30 ? 31 : day + 1)
    #expect(payload.interval(in: berlin)?.duration == hours * 3600)
    #expect(payload.interval(in: .gmt)?.duration == 86_400)
    swap(&payload.timeStampBegin, &payload.timeStampEnd)
    #expect(payload.interval(in: berlin) == nil)
    payload.timeStampEnd = nil
    #expect(payload.interval(in: berlin) == nil)
  }

  @Test(
    "a local time is the moment that a calendar of the zone gives, also where the clocks change",
    arguments: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"])
  func changingClocks(_ name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var changes = [Date(timeIntervalSince1970: 0)]
    for _ in 0..<40 {
      changes += [changes.last.flatMap(zone.nextDaylightSavingTimeTransition)].compactMap { $0 }
    }
    for minutes in stride(from: -180.0, through: 180, by: 7.5) {
      for change in changes {
        let shown = change.addingTimeInterval(Double(zone.secondsFromGMT(for: change)) + minutes * 60)
        let time = try #require(PayloadTime(local: shown, in: .gmt))
        let fields = DateComponents(
          timeZone: zone, year: time.year, month: time.month, day: time.day, hour: time.hour,
          minute: time.minute, second: time.second)
        #expect(time.date(in: zone) == calendar.date(from: fields), "\(time)")
      }
    }
  }
}
