import Platform
import TestSupport
import Testing

@testable import Codecs

@Suite("Moments as a person types them")
struct MomentParserTests {
  /// 2026-11-21 14:32:07.2 UTC, a Saturday.
  static let now = Timestamp(816_964_327.0 + 0.2)
  /// 2026-11-21 00:00 UTC.
  static let midnight = Timestamp(816_912_000)
  static let day = 86_400.0

  /// Central European Time in 2026: summer time from 29 March to 25 October, both at 01:00 universal time.
  static func berlin(_ time: Timestamp) -> Double {
    (796_438_800.0..<814_582_800.0).contains(time.seconds) ? 7200 : 3600
  }

  static func read(
    _ text: String, now: Timestamp = now, playhead: Timestamp? = nil, latest: Timestamp? = nil,
    offset: @escaping @Sendable (Timestamp) -> Double = { _ in 0 }
  ) -> MomentParser.Meaning? {
    MomentParser.meaning(
      text,
      in: MomentParser.Context(
        now: now, playhead: playhead ?? now, latest: latest ?? now, offset: offset))
  }

  @Test(
    "every form",
    arguments: [
      ("14:32", midnight + 14 * 3600 + 32 * 60), ("14:32:07.5", midnight + 52_327.5 - day),
      ("14:32:07.2", midnight + 52_327.2), ("9:05", midnight + 9 * 3600 + 300), ("0:00", midnight),
      ("23:59", midnight - 60), ("-15m", now - 900), ("-2h", now - 7200), ("+30s", now + 30),
      ("-250ms", now - 0.25), ("-1h30m", now - 5400), ("+1m2s500ms", now + 62.5),
      ("1d14h", now - 38 * 3600),
      ("15m", now - 900), ("1.5h", now - 5400), ("2w", now - 14 * day), ("0s", now),
      ("yesterday 9:00", midnight - day + 9 * 3600), ("  Today   9:00 ", midnight + 9 * 3600),
      ("yesterday", midnight - day), ("2026-11-20", midnight - day),
      ("2026-11-20 14:32", midnight - day + 52_320),
      ("11-20 14:32", midnight - day + 52_320), ("2026-11-20T14:32:07", midnight - day + 52_327),
      ("2026-11-20T14:32:07Z", midnight - day + 52_327),
      ("2026-11-20T14:32:07.250+02:00", midnight - day + 45_127.25),
      ("2026-11-20 14:32-0330", midnight - day + 52_320 + 12_600),
      ("2026-11-20T14:32+02", midnight - day + 45_120),
      ("2024-02-29", Timestamp(730_857_600)), ("2001-01-01", Timestamp(0)),
      ("1970-01-01", Timestamp(-978_307_200)), ("816964327.2", now),
    ] as [(String, Timestamp)])
  func forms(text: String, time: Timestamp) {
    guard case .moment(let found) = Self.read(text) else { return #expect(Bool(false), "\(text) is none") }
    #expect(abs(found - time) < 1e-6, "\(text): \(found - time)")
  }

  @Test("now is the live end", arguments: ["now", "NOW", " live "])
  func live(text: String) {
    #expect(Self.read(text) == .live)
  }

  @Test("steps count from the playhead, ages from now, a time of day is one of the playhead's day")
  func playhead() {
    let playhead = Self.midnight - 3 * Self.day + 3600
    #expect(Self.read("-1m", playhead: playhead) == .moment(playhead - 60))
    #expect(Self.read("+1m", playhead: playhead) == .moment(playhead + 60))
    #expect(Self.read("1m", playhead: playhead) == .moment(Self.now - 60))
    #expect(Self.read("23:00", playhead: playhead) == .moment(Self.midnight - 2 * Self.day - 3600))
  }

  @Test("a day without a year is the newest one that is not still to come")
  func withoutYear() {
    #expect(Self.read("11-21 14:32:08") == .moment(Self.midnight + 52_328 - 365 * Self.day))
    #expect(Self.read("12-09 23:15") == .moment(Self.midnight - 347 * Self.day + 83_700))
    #expect(Self.read("12-09") == .moment(Self.midnight - 347 * Self.day))
    #expect(Self.read("02-29 0:00") == .moment(Timestamp(730_857_600)))
    #expect(
      Self.read("12-09 23:15", latest: Self.now + 30 * Self.day)
        == .moment(Self.midnight + 18 * Self.day + 83_700))
  }

  @Test(
    "garbage is none",
    arguments: [
      "", " ", "abc", "24:00", "14:60", "14:3", "14", "14:32:60", "14:32:7", "14:32:07.",
      "14:32:07.0000000001", "1:2:3:4",
      "1h30", "30m1h", "1m2m", "1h-2m", "h1m", "02-30 10:00", "-", "+", "--5m", "+-5m", "5", "-5", "m", ".m",
      "5x", "2026-02-29", "2026-04-31", "2026-13-01",
      "2026-00-10",
      "26-11-21 10:00", "2026-11-21T", "T10:00", "yesterday 25:00", "tomorrow", "now now",
      "2026-11-21 10:00 x",
      "2026-11-21T10:00+99:00", "2026-11-21T10:00+1", "99999999999999999999999", "1e400", "nan", "inf",
      "-inf",
      "999999999999999w", "１４:３２", "14:32\u{202E}", "\u{1B}[31m",
    ])
  func garbage(text: String) {
    #expect(Self.read(text) == nil)
  }

  @Test("a text of any length and any signs never traps")
  func noise() {
    var generator = SeededGenerator(seed: 5)
    let signs = Array("0123456789:-+.TZ smhdwayestrody\u{301}é")
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...24, using: &generator)).map { _ in
          signs.randomElement(using: &generator) ?? " "
        })
      for moment in [Self.now, Timestamp(-1e12), Timestamp(1e12)] {
        if case .moment(let found) = Self.read(text, now: moment) { #expect(found.seconds.magnitude <= 1e12) }
      }
    }
    #expect(Self.read(String(repeating: "9", count: 1 << 20)) == nil)
  }

  @Test("times of day are those of the zone's clocks")
  func zone() {
    #expect(Self.read("14:32", offset: Self.berlin) == .moment(Self.midnight + 13 * 3600 + 32 * 60))
    #expect(Self.read("2026-07-01 12:00", offset: Self.berlin) == .moment(Timestamp(804_592_800)))
    #expect(Self.read("2026-07-01T12:00Z", offset: Self.berlin) == .moment(Timestamp(804_600_000)))
  }

  @Test("an hour that the clocks skip is taken as if they had not, of one that they show twice the first")
  func daylightSaving() {
    // 29 March 2026: 01:59:59 is followed by 03:00.
    let spring = Timestamp(796_438_800)
    #expect(Self.read("2026-03-29 01:59", offset: Self.berlin) == .moment(spring - 60))
    #expect(Self.read("2026-03-29 02:30", offset: Self.berlin) == .moment(spring + 1800))
    #expect(Self.read("2026-03-29 03:00", offset: Self.berlin) == .moment(spring))
    // 25 October 2026: 02:59:59 is followed by 02:00.
    let autumn = Timestamp(814_582_800)
    #expect(Self.read("2026-10-25 01:59", offset: Self.berlin) == .moment(autumn - 3660))
    #expect(Self.read("2026-10-25 02:30", offset: Self.berlin) == .moment(autumn - 1800))
    #expect(Self.read("2026-10-25 03:00", offset: Self.berlin) == .moment(autumn + 3600))
  }

  @Test("the calendar counts days as it should, over thousands of years")
  func calendar() {
    #expect(CivilDate(year: 1970, month: 1, day: 1).number == 0)
    #expect(CivilDate(year: 2000, month: 2, day: 29).number == 11_016)
    #expect(CivilDate(year: 1900, month: 2, day: 29).number == nil)
    for number in stride(from: -719_000, through: 2_900_000, by: 371) {
      #expect(CivilDate(day: number).number == number)
    }
  }
}
