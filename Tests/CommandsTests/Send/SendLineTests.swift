import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("Lines that are sent")
struct SendLineTests {
  /// Longer than is allowed here, and than what is read at once.
  private static let long = String(repeating: "x", count: 300_000)
  private static let longest = 299_999

  static let texts: [(text: String, lines: [String])] = [
    ("", []),
    ("a", ["a"]),
    ("a\nb", ["a", "b"]),
    ("a\nb\n", ["a", "b"]),
    ("\n\na\n", ["", "", "a"]),
    ("a\r\nb\r\n", ["a\r", "b\r"]),
    (long + "\nb\n", ["too long", "b"]),
    ("a\n" + long, ["a", "too long"]),
    ("a\n" + long + long + "\nb", ["a", "too long", "b"]),
  ]

  @Test(
    "Lines come whole and in order, with their places, however many are asked for", arguments: texts.indices)
  func order(_ index: Int) throws {
    let sample = Self.texts[index]
    let folder = try TemporaryFolder()
    let path = try folder.write(sample.text, to: "events")
    for (isSeekable, limit) in [(true, 1000), (false, 1)] {
      let descriptor = try Posix.open(path)
      defer { Posix.close(descriptor) }
      var reader = EventLines(
        descriptor, isSeekable: isSeekable, from: 0, stop: WakeSignal(), longest: Self.longest)
      var found: [EventLines.Line] = []
      while true {
        let next = try reader.next(limit)
        #expect(next.count <= limit)
        if next.isEmpty { break }
        found += next
      }
      #expect(
        found.map { $0.isTooLong ? "too long" : String(decoding: $0.bytes, as: UTF8.self) } == sample.lines)
      #expect(found.map(\.number) == Array(1..<(sample.lines.count + 1)))
      #expect(reader.position == UInt64(sample.text.utf8.count))
      #expect(found.map(\.offset) == Self.starts(of: sample.text))
    }
  }

  /// Where the lines of a text begin.
  private static func starts(of text: String) -> [UInt64] {
    let bytes = Array(text.utf8)
    return bytes.indices.filter { $0 == 0 || bytes[$0 - 1] == UInt8(ascii: "\n") }.map { UInt64($0) }
  }

  @Test("Reading goes on in the middle")
  func middle() throws {
    let folder = try TemporaryFolder()
    let descriptor = try Posix.open(try folder.write("one\ntwo\nthree\n", to: "events"))
    defer { Posix.close(descriptor) }
    var reader = EventLines(descriptor, isSeekable: true, from: 4, stop: WakeSignal())
    #expect(try reader.next(10).map { String(decoding: $0.bytes, as: UTF8.self) } == ["two", "three"])
  }

  @Test("Waiting for a pipe ends with the signal to stop")
  func stopped() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { Posix.close($0) } }
    let stop = WakeSignal()
    stop.raise()
    var reader = EventLines(ends[0], isSeekable: false, from: 0, stop: stop)
    #expect(try reader.next(10).isEmpty)
  }

  static let wrong: [(line: String, problem: EventDraft.Problem)] = [
    ("", .notAnObject), ("[]", .notAnObject), ("3", .notAnObject), (#"{"type":"track""#, .notAnObject),
    (#"{"type":"zap"}"#, .unknownType("zap")), (#"{"type":"Track","event":"a"}"#, .unknownType("Track")),
    (#"{"type":"track"}"#, .missing("event")), (#"{"event":"  "}"#, .missing("event")),
    (#"{"event":null}"#, .missing("event")), (#"{"type":"screen"}"#, .missing("name")),
    (#"{"type":"page","properties":{}}"#, .missing("name")), (#"{"type":"identify"}"#, .missing("userId")),
    (#"{"type":"group","traits":{}}"#, .missing("groupId")),
    (#"{"type":"alias","previousId":"p"}"#, .missing("userId")),
    (#"{"type":"track","event":7}"#, .notText("event")), (#"{"type":1,"event":"x"}"#, .notText("type")),
    (#"{"event":"x","userId":12345,"timestamp":1700000000,"properties":["a"]}"#, .notText("userId")),
    (#"{"event":"x","userId":12345,"#, .notAnObject), (#"{"event":"x","userId":nobody}"#, .notAnObject),
    (#"{"event":"x","timestamp":1700000000}"#, .notText("timestamp")),
    (#"{"event":"x","anonymousId":true}"#, .notText("anonymousId")),
    (#"{"event":"x","groupId":{}}"#, .notText("groupId")),
    (#"{"event":"x","messageId":7}"#, .notText("messageId")),
    (#"{"event":"x","messageId":"order-7"}"#, .notMessageID),
    (#"{"type":"alias","userId":"u","previousId":7}"#, .notText("previousId")),
    (#"{"event":"x","properties":["a"]}"#, .notObject("properties")),
    (#"{"event":"x","properties":[[]]}"#, .notObject("properties")),
    (#"{"event":"x","properties":[}"#, .notAnObject), (#"{"event":[]}"#, .notText("event")),
    (#"{"type":"identify","userId":"u","traits":"pro"}"#, .notObject("traits")),
    (#"{"event":"x","integrations":false}"#, .notObject("integrations")),
    (#"{"event":"x","properties":{"x":1e400}}"#, .unsendable(.beyondDouble("1e400"))),
    (
      #"{"event":"x","properties":{"x":[18446744073709551615]}}"#,
      .unsendable(.beyondInteger("18446744073709551615"))
    ),
    (#"{"event":"x","properties":{"x":"\ud800"}}"#, .halfCharacter),
    (#"{"event":"\udc00!"}"#, .halfCharacter),
    (#"{"event":"\q"}"#, .notAnObject), (#"{"event":"\q\ud800"}"#, .notAnObject),
    (#"{"event":"x","properties":"# + nested(65) + "}", .unsendable(.tooDeep)),
    (#"{"event":"x","context":"# + nested(600) + "}", .nestedTooDeep),
  ]

  private static func nested(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
  }

  @Test("A line that is no event says why", arguments: wrong)
  func refusal(_ sample: (line: String, problem: EventDraft.Problem)) {
    #expect(throws: sample.problem) { try EventDraft(line: Data(sample.line.utf8)) }
  }

  @Test("A line that is no event says so in a sentence")
  func sentences() {
    let problems: [EventDraft.Problem] = [
      .notText("userId"), .notObject("traits"), .notMessageID, .unsendable(.beyondDouble("1e400")),
      .unsendable(.beyondInteger("18446744073709551615")), .unsendable(.tooDeep), .nestedTooDeep,
      .halfCharacter,
    ]
    #expect(
      problems.map(\.text) == [
        "'userId' is not a string", "'traits' is not an object",
        "'messageId' is not a message id: expected milliseconds from 1970, a hyphen and a UUID",
        "1e400 is a number out of range",
        "18446744073709551615 is an integer beyond 64 bits; write it as a string to keep its digits",
        "nested more than 64 levels deep", "nested more than 512 levels deep",
        "a string has half of a surrogate pair, which is not a character",
      ])
  }

  @Test("What is sent is what the line says, whatever its type; what is null is not there")
  func faithful() throws {
    func read(_ line: String) throws -> EventDraft { try EventDraft(line: Data(line.utf8)) }
    let numbers = try read(#"{"event":"x","userId":null,"properties":{"a":3.0,"b":3,"c":1e2,"d":-0.5}}"#)
    #expect(numbers.userID == nil)
    #expect(
      numbers.properties == ["a": .double(3), "b": .integer(3), "c": .double(100), "d": .double(-0.5)])
    // A moment is the sender's own.
    #expect(try read(#"{"event":"x","timestamp":"yesterday"}"#).timestamp == "yesterday")
    #expect(try read("\u{FEFF}" + #"{"event":"x"}"#).event == "x")
    // The first of two members counts, and of no event's members the values may be anything.
    #expect(try read(#"{"event":"x","event":"y","context":{"n":1e400}}"#).event == "x")
    let deepest = #"{"event":"x","properties":"# + Self.nested(64) + "}"
    #expect(try read(deepest).properties?.count == 1)
    let group = try read(#"{"type":"group","groupId":"g","properties":{"n":1},"traits":{"plan":"pro"}}"#)
    #expect(group.properties == ["n": 1, "groupId": "g"] && group.traits == ["plan": "pro"])
    let alias = try read(#"{"type":"alias","userId":"u","properties":{"previousId":"p","n":1}}"#)
    #expect(alias.properties == ["previousId": "p", "n": 1])
    #expect(try read(#"{"type":"alias","userId":"u","previousId":"p"}"#).properties == ["previousId": "p"])
    #expect(try read(#"{"event":"x","traits":{"plan":"pro"}}"#).traits == ["plan": "pro"])
    #expect(try read(#"{"type":"identify","userId":"u","properties":{"n":1}}"#).properties == ["n": 1])
    // PHP writes an empty object so.
    let empty = try read(#"{"event":"x","properties":[],"traits":[ ],"integrations":[]}"#)
    #expect(empty.properties == [:] && empty.traits == [:] && empty.integrations == [:])
    let id = "1790000000000-0f8fad5b-d9cb-469f-a165-70867728950e"
    #expect(try read(#"{"event":"x","messageId":"\#(id)"}"#).messageID == id)
  }

  @Test("An event has what its line has")
  func members() throws {
    let track = try EventDraft(
      line: Data(
        #"{"event":"Bought","properties":{"n":3,"deep":{"a":[1,null]}},"userId":"u","groupId":"g","anonymousId":"x","timestamp":"2026-01-02T03:04:05.678Z"}"#
          .utf8))
    #expect(track.kind == .track)
    #expect(track.event == "Bought")
    #expect(track.properties?["n"] == .integer(3))
    #expect(track.properties?["deep"] == .object(["a": .array([.integer(1), .null])]))
    #expect(track.userID == "u")
    #expect(track.groupID == "g")
    #expect(track.anonymousID == "x")
    #expect(track.timestamp == "2026-01-02T03:04:05.678Z")
    #expect(track.messageID == nil)
    let identify = try EventDraft(
      line: Data(#"{"type":"identify","userId":"u","traits":{"plan":"pro"}}"#.utf8))
    #expect(identify.userID == "u")
    #expect(identify.traits == ["plan": .text("pro")])
    let screen = try EventDraft(line: Data(#"{"type":"screen","name":"Home"}"#.utf8))
    #expect(screen.kind == .screen)
  }

  @Test("Random bytes are refused and never end the program")
  func random() {
    var generator = SeededGenerator(seed: 3)
    let pieces = [
      "{", "}", "\"type\"", ":", "\"track\"", ",", "\"event\"", "\"a\"", "[", "]", "1e999", "null", "\\",
      "\u{0}",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }
      _ = try? EventDraft(line: Data(text.joined().utf8))
    }
  }
}
