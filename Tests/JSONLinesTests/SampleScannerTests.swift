import Foundation
import Testing

@testable import JSONLines

/// A scanner's result for some lines, in a form that is easy to compare.
struct Reading: Equatable {
  var samples: [String] = []
  var rejections: [String] = []
  var blankLines = 0

  init(_ text: [UInt8], chunk: Int = .max) {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    text.withUnsafeBytes { bytes in
      var position = 0
      while position < bytes.count {
        let end = position + min(chunk, bytes.count - position)
        scanner.scan(UnsafeRawBufferPointer(rebasing: bytes[position..<end]), into: &batch)
        position = end
      }
    }
    scanner.finish(into: &batch)
    for sample in batch.samples {
      let metric = scanner.catalogue[sample.metric]
      let payload = String(decoding: batch.payload(of: sample), as: UTF8.self)
      samples.append(
        "\(metric.bucket ?? "-")/\(metric.name)/\(metric.typeName) @\(sample.offset) t\(sample.time) "
          + "\(sample.kind) \(sample.value) [\(payload)]")
    }
    rejections = scanner.rejections.recent.map { "\($0.line)@\($0.offset) \($0.reason)" }
    blankLines = scanner.blankLines
  }

  init(_ text: String, chunk: Int = .max) {
    self.init(Array(text.utf8), chunk: chunk)
  }
}

/// A line as `MetricEntry` is written.
func line(
  _ value: String, name: String = "n", bucket: String? = "b", type: String = "T", time: String = "1.5"
) -> String {
  let bucket = bucket.map { "\"bucket\":\"\($0)\"," } ?? ""
  let base64 = Data(value.utf8).base64EncodedString().replacingOccurrences(of: "/", with: "\\/")
  return "{\"metric\":{\(bucket)\"name\":\"\(name)\",\"valueTypeString\":\"\(type)\"},"
    + "\"timestamp\":\(time),\"value\":\"\(base64)\"}\n"
}

@Suite("SampleScanner")
struct SampleScannerTests {
  static let values: [(json: String, expected: String)] = [
    ("428.5", "number 428.5 []"), ("0", "number 0.0 []"), ("-0", "number -0.0 []"), ("-7", "number -7.0 []"),
    ("428.83333333333333", "number 428.8333333333333 []"), ("1e-07", "number 1e-07 []"),
    ("1E+05", "number 100000.0 []"), ("0.00021345678901234567", "number 0.00021345678901234566 []"),
    ("9007199254740991", "number 9007199254740991.0 []"),
    ("9007199254740992", "wideInteger 9007199254740992.0 [9007199254740992]"),
    ("9007199254740993", "wideInteger 9007199254740992.0 [9007199254740993]"),
    ("9223372036854775807", "wideInteger 9.223372036854776e+18 [9223372036854775807]"),
    ("-9223372036854775808", "wideInteger -9.223372036854776e+18 [-9223372036854775808]"),
    ("18446744073709551615", "wideInteger 1.8446744073709552e+19 [18446744073709551615]"),
    ("1e300", "number 1e+300 []"), ("-1.7976931348623157e308", "number -1.7976931348623157e+308 []"),
    ("5e-324", "number 5e-324 []"), ("true", "bool 1.0 []"), ("false", "bool 0.0 []"),
    ("null", "null 0.0 []"),
    ("\"de_DE\"", "text 0.0 [de_DE]"), ("\"\"", "text 0.0 []"),
    ("\"a\\n\\u00e9\\ud83d\\ude80\"", "text 0.0 [a\né🚀]"),
    ("\"Settings\\/Privacy ??>>\"", "text 0.0 [Settings/Privacy ??>>]"),
    ("[1,2]", "array 0.0 [[1,2]]"),
    ("{\"a\":{\"b\":[true,null]}}", "object 0.0 [{\"a\":{\"b\":[true,null]}}]"),
    (" 12 ", "number 12.0 []"), (" {\"a\" : 1} ", "object 0.0 [{\"a\" : 1}]"),
  ]

  @Test("reads every kind of value, on the first line of a metric and on the later ones", arguments: values)
  func kinds(value: (json: String, expected: String)) {
    let text = String(repeating: line(value.json), count: 3) + String(repeating: line("1"), count: 2)
    let length = line(value.json).utf8.count
    let reading = Reading(text)
    #expect(reading.samples.prefix(3) == (0..<3).map { "b/n/T @\($0 * length) t1.5 \(value.expected)" }[...])
    #expect(reading.rejections.isEmpty)
  }

  static let rejected: [(line: String, reason: RejectionReason)] = [
    ("hello", .notJSON), ("{", .notJSON), ("[1]", .notAnObject), ("5", .notAnObject), ("{}", .noMetric),
    (#"{"metric":5,"timestamp":1,"value":"MQ=="}"#, .noMetric),
    (#"{"metric":{"name":5,"valueTypeString":"I"},"timestamp":1,"value":"MQ=="}"#, .noMetric),
    (#"{"metric":{"name":"a"},"timestamp":1,"value":"MQ=="}"#, .noMetric),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"value":"MQ=="}"#, .noTimestamp),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":"1","value":"MQ=="}"#, .noTimestamp),
    (
      #"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1e999,"value":"MQ=="}"#, .timestampOutOfRange
    ),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1}"#, .noValue),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1,"value":1}"#, .noValue),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1,"value":"MQ"}"#, .valueNotBase64),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1,"value":"M(=="}"#, .valueNotBase64),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1,"value":""}"#, .valueNotJSON),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1,"value":"AAAA"}"#, .valueNotJSON),
    (#"{"metric":{"name":"a","valueTypeString":"I"},"timestamp":1,"value":"ND=w"}"#, .valueNotBase64),
    (#"{"level":30,"time":1,"a":"# + nested(5000) + "}", .nestedTooDeep), (nested(5000), .nestedTooDeep),
  ]

  private static func nested(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
  }

  @Test("rejects a line with its reason, number and byte, and reads the lines around it", arguments: rejected)
  func rejections(fault: (line: String, reason: RejectionReason)) {
    let good = line("1")
    let reading = Reading(good + fault.line + "\n" + good)
    #expect(reading.samples.count == 2)
    #expect(reading.rejections == ["2@\(good.utf8.count) \(fault.reason)"])
  }

  @Test(
    "rejects values that are no JSON, seen first and seen later",
    arguments: [
      "01", "1.", ".5", "-", "+1", "1e", "tru", "nul", "[1,]", "{\"a\":1,}", "\"a", "\"\\x\"", "1 2", "NaN",
      "0x10",
    ])
  func badValues(json: String) {
    #expect(Reading(line(json)).rejections == ["1@0 valueNotJSON"])
    #expect(Reading(line("1") + line(json)).rejections == ["2@\(line("1").utf8.count) valueNotJSON"])
  }

  @Test("a number beyond every double is rejected")
  func overflow() {
    #expect(Reading(line("1e999")).rejections == ["1@0 valueOutOfRange"])
  }

  static let encoders: [(name: String, rewrite: @Sendable (String) -> String)] = [
    (
      "spaces",
      { $0.replacingOccurrences(of: "\":", with: "\": ").replacingOccurrences(of: ",\"", with: ", \"") }
    ),
    ("CRLF", { $0.replacingOccurrences(of: "\n", with: "\r\n") }),
    (
      "extra members",
      { $0.replacingOccurrences(of: "{\"metric\"", with: "{\"v\":[1,{\"a\":null}],\"metric\"") }
    ),
    ("a member at the end", { $0.replacingOccurrences(of: "\"}\n", with: "\",\"host\":\"x\"}\n") }),
    ("unescaped slashes", { $0.replacingOccurrences(of: "\\/", with: "/") }),
    ("escaped letters", { $0.replacingOccurrences(of: "\"name\":\"n", with: "\"n\\u0061me\":\"\\u006e") }),
    ("a byte-order mark", { "\u{FEFF}" + $0 }),
    ("exponents", { $0.replacingOccurrences(of: ":1.5,", with: ":15E-1,") }),
    (
      "a value that a later one replaces",
      { $0.replacingOccurrences(of: "{\"metric\"", with: "{\"value\":\"MQ==\",\"metric\"") }
    ),
    (
      "another order",
      { text in
        text.split(separator: "\n").map { line in
          let parts = line.components(separatedBy: ",\"timestamp\":")
          let tail = parts[1].components(separatedBy: ",\"value\":")
          return "{\"value\":" + tail[1].dropLast() + ",\"timestamp\":" + tail[0] + "," + parts[0].dropFirst()
            + "}\n"
        }.joined()
      }
    ),
  ]

  @Test("gives the same samples for the same content from other encoders", arguments: encoders)
  func otherEncoders(encoder: (name: String, rewrite: @Sendable (String) -> String)) {
    let plain = Self.values.map { line($0.json) + line($0.json, name: "n2", bucket: nil) }.joined()
    let rewritten = encoder.rewrite(plain)
    #expect(rewritten != plain)
    func content(_ reading: Reading) -> [String] {
      reading.samples.map { $0.replacingOccurrences(of: "@[0-9]+ ", with: "", options: .regularExpression) }
    }
    #expect(content(Reading(rewritten)) == content(Reading(plain)))
    #expect(Reading(rewritten).rejections == [])
  }

  @Test("gives the same whatever the chunks are", arguments: [1, 2, 3, 7, 64, 100, 145, 1000, 4096])
  func chunks(size: Int) {
    let text =
      Self.values.map { line($0.json) }.joined() + "broken\n\n" + Self.values.map { line($0.json) }.joined()
    let long = String(repeating: text, count: 3)
    #expect(Reading(long, chunk: size) == Reading(long))
    #expect(Reading(long).samples.count == Self.values.count * 6)
  }

  @Test("names and buckets may hold any character")
  func hostileNames() {
    let text =
      line("1", name: "a\\\"\\u001b[31m\\/\\u0000é🚀", bucket: "x y")
      + line("2", name: "n,\\\"value\\\":\\\"", bucket: "b")
    let reading = Reading(text + text)
    #expect(reading.samples.count == 4)
    #expect(reading.samples[0].hasPrefix("x y/a\"\u{1b}[31m/\u{0}é🚀/T "))
    #expect(reading.samples[3].contains("b/n,\"value\":\"/T @"))
  }

  @Test(
    "invalid UTF-8 in a name is rejected as such, inside unknown members it is not looked at by the original either"
  )
  func invalidUTF8() {
    let good = line("1")
    let bad = Array(line("1", name: "a?").utf8).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
    let reading = Reading(Array(good.utf8) + bad + Array(good.utf8))
    #expect(reading.samples.count == 2)
    #expect(reading.rejections == ["2@\(good.utf8.count) invalidUTF8"])
  }

  @Test("a line past the limit is rejected once and without being kept; the next one is read")
  func longLine() {
    let long = [UInt8](repeating: UInt8(ascii: "["), count: RejectionReason.lineLimit + 5000)
    let reading = Reading(long + Array("\n".utf8) + Array(line("1").utf8), chunk: 1 << 18)
    #expect(reading.samples.count == 1)
    #expect(reading.rejections == ["1@0 lineTooLong"])
    #expect(reading.samples[0].contains("@\(long.count + 1) "))
  }

  @Test("deep nesting is refused without using up the stack")
  func deepNesting() {
    let deep = String(repeating: "[", count: 1_000_000)
    let reading = Reading(deep + "\n" + line(deep) + line("1"))
    #expect(reading.samples.count == 1)
    #expect(reading.rejections.count == 2)
  }

  @Test("a last line without newline waits, and counts when the input is finished")
  func halfLine() {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    let text = Array((line("1") + line("2").dropLast()).utf8)
    text.withUnsafeBytes { scanner.scan($0, into: &batch) }
    #expect(batch.samples.count == 1)
    #expect(scanner.waitingBytes == text.count - line("1").utf8.count)
    scanner.finish(into: &batch)
    #expect(batch.samples.map(\.value) == [1, 2])
    #expect(scanner.lines == 2)
  }

  @Test("a restart drops the half line and counts on from the new place")
  func restart() {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    Array((line("1") + "{\"half").utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
    #expect(scanner.restart(offset: 0, line: 1) == 6)
    Array((line("2") + "bad\n").utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
    #expect(batch.samples.map(\.offset) == [0, 0])
    #expect(scanner.rejections.recent.map(\.line) == [2])
  }
}
