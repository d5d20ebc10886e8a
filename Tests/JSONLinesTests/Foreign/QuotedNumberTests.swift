import Testing

@testable import JSONLines

@Suite("Numbers in quotes")
struct QuotedNumberTests {
  static let numbers: [(text: String, number: String?)] = [
    ("0.019", "0.019"), ("200", "200"), ("-3", "-3"), ("1e3", "1e3"), ("12ms", "12.0"), ("1.5s", "1500.0"),
    ("3\u{B5}s", "0.003"), ("3\u{3BC}s", "0.003"), ("250us", "0.25"), ("1000000ns", "1.0"),
    ("1m30s", "90000.0"),
    ("2h45m0.5s", "9900500.0"), ("-1.5h", "-5400000.0"), ("12 ms", "12.0"), ("1m30", nil), ("30s1m", nil),
    ("ms", nil),
    ("", nil), ("1.", nil), ("01", nil), (".5", nil), ("12 apples", nil), ("1.2.3", nil), ("12msx", nil),
    ("1m-30s", nil), ("747.3micros", "0.7473"), ("500000nanos", "0.5"), ("12 millis", "12"), ("3sec", "3000"),
    ("3 secs", "3000"), ("1second", "1000"), ("2 seconds", "2000"), ("2min", "120000"), ("2 mins", "120000"),
    ("2minutes", "120000"), ("1.5hours", "5400000"), ("1d", "86400000"), ("2 days", "172800000"),
    ("1h 2m 3s", "3723000"), ("1 h 30 min", "5400000"), ("1h  2m", nil), ("1h ", nil), ("2m 1h", nil),
    ("5 min 3", nil),
    ("2026-11-26", nil), ("10.0.0.1", nil), ("-", nil), ("1s1s", nil), ("1e999s", nil),
  ]

  @Test("Numbers and durations are read, nothing else", arguments: numbers)
  func number(text: String, number: String?) {
    var json: [UInt8] = []
    let isNumber = Array(text.utf8).withUnsafeBytes { QuotedNumber.append($0, to: &json) }
    #expect(isNumber == (number != nil))
    #expect(Double(String(decoding: json, as: UTF8.self)) == number.flatMap(Double.init))
  }

  @Test("A mapping names the value, whatever its name")
  func mapped() throws {
    let lines = ["0.019", "12ms", "1m30s", "none"].map { "{\"at\":1795454102.5,\"x\":\"\($0)\"}\n" }.joined()
    let values = try ForeignReading(lines, map: "time=at,value=x").samples.map {
      $0.split(separator: " ").last
    }
    #expect(values == ["0.019", "12.0", "90000.0", "0.0"])
  }

  static let members: [(member: String, kept: String)] = [
    (#""request_time":"0.019""#, #""request_time":0.019"#),
    (#""body_bytes_sent": "190""#, #""body_bytes_sent": 190"#),
    (#""responseSize":"77""#, #""responseSize":77"#), (#""time_taken":"3""#, #""time_taken":3"#),
    (#""latency":"12.345ms""#, #""latency":12.345"#), (#""x":"125µs""#, #""x":0.125"#),
    (#""status":"200""#, #""status":"200""#), (#""version":"1.2""#, #""version":"1.2""#),
    (#""id":"12""#, #""id":"12""#),
    (#""zip":"8000""#, #""zip":"8000""#),
    (#""http":{"latency":"12ms","ip":"10.0.0.1"}"#, #""http":{"latency":12,"ip":"10.0.0.1"}"#),
    (
      #""o":{"responseSize": "190", "b":{"c":"0.5s","d":["1s"]}}"#,
      #""o":{"responseSize": 190,"b":{"c":500,"d":["1s"]}}"#
    ),
    (#""o":{"status":"200","at":"2026-11-26"}"#, #""o":{"status":"200","at":"2026-11-26"}"#),
    (#""o": {"status": "404", "msg": "5 min"}"#, #""o": {"status": "404","msg": "5 min"}"#),
    (#""o":{"etag":"12e999"}"#, #""o":{"etag":"12e999"}"#),
    (#""user_id":"12s""#, #""user_id":"12s""#), (#""version":"10m""#, #""version":"10m""#),
    (#""name2":"3h""#, #""name2":"3h""#), (#""requestID":"7d""#, #""requestID":"7d""#),
    (#""build":"12s""#, #""build":"12s""#), (#""idle":"12s""#, #""idle":12000"#),
    (#""start_time":"1796054520""#, #""start_time":"1796054520""#),
    (#""event_time":"1796054526.123""#, #""event_time":"1796054526.123""#),
    (#""startTime":"1796054526123""#, #""startTime":"1796054526123""#),
    (#""time_unix":"1796054520.1""#, #""time_unix":"1796054520.1""#),
    (#""time_zone":"2""#, #""time_zone":"2""#),
    (#""time_backend_response":"12""#, #""time_backend_response":12"#),
    (#""bytes_read":"5""#, #""bytes_read":5"#),
    (#""time-to-first-byte":"0.1""#, #""time-to-first-byte":0.1"#),
    (#""value":"3.5""#, #""value":3.5"#), (#""port":"80""#, #""port":"80""#),
    (#""cpu_time":"17""#, #""cpu_time":17"#),
    (#""responsetime":"0.019""#, #""responsetime":0.019"#), (#""upstreamtime":"3""#, #""upstreamtime":3"#),
    (#""x_requesttime":"3""#, #""x_requesttime":3"#), (#""mtime":"3""#, #""mtime":"3""#),
    (#""datetime2":"3""#, #""datetime2":"3""#), (#""latencyMS":"3""#, #""latencyMS":3"#),
    (#""upstream_response_time":"-""#, #""upstream_response_time":"-""#),
    (#""upstream_response_time":"0.1, 0.2""#, #""upstream_response_time":"0.1, 0.2""#),
  ]

  @Test("In logs durations count, and numbers whose names are those of amounts", arguments: members)
  func log(member: String, kept: String) throws {
    let line = #"{"level":"info","ts":1795454102.5,"msg":"m","a":"b",\#(member),"c":"d"}"#
    let expected = #"zap (zap log) @0 817146902.5 {"level":"info","msg":"m","a":"b",\#(kept),"c":"d"}"#
    #expect(try ForeignReading(line + "\n").samples == [expected])
    let texts = try ForeignReading(line + "\n", map: "as=text").samples
    #expect(texts == [#"zap (zap log) @0 817146902.5 {"level":"info","msg":"m","a":"b",\#(member),"c":"d"}"#])
    let mapped = try ForeignReading(#"{"at":1795454102.5,\#(member)}"# + "\n", map: "time=at").samples
    #expect(mapped == [#"mapped (mapped) @0 817146902.5 {\#(kept)}"#])
  }
}
