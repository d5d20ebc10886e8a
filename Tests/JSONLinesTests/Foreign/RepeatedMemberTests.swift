import Codecs
import Testing

@testable import JSONLines

/// Objects with repeated members, and what other readers make of them.
///
/// Python's `json`, jq and JavaScript were asked; Go's `encoding/json` does the same for a map.
@Suite("Repeated members")
struct RepeatedMemberTests {
  static let objects: [(written: String, read: String)] = [
    (#"{"a":1,"a":2}"#, #"{"a":2}"#),
    (#"{"a":1,"b":3,"a":null}"#, #"{"a":null,"b":3}"#),
    (#"{"a":{"x":1},"a":{"y":2}}"#, #"{"a":{"y":2}}"#),
    (#"{"o":{"a":1,"a":2},"a":3}"#, #"{"o":{"a":2},"a":3}"#),
    (#"{"a":1,"\u0061":2}"#, #"{"a":2}"#),
    (#"{"a":[{"b":1,"b":2}],"a":4}"#, #"{"a":4}"#),
    (#"{"a":[{"b":1,"b":2},{"b":3}]}"#, #"{"a":[{"b":2},{"b":3}]}"#),
    (#"{"a":1,"A":2}"#, #"{"a":1,"A":2}"#),
    (#"{"":1,"":2}"#, #"{"":2}"#),
    (#"{"a":1,"a":2,"a":{"a":3,"a":4}}"#, #"{"a":{"a":4}}"#),
    (
      #"{"http_request_duration_p50":1,"http_request_duration_p99":2,"http_request_duration_p50":3}"#,
      #"{"http_request_duration_p50":3,"http_request_duration_p99":2}"#
    ),
  ]

  @Test("The last one counts, at any depth", arguments: objects)
  func last(written: String, read: String) throws {
    // Behind an object whose names have the same lengths, starts and ends.
    let first = written.replacing("p99", with: "p50").replacing("A", with: "a")
    for before in ["", first] {
      var shapes = ObjectShapes()
      _ = Array(before.utf8).withUnsafeBytes { shapes.withoutRepeated($0) }
      let rest = Array(written.utf8).withUnsafeBytes { shapes.withoutRepeated($0) } ?? Array(written.utf8)
      #expect(try JSONValue(rest) == JSONValue(Array(read.utf8)), "\(String(decoding: rest, as: UTF8.self))")
    }
  }

  @Test("Names are equal if their bytes are")
  func bytes() {
    let written = "{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{E9}\":3}"
    var shapes = ObjectShapes()
    let rest = Array(written.utf8).withUnsafeBytes { shapes.withoutRepeated($0) }
    #expect(rest == Array("{\"e\u{301}\":2,\"\u{E9}\":3}".utf8))
  }

  @Test("Many members are searched in time that grows with their number")
  func many() throws {
    let members = (0..<50_000).map { #""m\#($0 % 40_000)":\#($0)"# }
    var shapes = ObjectShapes()
    let rest = Array("{\(members.joined(separator: ","))}".utf8).withUnsafeBytes {
      shapes.withoutRepeated($0)
    }
    #expect(try JSONValue(try #require(rest)).fields?.count == 40_000)
  }

  static let lines: [(line: String, map: String?, sample: String)] = [
    (
      #"{"level":"info","time":1795454102.5,"route":"/a","ms":0,"message":"done","route":"/b","ms":1000}"#,
      nil,
      #"zerolog (zerolog log) @0 817146902.5 {"level":"info","message":"done","route":"/b","ms":1000}"#
    ),
    (
      #"{"time":1,"level":"info","time":1795454102.5,"message":"m","n":1}"#, nil,
      #"zerolog (zerolog log) @0 817146902.5 {"level":"info","message":"m","n":1}"#
    ),
    (
      #"{"level":"info","time":1795454102.5,"msg":"m","http":{"status":200,"ms":1,"status":500}}"#, nil,
      #"logrus (logrus log) @0 817146902.5 {"level":"info","msg":"m","http":{"ms":1,"status":500}}"#
    ),
    (
      #"{"at":5,"at":1795454102.5,"op":"x","op":"read","ms":3,"ms":4}"#, "time=at,name=op,value=ms",
      "read (mapped) @0 817146902.5 4.0"
    ),
    (
      #"{"t":{"at":5,"at":1795454102.5},"r":{"ms":3,"ms":4}}"#, "time=t.at,value=r.ms",
      "mapped (mapped) @0 817146902.5 4.0"
    ),
    (#"{"at":1795454102.5,"ms":3,"ms":4}"#, "time=at", #"mapped (mapped) @0 817146902.5 {"ms":4}"#),
    (
      #"{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","name":"b","gauge":{"dataPoints":[{"timeUnixNano":"1795454102500000000","asInt":"1","asInt":"2"}]}}]}]}]}"#,
      nil, "b (OTLP gauge) @97 817146902.5 2.0"
    ),
  ]

  @Test("They count once in logs, mapped lines and OpenTelemetry", arguments: lines)
  func log(line: String, map: String?, sample: String) throws {
    let reading = try ForeignReading(line + "\n" + line + "\n", map: map)
    #expect(reading.samples.first == sample)
    #expect(reading.samples.count == 2 && reading.rejections == [])
  }

  @Test("They count once in structs of MisterMetrics, and of its own members the last counts")
  func structs() throws {
    func line(_ json: String) -> String {
      let value = Base64Text.encoded(json)
      return #"{"metric":{"name":"m","valueTypeString":"S"},"timestamp":5.5,"value":"\#(value)"}"#
    }
    let plain = line(#"{"a":1,"b":2}"#)
    let repeated = line(#"{"a":1,"b":2,"a":3}"#)
    let reading = try ForeignReading([plain, plain, repeated, plain, repeated].map { $0 + "\n" }.joined())
    #expect(
      reading.samples.map { $0.split(separator: " ").last } == [
        #"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, #"{"b":2,"a":3}"#, #"{"a":1,"b":2}"#, #"{"b":2,"a":3}"#,
      ])
    let own =
      #"{"metric":{"name":"x","name":"m","valueTypeString":"Int"},"timestamp":"no","value":"MQ==","timestamp":5.5,"value":"Mg=="}"#
    #expect(try ForeignReading(own + "\n").samples == ["m (Int) @0 5.5 2.0"])
  }
}

/// Base64 of a text.
private enum Base64Text {
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    Array(text.utf8).withUnsafeBytes { Base64.append(escaping: $0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
