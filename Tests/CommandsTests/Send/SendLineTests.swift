import Delivery
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
      let bytes = Array(sample.text.utf8)
      for line in found where !line.isTooLong {
        let start = Int(line.offset)
        #expect(Array(bytes[start..<(start + line.bytes.count)]) == Array(line.bytes))
      }
    }
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
    (#"{"type":"track","event":7}"#, .missing("event")), (#"{"type":"screen"}"#, .missing("name")),
    (#"{"type":"page","properties":{}}"#, .missing("name")), (#"{"type":"identify"}"#, .missing("userId")),
    (#"{"type":"group","traits":{}}"#, .missing("groupId")),
    (#"{"type":"alias","previousId":"p"}"#, .missing("userId")),
  ]

  @Test("A line that is no event says why", arguments: wrong)
  func refusal(_ sample: (line: String, problem: EventDraft.Problem)) {
    #expect(throws: sample.problem) { try EventDraft(line: Data(sample.line.utf8)) }
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
