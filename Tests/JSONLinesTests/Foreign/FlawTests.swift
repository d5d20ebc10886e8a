import Testing

@testable import JSONLines

/// Values that are not valid JSON, in lines whose other values are.
@Suite("Flawed values")
struct FlawTests {
  private static func line(_ member: [UInt8]) -> [UInt8] {
    Array(#"{"level":30,"time":1795454102500,"#.utf8) + member + Array(#","ms":3}"#.utf8)
  }

  static let flaws: [(member: [UInt8], read: String, reasons: [RejectionReason])] = [
    (Array(#""msg":"m","load":NaN"#.utf8), #""msg":"m","load":null"#, [.notANumber]),
    (Array(#""msg":"NaN","load":-Infinity"#.utf8), #""msg":"NaN","load":null"#, [.notANumber]),
    (
      Array(#""msg":"m","load": [nan, +Inf,1e5,-0.5]"#.utf8), #""msg":"m","load": [null, null,1e5,-0.5]"#,
      [.notANumber]
    ),
    (
      Array(#""msg":"m","exp":1E400,"o":{"x":-2e0999,"y":1e-400,"z":1e99}"#.utf8),
      #""msg":"m","exp":null,"o":{"x":null,"y":1e-400,"z":1e99}"#, [.numberOutOfRange]
    ),
    (
      Array(#""msg":",}","o":{"a":[1 ,2, ],}"#.utf8), #""msg":",}","o":{"a":[1 ,2 ]}"#, [.trailingComma]
    ),
    (Array(#""msg":"caf"#.utf8) + [0xE9, 0x22], "\"msg\":\"caf\u{FFFD}\"", [.invalidBytes]),
    (Array("\"msg\":\"\u{20AC}".utf8) + [0xE2, 0x82, 0x22], "\"msg\":\"\u{20AC}\u{FFFD}\"", [.invalidBytes]),
    (Array(#""msg":"\ud83d","b":NaN"#.utf8), #""msg":"\ufffd","b":null"#, [.notANumber, .halfPair]),
    (
      Array(#""msg":"\ud83d\ude00 \ude00\ud83d\u0041""#.utf8), #""msg":"\ud83d\ude00 \ufffd\ufffd\u0041""#,
      [.halfPair]
    ),
    (Array("\"msg\":\"a\tb\u{1}\"".utf8), #""msg":"a\tb\u0001""#, [.controlCharacter]),
  ]

  @Test("They cost only themselves, and are counted", arguments: flaws)
  func flaw(member: [UInt8], read: String, reasons: [RejectionReason]) throws {
    let bytes = Self.line(member) + [0x0A] + Self.line(Array(#""msg":"m""#.utf8)) + [0x0A]
    var (scanner, batch) = (SampleScanner(), SampleBatch())
    bytes.withUnsafeBytes { scanner.scan($0, into: &batch) }
    scanner.finish(into: &batch)
    let payloads = batch.samples.map { String(decoding: batch.payload(of: $0), as: UTF8.self) }
    #expect(payloads == [#"{"level":"info",\#(read),"ms":3}"#, #"{"level":"info","msg":"m","ms":3}"#])
    #expect(scanner.rejections.counts == Dictionary(uniqueKeysWithValues: reasons.map { ($0, 1) }))
    #expect(scanner.rejections.recent.allSatisfy { $0.reason.isFlaw && $0.offset == 0 && $0.line == 1 })
    #expect(!scanner.isUnreadable)
  }

  @Test("Other faults still reject the line, with the reason of the whole line")
  func faults() throws {
    let lines: [(String, String)] = [
      (#"{"level":30,"time":1795454102500,"msg":"m","n":NaNo}"#, "notJSON"),
      (#"{"level":30,"time":1795454102500,"msg":"m",,}"#, "notJSON"),
      (#"{"level":30,"time":1795454102500,"msg":"m","n":-,}"#, "notJSON"), (#"{"a":1}"#, "noMetric"),
      (#"{"level":30,"time":NaN,"msg":"m"}"#, "notJSON"),
      (#"{"metric":{"name":"m","valueTypeString":"Int"},"timestamp":NaN,"value":"MA=="}"#, "notJSON"),
    ]
    for (line, reason) in lines {
      let reading = try ForeignReading(line + "\n")
      #expect(reading.samples == [] && reading.rejections == ["0 \(reason)"], "\(line)")
    }
  }

  @Test("Samples inside a repaired line stay inside it and apart")
  func offsets() throws {
    let points = (0..<3).map { _ in #"{"timeUnixNano":"1795454102500000000","asInt":"1"}"# }
    let text =
      #"{"resourceMetrics":[{"x":"\#(String(repeating: "\u{2}", count: 50))","y":NaN,"scopeMetrics":[{"metrics":[{"name":"a","gauge":{"dataPoints":[\#(points.joined(separator: ","))]}}]}]}]}"#
    var (scanner, batch) = (SampleScanner(), SampleBatch())
    Array((text + "\n").utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
    let offsets = batch.samples.map(\.offset)
    #expect(offsets.count == 3 && Set(offsets).count == 3 && offsets.allSatisfy { $0 < text.utf8.count })
  }
}
