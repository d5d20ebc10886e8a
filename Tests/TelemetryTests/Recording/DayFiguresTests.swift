import Foundation
import MisterMetricsCore
import Telemetry
import Testing

@testable import TelemetryCore

@Suite("The figures of a day")
struct DayFiguresTests {
  private let bench = LedgerBench("UTC")
  private let test = TestSignposter(category: "Gallery")

  private func payload(_ figures: RecordedFigure...) throws -> MetricPayload {
    bench.set("2026-05-04 10:00:00")
    for figure in figures { #expect(bench.record(figure)) }
    bench.set("2026-05-05 00:00:00")
    return try #require(bench.kept.first)
  }

  @Test("durations are cut to whole milliseconds and lie in bins of ten")
  func launches() throws {
    let payload = try payload(
      .duration(.timeToFirstDraw, .microseconds(829_999)), .duration(.timeToFirstDraw, .milliseconds(820)),
      .duration(.timeToFirstDraw, .milliseconds(830)), .duration(.hang, .milliseconds(-4)),
      .duration(.resume, .milliseconds(1_190_070)), .duration(.extendedLaunch, .milliseconds(9)),
      .duration(.optimizedTimeToFirstDraw, .milliseconds(10)))
    let launches = try #require(payload.applicationLaunchMetrics)
    #expect(
      launches.histogrammedTimeToFirstDraw?.bins
        == [.init(start: 820, end: 829, count: 2), .init(start: 830, end: 839, count: 1)])
    #expect(
      launches.histogrammedApplicationResumeTime?.bins == [.init(start: 1_190_070, end: 1_190_079, count: 1)])
    #expect(launches.histogrammedExtendedLaunch?.bins == [.init(start: 0, end: 9, count: 1)])
    #expect(launches.histogrammedOptimizedTimeToFirstDraw?.bins == [.init(start: 10, end: 19, count: 1)])
    #expect(
      payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime?.bins
        == [.init(start: 0, end: 9, count: 1)])
  }

  @Test("times and transfers are summed, of memory the most counts, of disk space the last")
  func sums() throws {
    let payload = try payload(
      .time(.foregroundTime, .seconds(40)), .time(.foregroundTime, .milliseconds(2_500)),
      .time(.backgroundTime, .seconds(7)), .time(.cpuTime, .seconds(3)), .time(.cpuTime, .seconds(-9)),
      .bytes(.peakMemory, 5 << 20), .bytes(.peakMemory, 3 << 20), .bytes(.logicalWrites, 2_048),
      .bytes(.logicalWrites, 1_024), .bytes(.diskSpaceUsed, 9_000), .bytes(.diskSpaceUsed, 4_000))
    #expect(payload.applicationTimeMetrics?.cumulativeForegroundTime?.value == 42.5)
    #expect(payload.applicationTimeMetrics?.cumulativeBackgroundTime?.value == 7)
    #expect(payload.cpuMetrics?.cumulativeCPUTime?.value == 3)
    #expect(payload.memoryMetrics?.peakMemoryUsage?.value == 5_120)
    #expect(payload.diskIOMetrics?.cumulativeLogicalWrites?.value == 3)
    #expect(payload.diskSpaceUsageMetrics?.totalDiskSpaceUsedSize?.value == 4)
    #expect(payload.gpuMetrics == nil && payload.networkTransferMetrics == nil)
    #expect(payload.applicationExitMetrics == nil && payload.animationMetrics == nil)
  }

  @Test("every amount and every time has a field of its own")
  func fields() throws {
    bench.set("2026-05-04 10:00:00")
    for (index, kind) in ByteMetric.allCases.enumerated() {
      #expect(bench.record(.bytes(kind, (101 + index) * 1_024_000)))
    }
    for (index, kind) in CumulativeTime.allCases.enumerated() {
      #expect(bench.record(.time(kind, .seconds(201 + index))))
    }
    bench.set("2026-05-05 00:00:00")
    let payload = try #require(bench.kept.first)
    let text = String(decoding: payload.jsonRepresentation(), as: UTF8.self)
    for (index, kind) in ByteMetric.allCases.enumerated() {
      // Disk space is counted in thousands of bytes, all else by 1024.
      let factor = index < 6 ? 1_000 : 1_024
      #expect(text.split(separator: "\"\((101 + index) * factor) kB\"").count == 2, "\(kind)")
    }
    for (index, kind) in CumulativeTime.allCases.prefix(6).enumerated() {
      #expect(text.split(separator: "\"\(201 + index) sec\"").count == 2, "\(kind)")
    }
    // 208 seconds late in 207.
    #expect(text.split(separator: "\"1005 ms per s\"").count == 3)
  }

  @Test("every reason of an exit has its counter")
  func exits() throws {
    bench.set("2026-05-04 10:00:00")
    for reason in ForegroundExit.allCases { #expect(bench.record(.exit(.foreground(reason), 1))) }
    for reason in ExitReason.allCases { #expect(bench.record(.exit(.background(reason), 2))) }
    #expect(bench.record(.exit(.background(.normal), -2)))
    bench.set("2026-05-05 00:00:00")
    let exits = try #require(bench.kept.first?.applicationExitMetrics)
    let foreground = try #require(exits.foregroundExitData)
    let background = try #require(exits.backgroundExitData)
    #expect(ForegroundExit.allCases.allSatisfy { foreground[$0] == 1 })
    #expect(ExitReason.allCases.allSatisfy { background[$0] == 2 })
    #expect(Set(ExitReason.allCases.map(\.counterName)).count == 12)
  }

  @Test("signposts are grouped by category and name, their durations in bins of a hundred")
  func signposts() throws {
    let signposter = test.make(snapshots: true)
    for milliseconds in [0, 99, 100, 250] {
      let state = signposter.beginInterval("Decode")
      test.advance(by: .milliseconds(milliseconds))
      signposter.endInterval("Decode", state)
    }
    signposter.emitEvent("CacheMiss", count: 3)
    let payload = try payload(
      .signpost(test.records[0]), .signpost(test.records[1]), .signpost(test.records[2]),
      .signpost(test.records[3]), .signpost(test.records[4]))
    let metrics = try #require(payload.signpostMetrics)
    #expect(metrics.map(\.signpostName) == ["CacheMiss", "Decode"])
    #expect(metrics.map(\.signpostCategory) == ["Gallery", "Gallery"])
    #expect(metrics.map(\.totalCount) == [3, 4])
    #expect(metrics[0].signpostIntervalData == nil)
    let data = try #require(metrics[1].signpostIntervalData)
    #expect(
      data.histogrammedSignpostDuration?.bins == [
        .init(start: 0, end: 99, count: 2), .init(start: 100, end: 199, count: 1),
        .init(start: 200, end: 299, count: 1),
      ])
    #expect(data.cumulativeCPUTime != nil)
    #expect(try #require(data.averageMemory?.value) > 100)
    #expect(data.cumulativeHitchTimeRatio == nil)
  }

  @Test("late frames become milliseconds per second of animation")
  func animations() throws {
    let signposter = test.make()
    for late in [30, 70] {
      let scroll = signposter.beginAnimationInterval("Scroll")
      test.advance(by: .seconds(2))
      scroll.noteHitch(.milliseconds(late))
      signposter.endInterval("Scroll", scroll)
    }
    let payload = try payload(
      .signpost(test.records[0]), .signpost(test.records[1]), .time(.scrollTime, .seconds(6)),
      .time(.scrollHitchTime, .milliseconds(30)))
    let data = try #require(payload.signpostMetrics?.first?.signpostIntervalData)
    #expect(data.cumulativeHitchTimeRatio?.value == 25)
    #expect(data.cumulativeCPUTime == nil && data.averageMemory == nil && data.cumulativeLogicalWrites == nil)
    #expect(payload.animationMetrics?.scrollHitchTimeRatio?.value == 5)
    #expect(payload.animationMetrics?.hitchTimeRatio?.value == 13)
  }

  @Test("bins have a limit for the day: what has a bin counts on, the rest is refused")
  func binLimit() {
    bench.set("2026-05-04 10:00:00")
    for bin in 0..<DayFigures.binLimit {
      #expect(bench.record(.duration(.hang, .milliseconds(bin * 10))))
    }
    #expect(!bench.record(.duration(.hang, .seconds(7_000))))
    #expect(bench.record(.duration(.hang, .milliseconds(25))))
    let signposter = test.make()
    signposter.endInterval("Decode", signposter.beginInterval("Decode"))
    signposter.emitEvent("CacheMiss")
    #expect(!bench.record(.signpost(test.records[0])))
    #expect(bench.record(.signpost(test.records[1])))
    bench.set("2026-05-05 00:00:00")
    #expect(bench.kept.first?.signpostMetrics?.map(\.signpostName) == ["CacheMiss"])
  }

  @Test("names have a limit for the day")
  func nameLimit() {
    bench.set("2026-05-04 10:00:00")
    for category in 0...DayFigures.nameLimit {
      let test = TestSignposter(category: "Gallery \(category)")
      test.make().emitEvent("CacheMiss")
      #expect(bench.record(.signpost(test.records[0])) == (category < DayFigures.nameLimit))
    }
  }

  @Test("a name that is too long is refused")
  func longName() {
    bench.set("2026-05-04 10:00:00")
    let test = TestSignposter(category: String(repeating: "é", count: 501))
    test.make().emitEvent("CacheMiss")
    #expect(!bench.record(.signpost(test.records[0])))
  }

  @Test("sums end at the most there is, and are written and read again")
  func saturates() throws {
    let payload = try payload(
      .time(.cpuTime, .seconds(Int64.max)), .time(.cpuTime, .seconds(Int64.max)),
      .bytes(.logicalWrites, .max), .bytes(.logicalWrites, .max), .bytes(.peakMemory, .min),
      .exit(.foreground(.normal), .max), .exit(.foreground(.normal), .max),
      .duration(.hang, .seconds(Int64.max)))
    var reader = PayloadReader()
    let reading = reader.read(payload.jsonRepresentation())
    #expect(reading.errors.isEmpty)
    #expect(payload.applicationExitMetrics?.foregroundExitData?.cumulativeNormalAppExitCount == .max)
  }

  @Test("the data of the device are in the payload, and no process")
  func origin() throws {
    let payload = try payload(.time(.cpuTime, .seconds(1)))
    #expect(payload.metaData?.osVersion == "Linux 6.1" && payload.metaData?.pid == -1)
    #expect(payload.signpostMetrics == [])
  }
}
