import Codecs
import Foundation
import MisterMetricsCore
import Telemetry
import TelemetryCore
import Testing

@Suite("What is wrapped around payloads")
struct PayloadReaderTests {
  private func read(_ text: String) -> PayloadReading {
    var reader = PayloadReader()
    return reader.read(Data(text.utf8))
  }

  private func versions(_ reading: PayloadReading) -> [String] {
    reading.payloads.map { payload in
      switch payload {
      case .metric(let payload): payload.latestApplicationVersion ?? "?"
      case .diagnostic(let payload): "diagnostic of \(payload.timeStampBegin?.calendarDay ?? "?")"
      }
    }
  }

  @Test(
    "arrays, lines, envelopes and texts are opened",
    arguments: [
      (#"[{"appVersion":"1"},{"appVersion":"2"}]"#, ["1", "2"]),
      (
        "{\"appVersion\":\"1\"}\n{\"appVersion\":\"2\"}\n\n{\"crashDiagnostics\":[],\"timeStampBegin\":\"2025-01-02\"}",
        ["1", "2", "diagnostic of 2025-01-02"]
      ),
      (#"{"_index":"a","_source":{"appVersion":"1"}}"#, ["1"]),
      (
        #"{"took":3,"hits":{"total":2,"hits":[{"_source":{"appVersion":"1"}},{"_source":{"appVersion":"2"}}]}}"#,
        ["1", "2"]
      ),
      (#"{"payload":{"appVersion":"1"}}"#, ["1"]),
      (#"{"appVersion":"uploader's","payload":{"appVersion":"1"}}"#, ["1"]),
      (#"{"payloads":[{"payload":{"appVersion":"1"}},{"appVersion":"2"}]}"#, ["1", "2"]),
      (#"{"payload":"{\"appVersion\":\"1\"}"}"#, ["1"]),
      (#"{"payload":"an id","appVersion":"1","cpuMetrics":{}}"#, ["1"]),
      (#"["{\"appVersion\":\"1\"}"]"#, ["1"]),
      (
        #"{"metricPayloads":[{"appVersion":"1","cpuMetrics":{}}],"diagnosticPayloads":[{"crashDiagnostics":[],"timeStampBegin":"2025-01-02"}]}"#,
        ["diagnostic of 2025-01-02", "1"]
      ),
      (#"{"data":{"attributes":{"payload":{"appVersion":"1","cpuMetrics":{}}}}}"#, ["1"]),
      (#"{"raw":{"payload":"{\"appVersion\":\"1\",\"cpuMetrics\":{}}"}}"#, ["1"]),
      (#"{"event":{"contexts":{"MetricKit":{"appVersion":"1","cpuMetrics":{}}}}}"#, ["1"]),
      (#"{"logEvents":[{"message":"{\"appVersion\":\"1\",\"cpuMetrics\":{}}"},{"message":"no"}]}"#, ["1"]),
      (#"{"body":"eyJhcHBWZXJzaW9uIjoiMSIsImNwdU1ldHJpY3MiOnt9fQ=="}"#, ["1"]),
      (#"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"appVersion":"1","cpuMetrics":{}}}}}}}}}}}"#, ["1"]),
      (
        #"{"hangDiagnostics":[{"timeStampBegin":"2025-01-03T09:00:00Z","callStackTree":{"callStacks":[{"frames":[{}]}]}}]}"#,
        ["diagnostic of 2025-01-03"]
      ),
      ("\u{FEFF}{\"appVersion\":\"1\"}{\"appVersion\":\"2\"}", ["1", "2"]),
      // Base64 alone, with line breaks and without padding.
      ("eyJhcHBWZXJzaW9uIjoiMSIsImNw\ndU1ldHJpY3MiOnt9fQ\n", ["1"]),
      // Sections as texts.
      (#"{"appVersion":"1","cpuMetrics":"{\"cumulativeCPUTime\":\"5 sec\"}","signpostMetrics":"[]"}"#, ["1"]),
      (
        #"{"crashDiagnostics":"[{\"signal\":6}]","timeStampBegin":"2025-01-02"}"#,
        ["diagnostic of 2025-01-02"]
      ),
    ])
  func envelopes(_ text: String, _ expected: [String]) {
    #expect(PayloadReader.recognises(Array(text.utf8)) || text.contains("frames"))
    let reading = read(text)
    #expect(versions(reading) == expected)
    #expect(reading.errors.isEmpty)
  }

  @Test(
    "texts without a payload in them are not taken for payloads",
    arguments: [
      "", "{}", "[\"eyJhIjoiMSIsImIiOiIyIn0=\"]", #"{"message":"{\"level\":\"appVersion\"}"}"#,
      "Wednesday is over",
      #"{"a":"appVersion"}"#, #"{"message":"{\"appVer"#,
    ])
  func others(_ text: String) {
    #expect(!PayloadReader.recognises(Array(text.utf8)))
  }

  @Test("the head of a long text is enough to recognize the payload in it")
  func heads() {
    let payload =
      #"{"appVersion":"1","cpuMetrics":{"cumulativeCPUTime":"5 sec"},"x":"\#(String(repeating: "y", count: 999))"}"#
    let escaped = payload.replacing("\"", with: "\\\"")
    let packed = Data(payload.utf8).base64EncodedString()
    for text in [payload, "[\"\(escaped)\"]", "{\"logEvents\":[{\"message\":\"\(escaped)\"}]}", packed] {
      #expect(PayloadReader.recognises(Array(text.utf8.prefix(300))))
    }
  }

  @Test("a section in a text has the figures of one that is an object, and counts as the same payload")
  func sectionTexts() throws {
    let section = #"{"cumulativeCPUTime":"5 sec"}"#
    let text = "\"\(section.replacing("\"", with: "\\\""))\""
    let items = [section, text].flatMap { read(#"{"appVersion":"1","cpuMetrics":\#($0)}"#).items }
    #expect(items.count == 2 && items[0].payload == items[1].payload)
    #expect(items[0].contentHash == items[1].contentHash && items[1].payload.figures.count == 1)
  }

  @Test("a count below zero is left out with its place")
  func negativeCounts() throws {
    let reading = read(
      #"{"appVersion":"1","applicationExitMetrics":{"foregroundExitData":{"cumulativeAbnormalExitCount":-3}},"#
        + #""signpostMetrics":[{"signpostName":"a","totalSignpostCount":-1}],"metaData":{"pid":-1}}"#)
    #expect(
      reading.leftOut.map { "\($0.place): \($0.text)" } == [
        "applicationExitMetrics.foregroundExitData.cumulativeAbnormalExitCount: -3 where a count was expected",
        "signpostMetrics.0.totalSignpostCount: -1 where a count was expected",
      ])
    let figures = try #require(reading.payloads.first).figures
    #expect(figures.allSatisfy { $0.value == .number(0) })
  }

  @Test("a simulated report of iOS 27 is marked, wherever its frames are")
  func simulatedReport() throws {
    let frame = #"{"address":4294971392,"binaryUUID":"U","offsetIntoBinaryTextSegment":4096,"subFrames":[]}"#
    let reading = read(
      #"{"cpuExceptionDiagnostic":{"callStackTree":{"binaryInfo":[{"name":"testBinaryName","uuid":"U"}],"#
        + #""callStackThreads":[{"rootFrames":[\#(frame)]}]}}}"#)
    #expect(reading.payloads.map(\.isSimulated) == [true])
  }

  @Test("whole numbers of any length are kept to their last digit")
  func wideNumbers() throws {
    let text = #"{"appVersion":"1","cpuMetrics":{},"odd":-123456789012345678901234567890}"#
    let item = try #require(read(text).items.first)
    #expect(item.origin.json.compactText == text)
    #expect(
      String(decoding: item.payload.jsonRepresentation(), as: UTF8.self).contains(
        "-123456789012345678901234567890"))
  }

  @Test("an exception code takes all 64 bits")
  func wideCode() throws {
    let payload = try #require(
      read(#"{"crashDiagnostics":[{"diagnosticMetaData":{"exceptionCode":18446744073709551615}}]}"#).payloads
        .first)
    guard case .diagnostic(let diagnostics) = payload else { throw CancellationError() }
    #expect(diagnostics.crashDiagnostics?.first?.exceptionCode == -1)
    #expect(
      String(decoding: diagnostics.jsonRepresentation(), as: UTF8.self).contains("18446744073709551615"))
  }

  @Test("what stands twice counts once, however it is written")
  func duplicates() {
    let reading = read(
      """
      {"appVersion":"1","memoryMetrics":{"peakMemoryUsage":"1,000 kB"}}
      {"payload":{"memoryMetrics":{"peakMemoryUsage":"1000 kB"},"latestApplicationVersion":"1"}}
      {"appVersion":"1","memoryMetrics":{"peakMemoryUsage":"1,001 kB"}}
      """)
    #expect(reading.payloads.count == 2)
    #expect(reading.duplicates.map(\.description) == ["line 2: payload"])
    #expect(reading.items.map(\.place.line) == [1, 3])
  }

  @Test("what an uploader adds does not make another payload, a user does")
  func identity() {
    let day = #""appVersion":"1","cpuMetrics":{"cumulativeCPUTime":"5 sec"}"#
    let reading = read(
      """
      {"uploadTimeUTC":"2025-01-02T08:00:00Z",\(day)}
      {"uploadTimeUTC":"2025-01-02T09:00:00Z",\(day)}
      {"userId":"anna",\(day)}
      {"envelope":{"user":{"user_id":7}},"payload":{\(day)}}
      {"payload":{\(day)},"sent":{"distinct_id":"anna"}}
      """)
    #expect(reading.items.map(\.origin.user) == [nil, "anna", "7"])
    #expect(reading.duplicates.map(\.description) == ["line 2", "line 5: payload"])
    #expect(reading.items[0].origin.envelope.keys.sorted() == ["uploadTimeUTC"])
  }

  @Test("each broken text of a list is told once, and only keys that are not known")
  func refusals() {
    let torn = read(#"["{\"a\":", "{\"b\":", "{\"c\":"]"#)
    #expect(torn.errors.map(\.place.path) == [["0"], ["1"], ["2"]])
    let future = read(#"{"timeStampBegin":"2026-07-02 00:00:00 +0000","futureThermalDiagnostics":[]}"#)
    #expect(future.errors.map(\.text) == ["futureThermalDiagnostics: no key of a payload"])
  }

  @Test("one reader knows the payloads of all files")
  func files() {
    var reader = PayloadReader()
    let first = reader.read(Data(PayloadSamples.modern.utf8))
    let second = reader.read(Data("[\(PayloadSamples.modern)]".utf8))
    #expect(first.payloads.count == 1 && second.payloads.isEmpty)
    #expect(second.duplicates.map(\.path) == [["0"]])
  }

  @Test("the hash of a payload tells contents apart, not ways to write them")
  func hashOfContent() throws {
    let texts = [
      #"{"appVersion":"1","cpuMetrics":{"cumulativeCPUTime":"2,000 sec","cumulativeCPUInstructions":"5 kiloinstructions"}}"#,
      #"{"cpuMetrics":{"cumulativeCPUInstructions":"5 kiloinstructions", "cumulativeCPUTime":"2000秒"}, "appVersion":"1"}"#,
    ]
    #expect(Set(try texts.map { try #require(read($0).payloads.first).contentHash }).count == 1)
    let others = [
      #"{"appVersion":"1","cpuMetrics":{"cumulativeCPUTime":"5 sec","cumulativeCPUInstructions":"2000 kiloinstructions"}}"#,
      #"{"appVersion":"1","cpuMetrics":{"cumulativeCPUTime":"2000 sec"}}"#,
      #"{"appVersion":"1","gpuMetrics":{"cumulativeGPUTime":"2000 sec"}}"#,
      #"{"appVersion":"1","gpuMetrics":{}}"#, #"{"appVersion":"1"}"#,
      #"{"appVersion":"1","gpuMetrics":{"x":1}}"#,
      #"{"appVersion":"1","signpostMetrics":[]}"#, #"{"appVersion":"1","signpostMetrics":[{}]}"#,
    ]
    let all = try (texts + others).map { try #require(read($0).payloads.first).contentHash }
    #expect(Set(all).count == 1 + others.count)
  }

  @Test("the hash of a payload is the same on every machine")
  func hash() throws {
    let payload = try #require(
      read(#"{"appVersion":"1","metaData":{"pid":-1,"lowPowerModeEnabled":true}}"#).payloads.first)
    #expect(payload.contentHash.description == "1c3a0fe2d03ea8f807d97de24a251110")
  }

  @Test(
    "what is no payload is told with its place",
    arguments: [
      ("", "line 1: nothing to read"), (" \n ", "line 1: nothing to read"),
      ("5", "line 1: a number, not a payload"),
      ("{\"name\":1}", "line 1: name: no key of a payload"),
      ("{}", "line 1: an object without keys, not a payload"),
      ("{\"payloads\":[{\"a\":1}]}", "payloads.0: a: no key of a payload"),
      ("{\"appVersion\":null}", "line 1: appVersion: no figure and no diagnostic"),
      (
        "{\"appVersion\":\"1\",\"appExitMetrics\":{},\"batteryMetrics\":{}}",
        "line 1: appExitMetrics, batteryMetrics: no key of a payload"
      ),
      ("{\"payload\":\"{x\"}", "payload: in this text, at byte 1: a key was expected"),
      (
        "{\n  \"appVersion\" : \"1\",\n  \"metaData\" : { oops }\n}",
        "line 3, column 18 (byte 41): a key was expected"
      ),
      ("{\"appVersion\":\"1\"", "line 1, column 18 (byte 17): the JSON ends too early"),
      ("\u{1F}\u{8B}", "line 1, column 1 (byte 0): a value was expected"),
    ])
  func errors(_ text: String, _ words: String) {
    let reading = read(text)
    #expect(reading.errors.map { "\($0.place): \($0.text)" } == [words])
    #expect(reading.payloads.isEmpty)
  }

  @Test("a broken line costs no other")
  func brokenLines() {
    let reading = read(
      """
      {"appVersion":"1"}
      {"appVersion":
      {"appVersion":"2"}
      {"appVersion":"3"} x
      {"appVersion":"4","metaData":{"pid":tru}}
      {"appVersion":"5"}
      """)
    #expect(versions(reading) == ["1", "2", "3", "5"])
    #expect(
      reading.errors.map(\.place.description) == [
        "line 4, column 1 (byte 53)", "line 4, column 20 (byte 72)", "line 5, column 37 (byte 110)",
      ])
  }

  @Test("the payloads of an array that was cut off are read")
  func cutArray() {
    let reading = read("[\n{\"appVersion\":\"1\"},\n{\"appVersion\":\"2\"},\n{\"appVer")
    #expect(versions(reading) == ["1", "2"])
    #expect(reading.errors.map(\.place.line) == [4, 4])
  }

  @Test("of many broken lines the first thousand are told")
  func manyBrokenLines() {
    let reading = read(String(repeating: "{\"appVersion\":}\n", count: 20_000))
    #expect(reading.errors.count == PayloadReading.limit && reading.omitted == 19_000)
    #expect(reading.errors.last?.place.line == 1_000)
  }

  @Test("a payload of many megabytes is kept in pieces that fit into lines")
  func large() throws {
    let long = String(repeating: "\"é\\", count: 2_000_000)
    let text = JSONValue.object(["appVersion": .string("1"), "cpuMetrics": .object(["x": .string(long)])])
    var reader = PayloadReader()
    let item = try #require(reader.read(Data(text.compactText.utf8)).items.first)
    let entries = item.payload.entries(
      at: .distantPast, source: RecordedSource(name: "a.json", contentHash: item.contentHash),
      isLocalized: false, origin: item.origin
    ).filter { $0.metric.name == "payload.json" }
    #expect(entries.count > 1 && entries.allSatisfy { $0.value.count < 12_000_000 })
    let pieces = try entries.map { try JSONValue(Array($0.value)).fields?["text"]?.text ?? "" }
    #expect(try JSONValue(Array(pieces.joined().utf8)).fields?["payload"] == text)
  }

}
