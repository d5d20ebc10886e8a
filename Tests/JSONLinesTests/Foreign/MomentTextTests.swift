import Codecs
import Platform
import Testing

@testable import JSONLines

@Suite("MomentText")
struct MomentTextTests {
  static let texts: [(text: String, seconds: Double?)] = [
    ("2001-01-01T00:00:00Z", 0), ("2001-01-01 00:00:00", 0), ("2001-01-01T00:00:00.25Z", 0.25),
    ("2001-01-01 00:00:01,125", 1.125), ("2001-01-01T01:00:00+01:00", 0), ("2001-01-01T01:00:00+0100", 0),
    ("2001-01-01T00:00:00-05", 18000), ("2001-01-01t00:00:00.123456789z", 0.123456789),
    ("2001-01-01T00:00:00.0000000001234Z", 0), ("1970-01-01T00:00:00Z", -978_307_200),
    ("2000-12-31T23:59:60Z", 0), ("2004-02-29T00:00:00Z", 99_705_600),
    ("2001-13-01T00:00:00Z", nil), ("2001-02-30T00:00:00Z", nil), ("2001-01-01T24:00:00Z", nil),
    ("2001-01-01T00:00:00.Z", nil), ("2001-01-01T00:00:00+1", nil), ("2001-01-01T00:00:00Zx", nil),
    ("", nil), ("2001-01-01T00:00:00+01-00", nil),
  ]

  @Test("reads ISO 8601 and what Python writes", arguments: texts)
  func moment(text: String, seconds: Double?) {
    var reader = MomentText()
    for _ in 0..<2 { #expect(Array(text.utf8).withUnsafeBytes { reader.seconds($0) } == seconds) }
  }

  @Test(
    "tells the unit of a number from its size",
    arguments: [1_795_454_102.0, 1_795_454_102e3, 1_795_454_102e6, 1_795_454_102e9])
  func units(number: Double) {
    #expect(MomentText.seconds(since1970: number, .automatic) == 817_146_902)
    #expect(MomentText.seconds(since1970: Int(number), .automatic) == 817_146_902)
  }

  @Test("takes a number as the year 9999 at the latest, since its size decides its unit")
  func distantNumbers() {
    let numbers: [(number: Int, seconds: Double)] = [
      (253_402_300_799, 252_423_993_599), (253_402_300_799_000, 252_423_993_599),
      (253_402_300_799_000_000, 252_423_993_599), (253_402_300_800, 253_402_300.8 - 978_307_200),
      (-62_135_596_800, -63_113_904_000), (-62_135_596_800_000, -63_113_904_000), (0, -978_307_200),
    ]
    for (number, seconds) in numbers {
      #expect(MomentText.seconds(since1970: number, .automatic) == seconds, "\(number)")
      #expect(MomentText.seconds(since1970: Double(number), .automatic) == seconds, "\(number)")
    }
  }
}

@Suite("Notations of times")
struct TimeNotationTests {
  /// 2026-11-26T07:51:35Z in seconds since 2001.
  static let moment = 817_372_295.0

  /// Each is that moment; those in `withMilliseconds` are 894 ms later.
  static let whole: [String] = [
    // Ruby, Rust, Postgres, Go, Rails
    "2026-11-26 08:51:35 +0100", "2026-11-26 07:51:35 UTC", "2026-11-26 07:51:35 +0000",
    "2026-11-26 7:51:35 +00:00:00",
    "2026-11-26 07:51:35+00", "2026-11-26 08:51:35 +0100 CET", "2026-11-26 08:51:35 +0100 CET m=+0.000123456",
    // Java, which leaves zeros away
    "2026-11-26T08:51:35+01:00[Europe/Berlin]", "2026-11-26T07:51:35Z[UTC]", "2026-11-26T07:51:35[UTC]",
    "2026-11-26 08:51:35 CET", "Thu Nov 26 08:51:35 CET 2026", "Nov 26, 2026 7:51:35 AM",
    "Nov 26, 2026, 7:51:35\u{202F}AM",
    // HTTP, mail, C, JavaScript, Perl
    "Thu, 26 Nov 2026 07:51:35 GMT", "Thursday, 26-Nov-26 07:51:35 GMT", "Thu Nov 26 07:51:35 2026",
    "Thu, 26 Nov 2026 08:51:35 +0100", "26 Nov 2026 02:51:35 EST", "Thu, 26 Nov 2026 08:51:35 +0100 (CET)",
    "Thu Nov 26 2026 08:51:35 GMT+0100 (Central European Standard Time)", "Thu Nov 26 08:51:35 +0100 2026",
    "Thu 2026-11-26 08:51:35 CET", "26 Nov 26 07:51:35 UTC", "thursday, 26 november 2026 07:51:35 utc",
    // nginx, Apache, PHP, Go's log
    "26/Nov/2026:08:51:35 +0100", "[26/Nov/2026:07:51:35 +0000]", "2026/11/26 07:51:35",
    "26-Nov-2026 07:51:35",
    "[26-Nov-2026 07:51:35 UTC]", "2026.11.26 07:51:35", "2026-Nov-26 07:51:35", "2026 Nov 26 07:51:35",
    // ISO 8601
    "20261126T075135Z", "20261126T085135+0100", "2026-11-26T075135Z", "2026-W48-4T07:51:35Z",
    "2026W484T075135Z",
    "2026-330T07:51:35Z", "20261126075135", "2026-11-26_07:51:35", "2026-11-26T07:51:35 Z",
    // syslog
    "Nov 26 07:51:35", "Nov 26 2026 07:51:35", "Nov 26 07:51:35 2026", "26 Nov 07:51:35",
    "Thu Nov 26 07:51:35",
  ]
  static let withMilliseconds: [String] = [
    "2026-11-26T08:51:35.894+01:00[Europe/Berlin]", "2026-11-26 08:51:35,894 CET",
    "2026-11-26T07:51:35.894UTC",
    "2026-11-26T07:51:35.894 #1234", "2026-11-26T07:51:35.894000 #1234]", "2026/11/26 07:51:35.894",
    "2026-11-26 08:51:35.894000000 +0100 CET m=+3.5", "26 Nov 2026 07:51:35,894", "26-Nov-2026 07:51:35.894",
    "Thu Nov 26 07:51:35.894000 2026", "20261126T075135.894Z", "20261126T075135,894", "20261126075135894",
    "Nov 26, 2026 @ 07:51:35.894", "2026-11-26 07:51:35:894", "2026-11-26 07:51:35.894 UTC",
    "[2026-11-26T07:51:35.894Z]", "2026-11-26 08:51:35.894 +01:00", "Nov 26 07:51:35.894",
    "26/Nov/2026:07:51:35.894", "2026-11-26T07:51:35.894-0000", " 2026-11-26T07:51:35.894Z ",
  ]
  static let others: [String] = [
    "yesterday", "07:51:35", "11/26/2026 07:51:35", "26/11/2026 07:51:35", "2026-11-26 08:51:35 CST",
    "2026-11-26 08:51:35 Europe/Berlin", "2026-11-26T08:51:35.894[Europe/Berlin]", "Nov 26",
    "Nov 31 07:51:35",
    "30 Feb 2026 07:51:35", "26 Nov 2026 25:51:35", "Nov 26, 2026 13:51:35 PM", "2026-W54-1T00:00:00Z",
    "2026-366T00:00:00Z", "2026-11-26 07:51:35 +0100 +0200", "2026-11-26 07:51:35 2026",
    "2026-11-26 07:51:35 (", "2026-11-26 07:51:35 #", "202611260751", "Monkey 26 07:51:35", "[", "2026-",
    "20261126T0", "2026-11-26T07:51:35 \u{1}", String(repeating: "1", count: 400), "Nov 26 07:51:35 9999999",
  ]

  /// In November 2026, a few seconds after the moment.
  static func reader(_ zone: ZoneOffsets? = nil) -> MomentText {
    var reader = MomentText()
    reader.zone = zone
    reader.now = { Timestamp(moment + 7) }
    return reader
  }

  static func seconds(_ text: String, _ zone: ZoneOffsets? = nil) -> Double? {
    var reader = reader(zone)
    // Twice, because the last minute is remembered.
    let read = (0..<2).map { _ in Array(text.utf8).withUnsafeBytes { reader.seconds($0) } }
    return read[0] == read[1] ? read[0] : .nan
  }

  @Test("are read with whole seconds", arguments: whole)
  func wholeSeconds(text: String) { #expect(Self.seconds(text) == Self.moment) }

  @Test("are read with milliseconds", arguments: withMilliseconds)
  func milliseconds(text: String) {
    #expect(Self.seconds(text).map { abs($0 - Self.moment - 0.894) < 1e-6 } == true)
  }

  @Test("of no single meaning are not read", arguments: others)
  func refused(text: String) { #expect(Self.seconds(text) == nil) }

  @Test("may leave the seconds or the time of day away")
  func shortened() {
    #expect(Self.seconds("2026-11-26T07:51Z") == Self.moment - 35)
    #expect(Self.seconds("2026-11-26T08:51+01:00[Europe/Berlin]") == Self.moment - 35)
    #expect(Self.seconds("2026-11-26") == Self.moment - 35 - 51 * 60 - 7 * 3600)
    #expect(Self.seconds("20261126") == Self.moment - 35 - 51 * 60 - 7 * 3600)
  }

  @Test("without a year are of the last twelve months, or of tomorrow where the clocks differ")
  func yearless() {
    #expect(Self.seconds("Nov 25 07:51:35") == Self.moment - 86_400)
    #expect(Self.seconds("Nov 27 07:51:35") == Self.moment + 86_400)
    #expect(Self.seconds("Dec  1 07:51:35") == Self.moment - 360 * 86_400)
    #expect(Self.seconds("Feb 29 07:51:35") == Self.moment - 1001 * 86_400)
  }

  @Test("every prefix of a time is read or refused, and every byte may be changed")
  func mutations() {
    var read = 0
    for text in Self.whole + Self.withMilliseconds {
      let bytes = Array(text.utf8)
      for count in bytes.indices {
        var reader = Self.reader()
        if bytes[..<count].withUnsafeBytes({ reader.seconds($0) }) != nil { read += 1 }
        for byte: UInt8 in [0, 0x20, 0x39, 0x3A, 0x5B, 0x7A, 0xE2, 0xFF] {
          var changed = bytes
          changed[count] = byte
          if changed.withUnsafeBytes({ reader.seconds($0) })?.isFinite == false { read = .min }
        }
      }
    }
    #expect(read > 0)
  }

  @Test("in a line of a log: zone, brackets, escapes, digits of a calendar")
  func lines() throws {
    let times = [
      (#""26/Nov/2026:07:51:35 +0000""#, 0), (#""26\/Nov\/2026:08:51:35 \u002B0100""#, 0),
      (#""2026-11-26T07:51:35.894UTC""#, 0.894), ("20261126075135", 0), ("20261126075135894", 0.894),
      (#""1795679495.894""#, 0.894), (#""1795679495894""#, 0.894), ("1795679495894123000", 0.894123),
    ]
    for (time, later) in times {
      let reading = try ForeignReading(
        #"{"level":"info","message":"x","timestamp":"# + time + #","n":0}"# + "\n")
      let words = reading.samples.first?.split(separator: " ") ?? []
      let seconds = words.count > 4 ? Double(words[4]) : nil
      #expect(seconds.map { abs($0 - Self.moment - later) < 1e-6 } == true, "\(time) \(reading)")
    }
  }

  @Test("from the field are read")
  func field() throws {
    let times: [(text: String, seconds: Double)] = [
      ("2026-11-26 07:51:35 +0000", 0), ("2026-11-26 07:51:35 UTC", 0),
      ("2026-11-26T07:51:35.894+01:00[Europe/Berlin]", 0.894 - 3600), ("26/Nov/2026:07:51:35 +0000", 0),
      ("2026-11-26T07:51:35.894UTC", 0.894),
    ]
    for (text, seconds) in times {
      let found = try #require(Self.seconds(text))
      #expect(abs(found - Self.moment - seconds) < 1e-6, "\(text)")
    }
  }
}

@Suite("Times without a zone")
struct ZonelessTimeTests {
  static let berlin = ZoneOffsets(identifier: "Europe/Berlin")

  @Test(
    "are in the zone that was given, also where clocks change",
    arguments: [
      ("2026-11-26 08:51:35", "2026-11-26T07:51:35Z"), ("2026-07-26 08:51:35", "2026-07-26T06:51:35Z"),
      ("26/Nov/2026:08:51:35", "2026-11-26T07:51:35Z"), ("Nov 26 08:51:35", "2026-11-26T07:51:35Z"),
      // The hour that clocks skip, and the first of the two that they show twice.
      ("2026-03-29 02:30:00", "2026-03-29T01:30:00Z"), ("2026-10-25 02:30:00", "2026-10-25T00:30:00Z"),
      ("2026-10-25 03:00:00", "2026-10-25T02:00:00Z"), ("2026-10-25 02:30:00 CET", "2026-10-25T01:30:00Z"),
      ("2026-10-25 02:30:00 CEST", "2026-10-25T00:30:00Z"), ("2026-11-26", "2026-11-25T23:00:00Z"),
      ("24-Nov-2026 08:51:35 Europe/Berlin", "2026-11-24T07:51:35Z"),
      ("2026-11-26T08:51:35[Europe/Berlin]", "2026-11-26T07:51:35Z"),
      // One that names its zone keeps it.
      ("2026-11-26 08:51:35 +0900", "2026-11-25T23:51:35Z"), ("2026-11-26T08:51:35Z", "2026-11-26T08:51:35Z"),
      ("2026-11-26 08:51:35 UTC", "2026-11-26T08:51:35Z"),
    ])
  func zone(text: String, moment: String) throws {
    let zone = try #require(Self.berlin)
    #expect(TimeNotationTests.seconds(text, zone) == TimeNotationTests.seconds(moment))
  }

  @Test("may be a fixed offset from UTC")
  func fixed() {
    let tokyo = ZoneOffsets(offset: 9 * 3600, identifier: "+09:00")
    #expect(TimeNotationTests.seconds("2026-11-26 16:51:35", tokyo) == TimeNotationTests.moment)
  }

  @Test("a name that the zone uses for itself is its own: CST is China's in Shanghai")
  func ownNames() throws {
    let zones = [("Asia/Shanghai", 8.0), ("America/Chicago", -6)]
    for (name, hours) in zones {
      let zone = try #require(ZoneOffsets(identifier: name))
      let seconds = TimeNotationTests.seconds("Thu Nov 26 07:51:35 CST 2026", zone)
      #expect(seconds == TimeNotationTests.moment - hours * 3600, "\(name)")
    }
  }
}
