import Aggregation
import Codecs
import Foundation
import History
import Telemetry
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("The overview of payloads")
struct PayloadOverviewTests {
  private func overview(
    _ payloads: [MetricPayload], _ a: String = "2.4.1", _ b: String? = "2.4.0", budget: Int = .max
  ) -> PayloadOverview {
    let choice = { (version: String) in
      (name: version, choice: SampleCube.Choice(labels: ["version": .value(version)]))
    }
    var overview = PayloadOverview(PayloadFixture.archive(payloads), a: choice(a), b: b.map(choice))
    while !overview.isDone { overview.summarize(budget) }
    return overview
  }

  private func row(
    _ overview: PayloadOverview, _ name: String, _ part: PayloadOverview.Row.Part = .whole
  ) throws -> PayloadOverview.Row {
    try #require(overview.rows.first { $0.id.figure.name == name && $0.id.part == part }, "\(name)")
  }

  @Test("its figures are those of the library for the payloads themselves")
  func figures() throws {
    let payloads = PayloadFixture.days(60)
    let overview = overview(payloads)
    let a = VersionPayloads(payloads, applicationVersion: "2.4.1")
    let b = VersionPayloads(payloads, applicationVersion: "2.4.0")
    let launches = try row(overview, PayloadFixture.launches)
    let average = try #require(a.histogram(of: \.applicationLaunchMetrics).average(method: .pooled))
    #expect(launches.a?.value == average.value && launches.a?.doubt == average.value - average.lower)
    #expect(launches.a?.count == .samples(360) && launches.label == "first draw")
    #expect(
      launches.a?.percentiles == a.histogram(of: \.applicationLaunchMetrics).values(atPercentiles: [50, 95]))
    let comparison = VersionComparison(
      days: b.histograms(of: \.applicationLaunchMetrics), with: a.histograms(of: \.applicationLaunchMetrics))
    #expect(comparison.verdict == .slower && launches.verdict?.finding == .middle(.up))

    let rates = try #require(a.hangRates(countingFrom: HangRate.shortestHang))
    #expect(try row(overview, PayloadFixture.hangs, .pooledRate).a?.value == rates.pooled.value)
    #expect(try row(overview, PayloadFixture.hangs, .medianRate).a?.value == rates.median.value)
    let ninetieth = try row(overview, PayloadFixture.hangs, .ninetiethRate)
    #expect(ninetieth.a?.value == rates.ninetiethPercentile.value && ninetieth.a?.count == .days(rates.days))

    let processor = try #require(b.figures(of: \.cpuMetrics?.cumulativeCPUTime, in: .seconds))
    let cpu = try row(overview, "cpuMetrics.cumulativeCPUTime")
    #expect(cpu.b?.value == processor.perDay && cpu.b?.total == processor.total)
    #expect(cpu.b?.perHour == processor.perForegroundHour && cpu.verdict?.finding == .middle(.up))
    let peak = try #require(a.figures(of: \.memoryMetrics?.peakMemoryUsage, in: .kilobytes))
    #expect(try row(overview, "memoryMetrics.peakMemoryUsage").a?.value == peak.perDay)
    #expect(try row(overview, "memoryMetrics.peakMemoryUsage").verdict?.finding == .noDifference)
    let suspended = try #require(a.average(of: \.memoryMetrics?.averageSuspendedMemory))
    #expect(try row(overview, "memoryMetrics.averageSuspendedMemory").a?.value == suspended.mean)
    #expect(try row(overview, "animationMetrics.scrollHitchTimeRatio").a?.value == a.scrollHitchRatio)
  }

  @Test("exits are told by reason and hour of use, and reasons that never came are not told")
  func exits() throws {
    let payloads = PayloadFixture.days(60)
    let overview = overview(payloads)
    let name = "applicationExitMetrics.backgroundExitData.cumulativeMemoryPressureExitCount"
    for (version, side) in [("2.4.1", \PayloadOverview.Row.a), ("2.4.0", \.b)] {
      let exits = VersionPayloads(payloads, applicationVersion: version).backgroundExits
      let found = try #require(try row(overview, name)[keyPath: side])
      #expect(exits.figures.map(\.reason) == [.memoryPressure])
      #expect(found.total == Double(exits.count) && found.count == .days(30))
      #expect(found.perHour == exits.figures[0].perForegroundHour)
    }
    #expect(overview.rows.filter { $0.section == .backgroundExits }.count == 1)
    #expect(overview.rows.filter { $0.section == .foregroundExits }.map(\.label) == ["bad access"])
  }

  @Test("it is the same however little is reckoned at a time, and nobody has to wait for all of it")
  func steps() {
    let payloads = PayloadFixture.days(20)
    #expect(overview(payloads, budget: 1).rows == overview(payloads).rows)
    let choice = SampleCube.Choice()
    var overview = PayloadOverview(PayloadFixture.archive(payloads), a: ("all", choice), b: nil)
    #expect(!overview.isDone && !overview.rows.isEmpty && overview.rows.allSatisfy { !$0.isKnown })
    overview.summarize(1)
    #expect(overview.rows.count { $0.isKnown } == 1 && overview.rows[0].b == nil)
    #expect(overview.rows[0].verdict == nil && overview.rows[0].change == nil)
  }

  @Test("few device-days are called few; a simulated payload keeps its short hangs")
  func few() throws {
    let overview = overview(PayloadFixture.days(8))
    #expect(overview.rows.allSatisfy { $0.verdict == .tooFew || $0.verdict == nil })
    // The golden numbers of the simulated payload of iOS 13: 92.571, 174.857 and 257.143.
    var simulated = MetricPayload()
    simulated.latestApplicationVersion = "2.4"
    simulated.applicationTimeMetrics = .init()
    simulated.applicationTimeMetrics?.cumulativeForegroundTime = .init(value: 700, unit: .seconds)
    simulated.applicationResponsivenessMetrics = .init()
    simulated.applicationResponsivenessMetrics?.histogrammedApplicationHangTime = TimeHistogram([
      .init(start: 0, end: 100, count: 50), .init(start: 100, end: 400, count: 60),
      .init(start: 400, end: 700, count: 30),
    ])
    simulated.signpostMetrics = ["TestSignpostName1", "TestSignpostName2"].map { name in
      var signpost = MetricPayload.SignpostMetric()
      signpost.signpostName = name
      return signpost
    }
    let rows = self.overview([simulated], "2.4", nil)
    let rate = try #require(try row(rows, PayloadFixture.hangs, .pooledRate).a)
    #expect(abs(rate.value - 174.857) < 1e-3 && abs(rate.doubt - 82.286) < 1e-3)
    #expect(rows.a.words == "1 metric payload, simulated")
  }

  @Test("what nobody knows is told too, and hostile numbers make no trouble")
  func unknown() throws {
    var archive = PayloadArchive()
    archive.figures = [
      .init(name: "futureMetrics.warp", unit: "milliwarps per fortnight"),
      .init(name: "signpostMetrics./.totalCount", unit: "count"), .init(name: "signpostMetrics.x", unit: ""),
      .init(name: "applicationLaunchMetrics.histogrammedTimeToFirstDraw", unit: "ms"),
      .init(name: "memoryMetrics.averageSuspendedMemory", unit: "kB"),
      .init(name: "memoryMetrics.averageSuspendedMemory.sampleCount", unit: "count"),
      .init(name: "applicationTimeMetrics.cumulativeForegroundTime", unit: "sec"),
      .init(name: PayloadFixture.hangs, unit: "ms"), .init(name: "cpuMetrics.cumulativeCPUTime", unit: "sec"),
      .init(name: "applicationExitMetrics.foregroundExitData.cumulativeBadAccessExitCount", unit: "count"),
    ]
    for number in 0..<40 {
      var payload = PayloadArchive.Payload()
      payload.version = number % 2 == 0 ? "A" : "B"
      let extreme: Double = [1e308, -1e308, .infinity, .nan, 0, -0.0, .leastNonzeroMagnitude][number % 7]
      let wide: [PayloadArchive.Bin] = [
        .init(start: -1e308, end: 1e308, count: .max), .init(start: .nan, end: 1, count: 1),
        .init(start: 9, end: 3, count: -4), .init(start: 0, end: 9, count: .max),
      ]
      payload.values = archive.figures.indices.map {
        ($0, [3, 7].contains($0) ? .bins(wide) : .number(extreme))
      }
      payload.values += [(3, .number(extreme)), (-1, .number(1)), (.max, .bins([])), (8, .bins(wide))]
      archive.payloads.append(payload)
    }
    for name in ["A", "B", "C"] {
      var overview = PayloadOverview(
        archive, a: (name, SampleCube.Choice(labels: ["version": .value(name)])), b: ("all", .init()))
      overview.summarize(.max)
      #expect(overview.isDone)
      for row in overview.rows {
        #expect(row.change?.isFinite ?? true)
        for side in [row.a, row.b].compactMap(\.self) { _ = row.unit.text(side.value) }
      }
    }
    let warp = OverviewUnit("milliwarps per fortnight", of: "")
    #expect(warp.text(3) == "3 milliwar")
  }
}
