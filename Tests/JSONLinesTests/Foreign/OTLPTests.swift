import Testing

@testable import JSONLines

@Suite("OpenTelemetry lines")
struct OTLPTests {
  /// A line of the collector's file exporter with some metrics.
  private static func collector(_ metrics: String) -> String {
    #"{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"#
      + #""scopeMetrics":[{"scope":{"name":"s"},"metrics":["# + metrics + "]}]}]}"
  }

  private static func python(_ metrics: String) -> String {
    #"{"resource_metrics": [{"resource": {"attributes": {"service.name": "shop"}, "schema_url": ""}, "#
      + #""scope_metrics": [{"scope": {"name": "s"}, "metrics": ["# + metrics + #"], "schema_url": ""}]}]}"#
  }

  static let lines: [(line: String, samples: [String])] = [
    (
      collector(
        #"{"name":"load","gauge":{"dataPoints":[{"timeUnixNano":"1795454102500000000","asDouble":0.5}]}}"#),
      ["load (OTLP gauge) 817146902.5 0.5"]
    ),
    (
      collector(
        #"{"sum":{"dataPoints":[{"attributes":[{"key":"http.route","value":{"stringValue":"/a"}},"#
          + #"{"key":"code","value":{"intValue":"200"}},{"key":"ok","value":{"boolValue":true}},"#
          + #"{"key":"value","value":{"stringValue":"v"}}],"#
          + #""timeUnixNano":"1795454102500000000","asInt":"7"}],"isMonotonic":true},"name":"requests"}"#),
      [
        #"requests (OTLP sum) 817146902.5 {"value":7,"http.route":"/a","code":"200","ok":true,"attributes.value":"v"}"#
      ]
    ),
    (
      collector(
        #"{"name":"ms","histogram":{"dataPoints":[{"timeUnixNano":1795454102500000000,"count":"4","sum":10,"min":1,"#
          + #""max":4,"bucketCounts":["1","3"],"explicitBounds":[2]},{"timeUnixNano":"1795454103500000000","count":"0"}]}}"#
      ),
      [
        #"ms (OTLP histogram) 817146902.5 {"count":4,"sum":10,"min":1,"max":4,"mean":2.5}"#,
        #"ms (OTLP histogram) 817146903.5 {"count":0}"#,
      ]
    ),
    (
      python(
        #"{"name": "n", "data": {"data_points": [{"attributes": {"k": "v", "i": 3}, "time_unix_nano": 1795454102500000000, "#
          + #""value": 2}], "aggregation_temporality": 2, "is_monotonic": true}}, "#
          + #"{"name": "h", "data": {"data_points": [{"attributes": {}, "time_unix_nano": 1795454102500000000, "count": 2, "#
          + #""sum": 3.0, "bucket_counts": [0, 2], "explicit_bounds": [1.0], "min": 1.0, "max": 2.0}]}}"#),
      [
        #"n (OTLP sum) 817146902.5 {"value":2,"k":"v","i":"3"}"#,
        #"h (OTLP histogram) 817146902.5 {"count":2,"sum":3.0,"min":1.0,"max":2.0,"mean":1.5}"#,
      ]
    ),
    (
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795454102500000000","severityText":"INFO","#
        + #""body":{"stringValue":"hi"},"attributes":[{"key":"k","value":{"stringValue":"v"}},{"key":"n","value":{"intValue":"12"}},"#
        + #"{"key":"ms","value":{"doubleValue":0.5}},{"key":"code","value":{"stringValue":"7"}}]}]}]}]}"#,
      [#"log (OTLP log) 817146902.5 {"severity":"INFO","body":"hi","k":"v","n":12,"ms":0.5,"code":"7"}"#]
    ),
    (
      #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"GET /","startTimeUnixNano":"1795454102000000000","#
        + #""endTimeUnixNano":"1795454102500000000","attributes":[]}]}]}]}"#,
      [#"GET / (OTLP span) 817146902.5 {"duration_ms":500}"#]
    ),
    (#"{"resourceMetrics":[]}"#, []),
  ]

  @Test("gives a sample for each data point, record and span", arguments: lines)
  func line(line: String, samples: [String]) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples.map { $0.replacing(#/@\d+ /#, with: "") } == samples)
    #expect(reading.rejections == [])
  }

  @Test("keeps the digits of a whole number that no double holds")
  func wide() {
    let digits = "9007199254740993"
    let line = Self.collector(
      #"{"name":"n","sum":{"dataPoints":[{"timeUnixNano":"1795454102500000000","asInt":"\#(digits)"},"#
        + #"{"timeUnixNano":"1795454102500000000","asInt":"12"}]}}"#)
    var scanner = SampleScanner()
    var batch = SampleBatch()
    Array((line + "\n").utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
    #expect(batch.samples.map(\.kind) == [.wideInteger, .number])
    #expect(batch.samples.map { String(decoding: batch.payload(of: $0), as: UTF8.self) } == [digits, ""])
  }

  @Test("places each sample at its data point, so that no two have one place")
  func places() throws {
    func point(_ number: Int) -> String {
      "{\"timeUnixNano\":\"1795454102500000000\",\"asInt\":\"\(number)\"}"
    }
    let points = (0..<3).map(point).joined(separator: ",")
    let line = Self.collector(#"{"name":"n","gauge":{"dataPoints":["# + points + "]}}")
    let reading = try ForeignReading("\n" + line)
    let places = try reading.samples.map {
      try #require(Int($0.split(separator: "@")[1].prefix { $0 != " " }))
    }
    #expect(places.count == 3 && Set(places).count == 3)
    for (number, place) in places.enumerated() {
      #expect(("\n" + line).dropFirst(place).hasPrefix(point(number)))
    }
  }

  @Test(
    "is rejected whole where it is cut, or a time is missing",
    arguments: [
      #"{"resourceMetrics":[{"scopeMetrics":["#, #"{"resourceMetrics":[{"#,
      #"{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"n","gauge":{"dataPoints":[{"asInt":"1"}]}}]}]}]}"#,
    ])
  func rejected(line: String) throws {
    let reading = try ForeignReading(line)
    #expect(reading.samples == [] && reading.rejections.count == 1)
  }
}

@Suite("JSONTape")
struct JSONTapeTests {
  @Test(
    "takes JSON and nothing else",
    arguments: [
      ("{}", true), ("[]", true), ("[[],{}]", true), (#"{"a":[1,{"b":null}],"c":"d"}"#, true),
      (" [ 1 , 2 ] ", true),
      ("[1,]", false), ("{,}", false), (#"{"a":1,}"#, false), (#"{"a" 1}"#, false), ("[1 2]", false),
      ("[", false),
      ("]", false), ("", false), ("1 2", false), (#"{"a":1]"#, false), ("[1}", false), (#"{"a"}"#, false),
      ("[,1]", false), ("nul", false), ("true", true),
    ])
  func grammar(text: String, isJSON: Bool) {
    var tape = JSONTape()
    let isRead = Array(text.utf8).withUnsafeBytes { tape.read($0) }
    #expect(isRead == isJSON)
  }

  @Test("walks over members and elements, whatever lies in them")
  func walk() {
    var tape = JSONTape()
    let text = Array(#"{"a":{"x":[1,2]},"b":[[],{"y":1},3]}"#.utf8)
    text.withUnsafeBytes { line in
      let isRead = tape.read(line)
      #expect(isRead)
      var found: [String] = []
      func text(_ place: Int) -> String { String(decoding: tape.bytes(place, in: line), as: UTF8.self) }
      tape.forEachMember(of: 0) { key, value in
        found.append(text(key) + "=" + text(value))
        tape.forEachElement(of: value) { found.append(text($0)) }
      }
      #expect(found == [#"a={"x":[1,2]}"#, #"b=[[],{"y":1},3]"#, "[]", #"{"y":1}"#, "3"])
    }
  }
}
