import Platform
import Testing

@testable import JSONLines

@Suite("LineMapping")
struct LineMappingTests {
  @Test(
    "reads what a person writes",
    arguments: [
      "time=ts", "time=ts,name=msg,value=ms", "time=a.b:ms,value=x.y", "time=t:iso,name=n",
      "time=ts:iso,zone=Europe/Berlin", "zone=Asia/Tokyo", "time=t,name=n,value=v,zone=+05:30", "zone=UTC",
    ])
  func reads(text: String) throws {
    #expect(try LineMapping.parse(text).text == text)
  }

  @Test("takes the pairs in any order")
  func order() throws {
    #expect(try LineMapping.parse("value=ms,time=ts:auto,name=msg").text == "time=ts,name=msg,value=ms")
  }

  static let faults: [(text: String, error: LineMappingError)] = [
    ("", .empty), ("ts", .notAPair("ts")), ("time=ts,", .notAPair("")), ("tiem=ts", .unknownKey("tiem")),
    ("time=a,time=b", .repeatedKey("time")), ("time=", .noMember(key: "time")),
    ("time=t,name=", .noMember(key: "name")), ("name=msg", .noTime), ("time=ts:min", .unknownTimeForm("min")),
    ("name=msg,zone=UTC", .noTime), ("zone=Berlin", .unknownZone("Berlin", meant: "Europe/Berlin")),
    ("time=t,zone=Europe/Berln", .unknownZone("Europe/Berln", meant: "Europe/Berlin")),
    ("zone=", .unknownZone("", meant: nil)), ("zone=+25:00", .unknownZone("+25:00", meant: nil)),
    ("zone=../etc/passwd", .unknownZone("../etc/passwd", meant: nil)),
  ]

  @Test("says what is wrong", arguments: faults)
  func fault(text: String, error: LineMappingError) {
    #expect(throws: error) { try LineMapping.parse(text) }
  }

  @Test(
    "knows what was meant",
    arguments: [("tiem", "time"), ("Name", "name"), ("val", "value"), ("values", "value")])
  func suggestions(key: String, meant: String) {
    #expect(LineMappingError.unknownKey(key).message.hasSuffix("did you mean \(meant)?"))
  }
}

@Suite("The zone of a mapping")
struct MappedZoneTests {
  @Test(
    "is that of times without one, mapped or recognized",
    arguments: [
      (
        "zone=Europe/Berlin", #"{"asctime":"2026-11-26 08:51:35,500","levelname":"INFO","message":"m","n":1}"#
      ),
      ("time=at,zone=Europe/Berlin", #"{"at":"2026-11-26 08:51:35.5","n":1}"#),
      ("time=at:iso,zone=+01:00", #"{"at":"26/Nov/2026:08:51:35.5","n":1}"#),
      ("zone=Asia/Tokyo", #"{"level":"info","time":"2026-11-26T07:51:35.5Z","msg":"m","n":1}"#),
      ("zone=Asia/Tokyo", #"{"level":30,"time":1795679495500,"msg":"m","n":1}"#),
    ])
  func zone(map: String, line: String) throws {
    let reading = try ForeignReading(line + "\n", map: map)
    #expect(reading.samples.count == 1 && reading.samples[0].contains(" 817372295.5 "), "\(reading)")
  }

  @Test("of a source is known while none of its times names one")
  func offsets() throws {
    func offset(_ lines: [String], _ map: String? = nil) throws -> Int? {
      var scanner = SampleScanner(mapping: try map.map { try LineMapping.parse($0) })
      var batch = SampleBatch()
      let text = lines.map { #"{"level":"info","msg":"m","time":\#($0)}"# + "\n" }.joined()
      Array(text.utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
      #expect(batch.samples.count == lines.count)
      return scanner.zoneOffset(at: Timestamp(817_372_295))
    }
    let zoneless = #""2026-11-26 08:51:35""#
    #expect(try offset([zoneless, zoneless]) == 0)
    #expect(try offset([zoneless], "zone=Europe/Berlin") == 3600)
    #expect(try offset([#""26/Nov/2026:08:51:35""#], "zone=-03:30") == -12_600)
    #expect(try offset([zoneless, #""2026-11-26T08:51:35Z""#]) == nil)
    #expect(try offset([#""2026-11-26 08:51:35 UTC""#]) == nil)
    #expect(try offset(["1795679495500"]) == nil && offset([]) == nil)
  }
}

@Suite("Where a line begins")
struct LineStartTests {
  @Test(
    "is behind the newline before a place, or at the file's beginning",
    arguments: [(0, 0), (2, 0), (3, 0), (4, 4), (9, 4), (10, 10), (11, 11), (30_000, 11)])
  func begins(place: UInt64, start: UInt64) {
    let bytes = Array("abc\ndefgh\n\n".utf8) + [UInt8](repeating: 0x78, count: 30_000)
    let found = LineStart.offset(ofLineAt: place) { bytes[Int($0.lowerBound)..<Int($0.upperBound)] }
    #expect(found == start)
  }
}

@Suite("Members inside members")
struct InnerMemberTests {
  @Test("an inner object may have one named metric")
  func metric() throws {
    let line = #"{"data":{"metric":{"id":1},"ts":1795454102,"ms":5}}"# + "\n"
    let reading = try ForeignReading(line, map: "time=data.ts,value=data.ms")
    #expect(reading.rejections.isEmpty && reading.samples.count == 1)
  }

  @Test(
    "What is advised can be said: no name with what ends one, be a mark on it, and none that is no UTF-8",
    arguments: [
      Array("a,\u{200D}b".utf8), Array("a=\u{301}".utf8), Array("a:\u{20DD}b".utf8), [0x61, 0xCD],
      Array("a,b".utf8),
    ])
  func advised(name: [UInt8]) throws {
    let line = Array(#"{"ts":1795454103.5,""#.utf8) + name + Array(#"":"info","level":"warn"}"#.utf8)
    let mapping = try #require(LineAdvice(excerpt: line).mapping)
    #expect(mapping.text == "time=ts,name=level")
    #expect(try LineMapping.parse(mapping.text) == mapping)
  }
}
