import Testing

@testable import JSONLines

@Suite("Members that are named like times")
struct SmallTimeTests {
  static let lines: [(line: String, sample: String)] = [
    (
      #"{"level":"info","msg":"GET /","time":0.61,"timestamp":"2026-11-23T17:15:02.5Z"}"#,
      #"log (JSON log) @0 817146902.5 {"level":"info","msg":"GET /","time":0.61}"#
    ),
    (#"{"time":12,"ts":1795454102.5}"#, #"log (JSON log) @0 817146902.5 {"time":12}"#),
    (
      #"{"ts":1795454102.5,"level":"info","msg":"a","time":"0.61"}"#,
      #"zap (zap log) @0 817146902.5 {"level":"info","msg":"a","time":0.61}"#
    ),
    (
      #"{"level":"info","msg":"a","time":"12ms","@timestamp":"2026-11-23T17:15:02.5Z"}"#,
      #"log (JSON log) @0 817146902.5 {"level":"info","msg":"a","time":12}"#
    ),
    (
      #"{"level":30,"time":12345678,"msg":"a","ts":1795454102.5}"#,
      #"pino (pino log) @0 817146902.5 {"level":"info","time":12345678,"msg":"a"}"#
    ),
    (
      #"{"level":"info","msg":"a","time":"some day soon","date":1795454102.5}"#,
      #"logrus (logrus log) @0 817146902.5 {"level":"info","msg":"a","time":"some day soon"}"#
    ),
    // As CloudFront writes it.
    (
      #"{"date":"2026-11-23","time":"17:15:02","sc-bytes":"1068","sc-status":"304","time-taken":"0.001"}"#,
      #"log (JSON log) @0 817146902.0 {"time":"17:15:02","sc-bytes":1068,"sc-status":"304","time-taken":0.001}"#
    ),
    // As nginx writes it.
    (
      #"{"time_local":"23/Nov/2026:17:15:02 +0000","status":"200","request_time":"0.019"}"#,
      #"log (JSON log) @0 817146902.0 {"status":"200","request_time":0.019}"#
    ),
  ]

  @Test("Durations are numbers, and another member is the time", arguments: lines)
  func other(line: String, sample: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [sample] && reading.rejections == [])
  }

  @Test(
    "A line whose only time is a duration has none",
    arguments: [
      #"{"level":"info","msg":"a","time":0.61}"#, #"{"level":30,"msg":"a","time":0}"#,
      #"{"time":"0.61","level":"info"}"#, #"{"level":"info","msg":"a","time":999999}"#,
      #"{"level":"info","msg":"a","time":"12ms"}"#, #"{"level":"info","msg":"a","time":1e3}"#,
    ])
  func none(line: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [] && reading.rejections.count == 1)
    let outer = try ForeignReading("web-1 | 2026-11-23T17:15:02.5Z " + line + "\n")
    #expect(outer.samples.count == 1 && outer.samples[0].contains(" 817146902.5 "))
  }

  @Test(
    "Dates whose order of day and month is unknown are rejected for that reason",
    arguments: ["11/26/2026", "26.11.2026 07:51:35", "1/2/26", #"11\/26\/2026"#, "26-11-2026"])
  func ambiguous(date: String) throws {
    for members in [
      #""level":"info","msg":"a","time""#, #""n":1,"date""#, #""level":"info","msg":"a","date""#,
    ] {
      #expect(try ForeignReading("{\(members):\"\(date)\"}").rejections == ["0 ambiguousDate"])
    }
    #expect(try ForeignReading("{\"at\":\"\(date)\"}", map: "time=at").rejections == ["0 ambiguousDate"])
  }
}
