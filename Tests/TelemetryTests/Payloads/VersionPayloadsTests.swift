import Foundation
import Telemetry
import Testing

@testable import TelemetryCore

@Suite("Figures of a version from its payloads")
struct VersionPayloadsTests {
  private func day(
    version: String? = "2.4", launches: [TimeHistogram.Bin] = [], hangs: [TimeHistogram.Bin]? = nil,
    foreground: Double? = nil
  ) -> MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = version
    var launch = MetricPayload.ApplicationLaunchMetric()
    launch.histogrammedTimeToFirstDraw = TimeHistogram(launches)
    payload.applicationLaunchMetrics = launch
    if let hangs {
      var section = MetricPayload.ApplicationResponsivenessMetric()
      section.histogrammedApplicationHangTime = TimeHistogram(hangs)
      payload.applicationResponsivenessMetrics = section
    }
    if let foreground {
      var section = MetricPayload.ApplicationTimeMetric()
      section.cumulativeForegroundTime = Measurement(value: foreground, unit: .seconds)
      payload.applicationTimeMetrics = section
    }
    return payload
  }

  private func bin(_ start: Double, _ end: Double, _ count: Int) -> TimeHistogram.Bin {
    TimeHistogram.Bin(start: start, end: end, count: count)
  }

  /// Three device-days of one version with 1, 4 and 100 launches.
  private var launches: [MetricPayload] {
    [
      day(launches: [bin(100, 109, 1)]),
      day(launches: [bin(200, 209, 3), bin(400, 409, 1)]),
      day(launches: [bin(100, 109, 10), bin(300, 309, 30), bin(900, 909, 60)]),
    ]
  }

  @Test("an average of payloads is that of their histograms, by section and by histogram")
  func averages() throws {
    var payloads = launches
    payloads.append(day(version: "2.5", launches: [bin(5000, 5009, 50)]))
    payloads.append(day(version: nil, launches: [bin(5000, 5009, 50)]))
    var mixed = day(launches: [bin(5000, 5009, 50)])
    mixed.includesMultipleApplicationVersions = true
    payloads.append(mixed)
    // (109 + 259 + 649) / 3; and 100, 205, 405, … each with its count.
    let published = payloads.average(
      for: \.applicationLaunchMetrics, applicationVersion: "2.4", method: .published)
    #expect(published?.unit == .milliseconds)
    #expect(try abs(#require(published).value - 1017.0 / 3) < 1e-9)
    let pooled = payloads.average(
      for: \.applicationLaunchMetrics?.histogrammedTimeToFirstDraw, applicationVersion: "2.4")
    #expect(try abs(#require(pooled).value - (105.0 * 11 + 205 * 3 + 405 + 305 * 30 + 905 * 60) / 105) < 1e-9)
    let estimate = payloads.estimatedAverage(for: \.applicationLaunchMetrics, applicationVersion: "2.4")
    #expect(estimate.map { $0.upper - $0.lower } == 10 && estimate?.count == 105)
    #expect(payloads.average(for: \.applicationLaunchMetrics, applicationVersion: "3") == nil)
    #expect(payloads.average(for: \.applicationResponsivenessMetrics, applicationVersion: "2.4") == nil)
    var resumed = day()
    resumed.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = nil
    resumed.applicationLaunchMetrics?.histogrammedApplicationResumeTime = TimeHistogram([bin(100, 109, 1)])
    payloads.append(resumed)
    #expect(
      payloads.average(for: \.applicationLaunchMetrics, applicationVersion: "2.4", method: .published)
        == published)
    payloads.append(day())
    #expect(
      payloads.average(for: \.applicationLaunchMetrics, applicationVersion: "2.4", method: .published) == nil)
  }

  @Test("simulated and mixed payloads are left out and counted")
  func leftOut() {
    var reader = PayloadReader()
    let reading = reader.read(Data(PayloadSamples.simulated.utf8))
    guard case .metric(let simulated)? = reading.payloads.first else {
      Issue.record("the sample is no metric payload")
      return
    }
    var mixed = day()
    mixed.includesMultipleApplicationVersions = true
    let payloads = [simulated, mixed, day(), day(version: nil)]
    let version = VersionPayloads(payloads, applicationVersion: "2.4")
    #expect(version.payloads.count == 1 && version.mixed == 1)
    #expect(version.simulated == (simulated.isSimulated ? 1 : 0))
    #expect(VersionPayloads(payloads, applicationVersion: nil).payloads.count == 1)
  }

  @Test("the hang rate is pooled, and that of the middle day and of nine in ten")
  func hangs() throws {
    let days = [
      day(hangs: [], foreground: 3600), day(hangs: [bin(500, 509, 2)], foreground: 1800),
      day(hangs: [bin(1000, 1009, 100)], foreground: 7200), day(foreground: 3600),
      day(hangs: [bin(500, 509, 2)]),
    ]
    let rates = try #require(VersionPayloads(days, applicationVersion: "2.4").hangRates())
    #expect(rates.days == 4 && rates.daysWithoutRate == 1)
    #expect(abs(rates.pooled.value - (2 * 0.505 + 100 * 1.005) / 4.5) < 1e-9)
    #expect(rates.median.value == 0)
    #expect(abs(rates.ninetiethPercentile.value - 50.25) < 1e-9)
    #expect(VersionPayloads([day(foreground: 60)], applicationVersion: "2.4").hangRates() == nil)
    #expect(VersionPayloads([day()], applicationVersion: "2.4").hangRates() == nil)
  }

  @Test("exits are counted by reason over all days, and in an hour of use where all days know it")
  func exits() {
    var first = day(foreground: 3600)
    var section = MetricPayload.ApplicationExitMetric()
    var foreground = MetricPayload.ForegroundExitData()
    foreground[.normal] = 3
    foreground[.watchdog] = 1
    var background = MetricPayload.BackgroundExitData()
    for (index, reason) in ExitReason.allCases.enumerated() { background[reason] = index }
    (section.foregroundExitData, section.backgroundExitData) = (foreground, background)
    first.applicationExitMetrics = section
    var second = day(foreground: 3600)
    second.applicationExitMetrics = section
    var version = VersionPayloads([first, second, day()], applicationVersion: "2.4")
    let figures = version.foregroundExits
    #expect(figures.count == 8 && figures.figures.map(\.reason) == [.normal, .watchdog])
    #expect(figures.figures.map(\.perForegroundHour) == [3, 1])
    #expect(version.backgroundExits.count == 2 * 66)
    #expect(version.backgroundExits.figures.first?.reason == .backgroundFetchCompletionTimeout)
    version = VersionPayloads([first, second, day(foreground: 7200)], applicationVersion: "2.4")
    #expect(version.foregroundExits.figures.map(\.perForegroundHour) == [1.5, 0.5])
    second.applicationTimeMetrics = nil
    version = VersionPayloads([first, second], applicationVersion: "2.4")
    #expect(version.foregroundExits.figures.allSatisfy { $0.perForegroundHour == nil })
  }

  @Test("sums, means and ratios over the days that have them")
  func scalars() throws {
    func filled(_ payload: MetricPayload, minutes: Double, memory mean: Double, samples: Int, ratio: Double)
      -> MetricPayload
    {
      var payload = payload
      var processor = MetricPayload.CPUMetric()
      processor.cumulativeCPUTime = Measurement(value: minutes, unit: .minutes)
      var memory = MetricPayload.MemoryMetric()
      memory.averageSuspendedMemory = MetricAverage(
        averageMeasurement: Measurement(value: mean, unit: .kilobytes), standardDeviation: -1,
        sampleCount: samples)
      var animation = MetricPayload.AnimationMetric()
      animation.scrollHitchTimeRatio = Measurement(value: ratio, unit: .hitchTimeRatio)
      (payload.cpuMetrics, payload.memoryMetrics, payload.animationMetrics) = (processor, memory, animation)
      return payload
    }
    let first = filled(day(foreground: 3600), minutes: 1, memory: 100, samples: 1, ratio: 4)
    let second = filled(day(foreground: 10_800), minutes: 3, memory: 300, samples: 3, ratio: 8)
    let version = VersionPayloads([first, second, day()], applicationVersion: "2.4")
    let processor = try #require(version.figures(of: \.cpuMetrics?.cumulativeCPUTime, in: .seconds))
    #expect(processor.total == 240 && processor.perDay == 120 && processor.perForegroundHour == 60)
    let memory = try #require(version.average(of: \.memoryMetrics?.averageSuspendedMemory))
    #expect(memory.mean == 250 && memory.count == 4 && memory.standardDeviation == nil)
    #expect(version.scrollHitchRatio == 7 && version.hitchRatio == nil)
    let quiet = VersionPayloads([first, second, day(foreground: 14_400)], applicationVersion: "2.4")
    #expect(quiet.scrollHitchRatio == 3.5 && quiet.hitchRatio == nil)
    #expect(version.figures(of: \.gpuMetrics?.cumulativeGPUTime, in: .seconds) == nil)
  }

  @Test("bars of the network are shares of time, each day alike")
  func cellular() {
    let days = [
      CellularHistogram([.init(bars: 1, percent: 50), .init(bars: 3, percent: 50)]),
      CellularHistogram([.init(bars: 3, percent: 99)]), CellularHistogram([]),
    ]
    let shares = CellularHistogram.shares(of: days)
    #expect(shares.map(\.bars) == [1, 3] && shares.map(\.share) == [0.25, 0.75])
    #expect(CellularHistogram.shares(of: []).isEmpty)
  }
}
