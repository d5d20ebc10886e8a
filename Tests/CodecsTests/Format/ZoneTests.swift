import Platform
import Testing

@testable import Codecs

@Suite("Time zones as people write them")
struct ZoneTests {
  @Test(
    "are names, offsets and this machine's",
    arguments: [
      ("+01:00", "+01:00", 3600), ("-0330", "-03:30", -12_600), ("+14", "+14:00", 50_400), ("UTC", "UTC", 0),
      ("Z", "UTC", 0), ("GMT", "GMT", 0), ("Asia/Tokyo", "Asia/Tokyo", 32_400), ("-00:00", "+00:00", 0),
    ])
  func read(text: String, identifier: String, offset: Int) {
    let zone = ZoneOffsets(text: text)
    #expect(zone?.identifier == identifier && zone?.offset(at: Timestamp(0)) == offset)
    #expect(ZoneOffsets(text: "local") == .current)
  }

  @Test(
    "others are refused",
    arguments: [
      "", "+", "+1", "+1:00", "+100", "+24:00", "+01:60", "+01:000", "Mars", "Europe", "../UTC", "/UTC",
      "+\u{661}1",
    ])
  func refused(text: String) { #expect(ZoneOffsets(text: text) == nil) }

  @Test(
    "a name that is nearly one is found",
    arguments: [
      ("Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), ("new york", "America/New_York"),
      ("Europe/Belrin", "Europe/Berlin"), ("Tokio", "Asia/Tokyo"),
    ])
  func meant(text: String, name: String) { #expect(ZoneName.closest(to: text) == name) }

  @Test("a shown local time is the time at which clocks show it; of a repeated hour the first")
  func shown() throws {
    let zone = try #require(ZoneOffsets(identifier: "America/New_York"))
    // 2026-11-01 01:30, which clocks show twice, and 2026-03-08 02:30, which they skip.
    let (twice, never) = (Timestamp(unixSeconds: 1_793_496_600), Timestamp(unixSeconds: 1_772_937_000))
    #expect(zone.moment(showing: twice) - twice == 4 * 3600)
    #expect(zone.moment(showing: never) - never == 5 * 3600)
    #expect(zone.offset(named: "EST") == -5 * 3600 && zone.offset(named: "EDT") == -4 * 3600)
    #expect(zone.offset(named: "CET") == nil)
  }

  @Test("years have four digits")
  func years() {
    #expect(ClockZone.utc.date(Timestamp(-63_113_904_000)) == "0001-01-01")
    #expect(ClockZone.utc.date(Timestamp(252_423_993_599)) == "9999-12-31")
  }

  @Test("a time of day has the nearest millisecond, as it was written")
  func milliseconds() {
    for millisecond in 0..<1000 {
      let text = Decimals.padded(millisecond, to: 3)
      let time = Timestamp(817_747_326 + Double(millisecond) / 1000)
      #expect(ClockZone.utc.time(time, .milliseconds) == "16:02:06." + text)
    }
    #expect(ClockZone.utc.time(Timestamp(817_747_199.9997), .milliseconds) == "16:00:00.000")
    #expect(ClockZone.utc.time(Timestamp(-0.0002), .milliseconds) == "00:00:00.000")
  }
}
