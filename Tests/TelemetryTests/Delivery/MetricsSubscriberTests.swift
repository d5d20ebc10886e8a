import Foundation
import MisterMetricsCore
import Platform
import Telemetry
import Testing

@Suite("The subscriber that logs")
struct MetricsSubscriberTests {
  private static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  /// The log of the payloads in some JSON.
  private func log(of texts: String...) -> [PayloadSummary] {
    let log = Locked<[PayloadSummary]>([])
    let subscriber = MetricsSubscriber(timeZone: Self.zone) { summary in log.withLock { $0.append(summary) } }
    var reader = PayloadReader()
    for payload in reader.read(Data(texts.joined(separator: "\n").utf8)).payloads {
      switch payload {
      case .metric(let payload): subscriber.didReceive([payload])
      case .diagnostic(let payload): subscriber.didReceive([payload])
      }
    }
    return log.withLock { $0 }
  }

  @Test("a line has hours, version, signposts, launches, hangs and crashes")
  func line() throws {
    let summary = try #require(log(of: PayloadSamples.simulated).first)
    #expect(
      summary.description == """
        {"applicationVersion":"2.4","hasHangData":true,"hasLaunchData":true,"hours":23.98,"isSimulated":true,\
        "kind":"metric","signposts":[{"category":"TestSignpostCategory1","count":30,"name":"TestSignpostName1"},\
        {"category":"TestSignpostCategory2","count":40,"name":"TestSignpostName2"}]}
        """)
  }

  @Test("a payload that says nothing has an unknown version")
  func unknown() throws {
    let summary = try #require(log(of: #"{"applicationLaunchMetrics":{"histogrammedResumeTime":{}}}"#).first)
    #expect(summary.applicationVersion == "unknown" && summary.hours == nil && summary.crashCount == nil)
    #expect(!summary.hasLaunchData && !summary.hasHangData && summary.signposts.isEmpty)
    let empty = try #require(log(of: #"{"appVersion":"","signpostMetrics":[{}]}"#).first)
    #expect(empty.applicationVersion == "unknown" && empty.signposts.map(\.name) == ["unknown"])
    #expect(empty.signposts.map(\.category) == ["unknown"] && empty.signposts.map(\.count) == [0])
  }

  @Test("payloads that mix versions are left out")
  func mixed() {
    let log = log(
      of: #"{"appVersion":"1","multipleAppVersions":"1","signpostMetrics":[]}"#,
      #"{"appVersion":"2","signpostMetrics":[]}"#)
    #expect(log.map(\.applicationVersion) == ["2"])
  }

  @Test("local days have the hours that the clocks of the zone had")
  func days() {
    let hours = [("2026-03-29", "2026-03-30"), ("2026-10-25", "2026-10-26"), ("2026-06-01", "2026-06-01")]
      .flatMap { begin, end in
        log(
          of:
            #"{"timeStampBegin":"\#(begin) 00:00:00","timeStampEnd":"\#(end) 00:00:00","signpostMetrics":[]}"#
        ).map(\.hours)
      }
    #expect(hours == [23, 25, 0])
  }

  @Test("exits for bad access, abort and illegal instruction are crashes")
  func exits() {
    let counters =
      #"{"cumulativeBadAccessExitCount":2,"cumulativeAbnormalExitCount":3,"cumulativeAppWatchdogExitCount":50}"#
    let huge = #"{"cumulativeIllegalInstructionExitCount":9223372036854775807}"#
    let log = log(
      of: #"{"applicationExitMetrics":{"foregroundExitData":\#(counters)}}"#,
      #"{"applicationExitMetrics":{"foregroundExitData":\#(counters),"backgroundExitData":\#(huge)}}"#,
      #"{"applicationExitMetrics":{}}"#)
    #expect(log.map(\.crashCount) == [5, .max, 0])
  }

  @Test("diagnostics say how many crashes, and the versions they name")
  func diagnostics() throws {
    let summary = try #require(log(of: PayloadSamples.diagnostics).first)
    #expect(summary.kind == .diagnostic && summary.crashCount == 1 && summary.hasHangData)
    #expect(summary.applicationVersion == "9.0.1" && summary.hasLaunchData && summary.signposts.isEmpty)
    let two = try #require(
      log(
        of: """
          {"crashDiagnostics":[{"diagnosticMetaData":{"appVersion":"2"}},{"diagnosticMetaData":{"appVersion":"1"}}],
          "hangDiagnostics":[{"diagnosticMetaData":{}},{"diagnosticMetaData":{"appVersion":"2"}}]}
          """
      ).first)
    #expect(two.applicationVersion == "1, 2" && two.crashCount == 2)
  }

  @Test("no text of a payload breaks a line or reaches the terminal as a command")
  func hostile() throws {
    let name = #"a\u0007\u001b[2J\nb\u007f\u009b\u202e\u2028c\u0000\ue000"#
    let long = String(repeating: "x", count: 5000)
    let payload =
      #"{"appVersion":"\#(name)","signpostMetrics":[{"signpostName":"\#(name)","signpostCategory":"\#(long)"}]}"#
    let summary = try #require(log(of: payload).first)
    let safe = "a\u{FFFD}\u{FFFD}[2J\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}"
    #expect(summary.applicationVersion == safe && summary.signposts.first?.name == safe)
    #expect(summary.signposts.first?.category == String(repeating: "x", count: 200) + "…")
    #expect(summary.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test("a long summary becomes several lines, each a summary with some of the signposts")
  func lines() throws {
    let metrics = (0..<40).map {
      #"{"signpostName":"Name\#($0)","signpostCategory":"C","totalSignpostCount":\#($0)}"#
    }
    let summary = try #require(
      log(of: #"{"appVersion":"7","signpostMetrics":[\#(metrics.joined(separator: ","))]}"#).first)
    let lines = summary.lines(limit: 500)
    #expect(lines.count > 3 && lines.allSatisfy { $0.utf8.count <= 500 && !$0.contains("\n") })
    let parts = try lines.map { try JSONDecoder().decode(PayloadSummary.self, from: Data($0.utf8)) }
    #expect(parts.flatMap(\.signposts) == summary.signposts)
    #expect(parts.allSatisfy { $0.applicationVersion == "7" && $0.kind == .metric })
    #expect(summary.lines(limit: .max) == [summary.description])
    #expect(summary.lines(limit: 0).count == 40)
  }

  @Test("a log of lines gets each line")
  func logOfLines() throws {
    let lines = Locked<[String]>([])
    let summary = try #require(log(of: PayloadSamples.chinese).first)
    PayloadLog.lines { line in lines.withLock { $0.append(line) } }(summary)
    #expect(lines.withLock { $0 } == [summary.description])
  }
}
