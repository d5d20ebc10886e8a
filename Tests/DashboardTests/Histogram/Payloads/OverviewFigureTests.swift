import History
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import PayloadsScreen

@Suite("What figures of payloads are called and measured in")
struct OverviewFigureTests {
  private func figure(
    _ name: String, _ unit: String = "sec", isHistogram: Bool = false, among names: Set<String> = []
  )
    -> OverviewFigure?
  {
    OverviewFigure(.init(name: name, unit: unit), at: 0, isHistogram: isHistogram, among: names)
  }

  @Test("figures of Apple's payloads have a section and a name of their own")
  func known() throws {
    let payload = PayloadFixture.archive(PayloadFixture.days(1))
    let names = Set(payload.figures.map(\.name))
    let found = payload.figures.compactMap { figure($0.name, $0.unit, among: names) }
    #expect(!found.contains { $0.section == .other })
    #expect(found.count == payload.figures.count - 2)
    #expect(Set(KnownFigure.all.map(\.name)).count == KnownFigure.all.count)
  }

  @Test("kinds follow from the name, and from whether there are bins")
  func kinds() {
    #expect(figure("cpuMetrics.cumulativeCPUTime")?.kind == .sum)
    #expect(figure(PayloadFixture.hangs, "ms", isHistogram: true)?.kind == .hangs)
    #expect(figure(PayloadFixture.hangs, "ms")?.kind == .level)
    #expect(figure("cpuMetrics.cumulativeCPUTime", "ms", isHistogram: true)?.kind == .times)
    #expect(figure("cellularConditionMetrics.x", "bars", isHistogram: true)?.kind == .signal)
    #expect(figure("crashDiagnostics") == nil && figure("futureMetrics.crashDiagnostics") != nil)
    #expect(figure("a.b.sampleCount", among: ["a.b"]) == nil && figure("a.b.sampleCount") != nil)
    #expect(
      figure("applicationExitMetrics.backgroundExitData.cumulativeAppWatchdogExitCount")?.kind
        == .exits(.watchdog))
  }

  @Test("signposts are told by category and name")
  func signposts() {
    let name = SignpostName("signpostMetrics.com.app.sync/Up%2FDown 100%25.histogrammedSignpostDuration")
    #expect(name?.category == "com.app.sync" && name?.name == "Up/Down 100%")
    #expect(name?.label == "Up/Down 100% duration, com.app.sync")
    for other in [
      "signpostMetrics.", "signpostMetrics./", "signpostMetrics.a.b", "signpostMetrics", "a/b.c", "",
    ] {
      #expect(SignpostName(other) == nil)
    }
    #expect(SignpostName("signpostMetrics./.x")?.label == " x, ")
  }

  @Test(
    "numbers have their unit behind them",
    arguments: [
      ("ms", "", 1862.143, "1.86s"), ("sec", "", 40, "40.0s"), ("kB", "memoryMetrics.x", 200_000, "205MB"),
      ("kB", "diskSpaceUsageMetrics.x", 200_000, "200MB"), ("byte", "", 12, "12B"),
      ("count", "", 12_345, "12.3k"),
      ("kiloinstructions", "", 7_160_000, "7.16G"), ("ms per s", "", 4.5, "4.50ms/s"),
      ("bars", "", 2.5, "2.50 bars"),
      ("parsecs", "", 12, "12 parsecs"), ("", "", 3, "3"),
    ])
  func units(word: String, figure: String, value: Double, text: String) {
    #expect(OverviewUnit(word, of: figure).text(value) == text)
  }
}
