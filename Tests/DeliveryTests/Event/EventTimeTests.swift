import DeliveryCore
import Foundation
import TestSupport
import Testing

@Suite("Times of events")
struct EventTimeTests {
  @Test(
    "A moment is written in universal time, with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_795_377_600_000, "2026-11-22T20:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (951_827_696_789, "2000-02-29T12:34:56.789Z"),
      (Int.max, "9999-12-31T23:59:59.999Z"), (Int.min, "0000-01-01T00:00:00.000Z"),
    ])
  func text(milliseconds: Int, text: String) {
    #expect(EventTime.text(milliseconds: milliseconds) == text)
  }

  @Test(
    "A date that no text can say gives the nearest one",
    arguments: [
      (1e300, "9999-12-31T23:59:59.999Z"), (-1e300, "0000-01-01T00:00:00.000Z"),
      (Double.infinity, "9999-12-31T23:59:59.999Z"), (-Double.infinity, "0000-01-01T00:00:00.000Z"),
      (Double.nan, "1970-01-01T00:00:00.000Z"),
    ])
  func extremes(seconds: Double, text: String) {
    #expect(EventTime.text(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test("Ten thousand random moments are written as Foundation writes them, and read back")
  func random() {
    var generator = SeededGenerator(seed: 3)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<10_000 {
      // Foundation has the old calendar before 1583.
      let milliseconds = Int.random(in: -12_212_553_600_000...253_402_300_799_999, using: &generator)
      // Foundation cuts what it cannot write; a quarter more keeps it from the edge.
      let text = Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000).formatted(style)
      #expect(EventTime.text(milliseconds: milliseconds) == text)
      #expect(EventTime.date(text).map(EventTime.milliseconds) == milliseconds)
    }
  }

  @Test(
    "A text with a date, a time and a zone is read",
    arguments: [
      ("2026-11-22T20:00:00.000Z", 1_795_377_600_000), ("2026-11-22T20:00:00Z", 1_795_377_600_000),
      ("2026-11-22t20:00:00.5z", 1_795_377_600_500),
      ("2026-11-22 21:00:00.123456789+01:00", 1_795_377_600_123),
      ("2026-11-22T16:30:00-0330", 1_795_377_600_000), ("2026-11-22T21:00:00+01", 1_795_377_600_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ])
  func reading(text: String, milliseconds: Int) {
    #expect(EventTime.date(text).map(EventTime.milliseconds) == milliseconds)
  }

  @Test(
    "Any other text is none",
    arguments: [
      "", "now", "2026-11-22", "2026-11-22T20:00:00", "2026-11-22T20:00Z", "2026-13-22T20:00:00Z",
      "2026-02-29T20:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T20:60:00Z", "2026-11-22T20:00:61Z",
      "2026-11-22T20:00:00.Z", "2026-11-22T20:00:00Zx", "2026-11-22T20:00:00+1", "2026-11-22T20:00:00+01:",
      "2026-11-22T20:00:00+24:00", "-026-11-22T20:00:00Z", "2026-11-22T20:00:00.000Z ", "1795377600000",
      "２０２６-11-22T20:00:00Z", "20261122T200000Z",
    ])
  func refusals(text: String) {
    #expect(EventTime.date(text) == nil)
  }

  @Test("B-100: an event is too old after seven days, and never when its moment cannot be read")
  func age() {
    func isExpired(_ timestamp: String) -> Bool {
      EventAge.isExpired(
        QueuedEvent(messageID: "", timestamp: timestamp, json: []),
        now: Date(timeIntervalSince1970: 1_795_377_600))
    }
    #expect(!isExpired("2026-11-15T20:00:00.000Z"))
    #expect(isExpired("2026-11-15T19:59:59.999Z"))
    #expect(isExpired("0000-01-01T00:00:00Z"))
    #expect(!isExpired("2099-01-01T00:00:00Z"))
    #expect(!isExpired("a week ago"))
    #expect(!isExpired(""))
  }
}
