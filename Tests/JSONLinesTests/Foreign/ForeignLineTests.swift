import Codecs
import Platform
import Testing

@testable import JSONLines

/// A scanner's result for foreign lines, in a form that is easy to compare.
struct ForeignReading: Equatable {
  var samples: [String] = []
  var rejections: [String] = []

  init(_ text: String, map: String? = nil, chunk: Int = .max) throws {
    var scanner = SampleScanner(mapping: try map.map { try LineMapping.parse($0) })
    var batch = SampleBatch()
    Array(text.utf8).withUnsafeBytes { bytes in
      var position = 0
      while position < bytes.count {
        let end = position + min(chunk, bytes.count - position)
        scanner.scan(UnsafeRawBufferPointer(rebasing: bytes[position..<end]), into: &batch)
        position = end
      }
    }
    scanner.finish(into: &batch)
    samples = batch.samples.map { sample in
      let metric = scanner.catalogue[sample.metric]
      let payload = String(decoding: batch.payload(of: sample), as: UTF8.self)
      let value = sample.kind == .object ? payload : "\(sample.value)"
      return "\(metric.name) (\(metric.typeName)) @\(sample.offset) \(sample.time.seconds) \(value)"
    }
    rejections = scanner.rejections.recent.map { "\($0.offset) \($0.reason)" }
  }
}

/// 2026-11-23T17:15:02.500Z in seconds since 2001.
private let moment = 817_146_902.5

@Suite("Foreign lines")
struct ForeignLineTests {
  static let logs: [(line: String, format: ForeignFormat, sample: String)] = [
    (
      #"{"level":30,"time":1795454102500,"pid":71,"hostname":"web-1","msg":"done","responseTime":12.5}"#,
      .pino,
      #"pino (pino log) @0 817146902.5 {"level":"info","pid":"71","hostname":"web-1","msg":"done","responseTime":12.5}"#
    ),
    (
      #"{"level":35,"time":"2026-11-23T17:15:02.500Z","name":"api","v":1,"msg":"x","n":1}"#, .pino,
      #"api (pino log) @0 817146902.5 {"level":"35","msg":"x","n":1}"#
    ),
    (
      #"{"time":"2026-11-23T17:15:02.500Z","resourceId":"/X","level":4,"durationMs":12}"#, .log,
      #"log (JSON log) @0 817146902.5 {"resourceId":"/X","level":"4","durationMs":12}"#
    ),
    (
      #"{"name":"shop","hostname":"h","pid":9,"level":50,"ms":3,"msg":"m","time":"2026-11-23T17:15:02.500Z","v":0}"#,
      .bunyan,
      #"shop (bunyan log) @0 817146902.5 {"hostname":"h","pid":"9","level":"error","ms":3,"msg":"m"}"#
    ),
    (
      #"{"level":"info","ts":1795454102.5,"logger":"db","caller":"a/b.go:12","msg":"query","rows":3}"#, .zap,
      #"db (zap log) @0 817146902.5 {"level":"info","caller":"a/b.go:12","msg":"query","rows":3}"#
    ),
    (
      #"{"level":"info","ts":"2026-11-23T18:15:02.500+0100","msg":"query","rows":3}"#, .zap,
      #"zap (zap log) @0 817146902.5 {"level":"info","msg":"query","rows":3}"#
    ),
    (
      #"{"level":"warning","msg":"slow","name":"Ann","size":10,"time":"2026-11-23T17:15:02.5Z"}"#, .logrus,
      #"logrus (logrus log) @0 817146902.5 {"level":"warning","msg":"slow","name":"Ann","size":10}"#
    ),
    (
      #"{"time":"2026-11-23T12:15:02.5-05:00","level":"INFO","msg":"hi","req":{"ms":4}}"#, .slog,
      #"slog (slog log) @0 817146902.5 {"level":"INFO","msg":"hi","req":{"ms":4}}"#
    ),
    (
      #"{"level":"info","time":1795454102.5,"message":"hi","n":1}"#, .zerolog,
      #"zerolog (zerolog log) @0 817146902.5 {"level":"info","message":"hi","n":1}"#
    ),
    (
      #"{"ms": 4.25, "event": "handled", "level": "info", "timestamp": "2026-11-23T17:15:02.500000Z"}"#,
      .structlog,
      #"structlog (structlog log) @0 817146902.5 {"ms": 4.25, "event": "handled", "level": "info"}"#
    ),
    (
      #"{"asctime": "2026-11-23 17:15:02,500", "name": "app.db", "levelname": "INFO", "message": "m", "lineno": 7, "n": 2}"#,
      .pythonJSON,
      #"app.db (python-json-logger log) @0 817146902.5 {"levelname": "INFO", "message": "m","lineno":"7","n": 2}"#
    ),
    (
      #"{"@timestamp":"2026-11-23T17:15:02.500Z","message":"m","took":5}"#, .log,
      #"log (JSON log) @0 817146902.5 {"message":"m","took":5}"#
    ),
  ]

  @Test("A byte order mark before the first line costs none")
  func byteOrderMark() throws {
    let otlp =
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795454102500000000","body":{"stringValue":"hi"}}]}]}]}"#
    let mapped = #"{"at":1795454102.5,"op":"read","ms":1}"#
    let lines = Self.logs.map { ($0.line, nil) } + [(otlp, nil), (mapped, "time=at,name=op,value=ms")]
    for (line, map) in lines {
      let plain = try ForeignReading(line + "\n" + line + "\n", map: map)
      let marked = try ForeignReading("\u{FEFF}" + line + "\n" + line + "\n", map: map)
      #expect(plain.samples.count == 2 && marked.samples.count == 2, "\(line)")
      #expect(marked.samples.first == plain.samples.first)
      #expect(marked.rejections.isEmpty)
    }
    let advice = LineAdvice(excerpt: Array("\u{FEFF}{\"at\":1795454102.5,\"op\":\"read\"}".utf8))
    #expect(advice.members == ["at", "op"] && advice.mapping != nil)
  }

  @Test("is recognized and becomes a struct of its members", arguments: logs)
  func log(line: String, format: ForeignFormat, sample: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [sample])
    #expect(reading.rejections == [])
    #expect(reading.samples[0].contains("(\(format.typeName))"))
  }

  @Test("gives the same however the file is cut", arguments: [1, 7, 64, 333])
  func cuts(chunk: Int) throws {
    let text = Self.logs.map { $0.line + "\n" }.joined() + "{\"a\":1}\n\n" + Self.logs[3].line
    #expect(try ForeignReading(text, chunk: chunk) == ForeignReading(text))
  }

  static let others = [
    #"{"a":1}"#, #"{"time":1,"value":2}"#, #"{"level":30,"msg":"no time"}"#, #"["time","level"]"#,
    "plain text",
    #"{"time":1795454102500,"level":30,,}"#, #"{"time":1795454102500,"level":30"#,
    #"{"level":30,"time":01,"msg":"x"}"#,
    #"{"metric":{"name":"n"},"time":1795454102500,"level":30,"msg":"x"}"#,
    #"{"m\u0065tric":{"name":"n"},"time":1795454102500,"level":30,"msg":"x"}"#,
    #"{"time":1,"level":30,"msg":"\q"}"#,
  ]

  @Test("is rejected where it is no log's", arguments: others)
  func other(line: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [] && reading.rejections.count == 1)
  }

  @Test("says that a log's time cannot be read")
  func unreadableTime() throws {
    #expect(
      try ForeignReading(#"{"time":"yesterday","level":30,"msg":"x"}"#).rejections == ["0 unreadableTime"])
  }

  @Test("is read where it is not UTF-8, except for the bytes that are not")
  func encoding() {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    let line = Array(#"{"time":1795454102500,"level":30,"msg":""#.utf8) + [0xFF] + Array("\"}\n".utf8)
    line.withUnsafeBytes { scanner.scan($0, into: &batch) }
    #expect(batch.samples.count == 1 && scanner.rejections.counts == [.invalidBytes: 1])
  }

  @Test("keeps escapes, wide text and inner objects as they are")
  func payload() throws {
    let line =
      #"{"level":30,"time":1795454102500,"msg":"a \"b\" \u00e9 日本","o":{"k":[1,{"x":null}]},"t":true,"e":1e3}"#
    #expect(
      try ForeignReading(line).samples == [
        "pino (pino log) @0 \(moment) "
          + #"{"level":"info","msg":"a \"b\" \u00e9 日本","o":{"k":[1,{"x":null}]},"t":true,"e":1e3}"#
      ])
  }

  static let mappings: [(map: String, line: String, sample: String?)] = [
    (
      "time=ts,name=op,value=ms", #"{"ts":1795454102.5,"op":"read","ms":12}"#,
      "read (mapped) @0 817146902.5 12.0"
    ),
    (
      "time=ts:us,name=op,value=ms", #"{"ts":"1795454102500000","op":"a\"b","ms":-1.5}"#,
      "a\"b (mapped) @0 817146902.5 -1.5"
    ),
    (
      "time=at,value=res.ms", #"{"at":"2026-11-23 17:15:02,500","res":{"a":1,"ms":7}}"#,
      "mapped (mapped) @0 817146902.5 7.0"
    ),
    (
      "time=at,value=res.ms", #"{"at":"2026-11-23 17:15:02,500","res.ms":8,"res":{"ms":7}}"#,
      "mapped (mapped) @0 817146902.5 8.0"
    ),
    (
      "time=ts:ns,name=n", #"{"ts":1795454102500000000,"n":"x","a":1,"b":"t"}"#,
      #"x (mapped) @0 817146902.5 {"a":1,"b":"t"}"#
    ),
    ("time=ts,name=op", #"{"ts":1795454102.5,"op":7}"#, nil),
    ("time=ts,value=ms", #"{"ts":1795454102.5,"op":7}"#, nil),
    ("time=ts:iso", #"{"ts":1795454102.5,"op":7}"#, nil),
    (
      "time=time", #"{"time":1795454102500,"level":30,"msg":"m"}"#,
      #"mapped (mapped) @0 817146902.5 {"level":30,"msg":"m"}"#
    ),
  ]

  @Test("does not keep the members of inner objects that a mapping names")
  func innerMembers() throws {
    let line = #"{"header":{"seq":1,"stamp":{"secs":1795454102},"frame_id":"base"},"x":[{"frame_id":1}]}"#
    #expect(
      try ForeignReading(line, map: "time=header.stamp.secs,name=header.frame_id").samples == [
        #"base (mapped) @0 817146902.0 {"header":{"seq":1,"stamp":{}},"x":[{"frame_id":1}]}"#
      ])
  }

  @Test("is read by the mapping that was given", arguments: mappings)
  func mapped(map: String, line: String, sample: String?) throws {
    let reading = try ForeignReading(line, map: map)
    #expect(reading.samples == [sample].compactMap { $0 })
    #expect(reading.rejections.count == (sample == nil ? 1 : 0))
  }

  @Test(
    "the fields of a struct have the same names and numbers as bytes and as strings",
    arguments: [
      "{}", #"{"a":1}"#, #"{"a":-1.5e3,"b":"t","c":[1,{"d":2}],"e":{"f":{"g":3},"h":null},"i":true}"#,
      #" { "a\"b" : { "c\u00e9" : 4 } , "d" : 1e999 } "#, #"{"a":{},"b":[]}"#, #"{"a":1,}"#, #"{"a":{"b":1}"#,
      #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":1}}}}}}}}}"#,
    ])
  func fields(json: String) {
    var (strings, bytes): ([String], [String]) = ([], [])
    StructFields.forEach(in: Array(json.utf8)[...]) { name, value in
      if case .number(let number) = value {
        strings.append("\(name) \(number)")
      } else {
        strings.append(name)
      }
    }
    StructFields.forEachBytes(in: Array(json.utf8)[...]) { name, digits in
      let name = String(decoding: name, as: UTF8.self)
      guard let digits else { return bytes.append(name) }
      if let number = StructFields.number(digits) { bytes.append("\(name) \(number)") }
    }
    #expect(bytes == strings)
  }
}
