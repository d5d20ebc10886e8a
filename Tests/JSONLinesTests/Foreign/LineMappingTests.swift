import Testing

@testable import JSONLines

@Suite("LineMapping")
struct LineMappingTests {
  @Test(
    "reads what a person writes",
    arguments: ["time=ts", "time=ts,name=msg,value=ms", "time=a.b:ms,value=x.y", "time=t:iso,name=n"])
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
