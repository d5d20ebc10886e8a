import Testing

@testable import JSONLines

/// Lines in the shapes of public bug reports, with other contents: the repository and the number of each report.
@Suite("Public samples")
struct PublicSampleTests {
  static let samples: [(report: String, text: String, samples: [String], rejections: [String])] = [
    (
      "ssvlabs/ssv 464",
      #"{"level":"info","time":"2026-11-23T17:15:02.5Z","message":"timeout","node_id":2,"slot":7,"node_id":2,"round":1}"#,
      [
        #"zerolog (zerolog log) @0 817146902.5 {"level":"info","message":"timeout","slot":7,"node_id":2,"round":1}"#
      ], []
    ),
    (
      "uber-go/zap 622",
      #"{"level":"info","ts":1795454102.5,"caller":"a/b.go:1","msg":"m","test":"v","test":"w"}"#,
      [#"zap (zap log) @0 817146902.5 {"level":"info","caller":"a/b.go:1","msg":"m","test":"w"}"#], []
    ),
    (
      "rs/zerolog 172", #"{"level":"info","time":1795454101,"time":1795454102.5,"message":"dup"}"#,
      [#"zerolog (zerolog log) @0 817146902.5 {"level":"info","message":"dup"}"#], []
    ),
    (
      "elastic/beats 35160",
      #"{ "timestamp": "2026-11-23 17:15:02.5", "id": 0, "class": "audit", "event": "startup" },"#,
      [#"structlog (structlog log) @0 817146902.5 {"id": 0, "class": "audit", "event": "startup"}"#], []
    ),
    (
      "influxdata/telegraf 7831",
      "[{\"ts\":1795454102.5,\"msg\":\"a\"},\n{\"ts\":1795454102.5,\"msg\":\"b\"}\n]",
      [#"log (JSON log) @0 817146902.5 {"msg":"a"}"#, #"log (JSON log) @32 817146902.5 {"msg":"b"}"#], []
    ),
    (
      "SwiftyBeaver/SwiftyBeaver 463",
      #"[{"thread": "main", "level": 1, "timestamp": 1795454102.5, "message": "Hello", "line": 123},"#,
      [#"log (JSON log) @0 817146902.5 {"thread": "main","level":"1","message": "Hello", "line": 123}"#], []
    ),
    (
      "logfellow/logstash-logback-encoder 502",
      #"{"@timestamp":"2026-11-23T17:15:02.5Z","@version":"1","message":"m","level_value":20000},"#,
      [#"log (JSON log) @0 817146902.5 {"@version":"1","message":"m","level_value":"20000"}"#], []
    ),
    (
      "dotnet/dotnet-monitor 468",
      "\u{1E}{\"Timestamp\":1,\"timestamp\":1795454102.5,\"message\":\"m\",\"EventId\":4}",
      [#"log (JSON log) @0 817146902.5 {"Timestamp":1,"message":"m","EventId":4}"#], []
    ),
    (
      "PixelPaw-Labs/codex-trace 279", #"{"ts":1795454102.5,"msg":"teen \ud83d","ms":126443}"#,
      [#"log (JSON log) @0 817146902.5 {"msg":"teen \ufffd","ms":126443}"#], ["0 halfPair"]
    ),
    (
      "a diverged training run",
      #"{"timestamp": 1795454102.5, "event": "step", "loss": NaN, "lr": -Infinity, "step": 4}"#,
      [#"structlog (structlog log) @0 817146902.5 {"event": "step", "loss": null, "lr": null, "step": 4}"#],
      ["0 notANumber"]
    ),
    (
      "a gin server with slog",
      #"{"time":"2026-11-23T17:15:02.5Z","level":"INFO","msg":"request","status":200,"latency":"125µs"}"#,
      [#"slog (slog log) @0 817146902.5 {"level":"INFO","msg":"request","status":200,"latency":0.125}"#], []
    ),
    (
      "nginx behind varnish",
      #"{"time":"2026-11-23T17:15:02.5+00:00", "level":"", "status":"503", "body_bytes_sent":"552", "request_time":"0.000"}"#,
      [
        #"log (JSON log) @0 817146902.5 {"level":"", "status":"503","body_bytes_sent":552,"request_time":0.000}"#
      ], []
    ),
  ]

  @Test("They are read without a mapping", arguments: samples)
  func read(report: String, text: String, samples: [String], rejections: [String]) throws {
    let reading = try ForeignReading(text + "\n")
    #expect(reading.samples == samples, "\(report)")
    #expect(reading.rejections == rejections, "\(report)")
  }

  /// Bytes of wazuh/wazuh 38590 that are not valid UTF-8.
  @Test(
    "Bytes that are not valid UTF-8 are replaced",
    arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x80], [0xE9], [0xE4, 0xB8]] as [[UInt8]])
  func bytes(found: [UInt8]) throws {
    let line = Array(#"{"ts":1795454102.5,"msg":"a"#.utf8) + found + Array(#"b","n":1}"#.utf8) + [0x0A]
    var (scanner, batch) = (SampleScanner(), SampleBatch())
    line.withUnsafeBytes { scanner.scan($0, into: &batch) }
    let payload = try #require(
      batch.samples.first.map { String(decoding: batch.payload(of: $0), as: UTF8.self) })
    #expect(payload.hasPrefix("{\"msg\":\"a\u{FFFD}") && payload.hasSuffix("b\",\"n\":1}"))
    #expect(scanner.rejections.counts == [.invalidBytes: 1])
  }
}
