import Aggregation
import Codecs
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("Units of payloads on all screens")
struct PayloadUnitTests {
  private static let figures: [(name: String, unit: String)] = [
    ("cpuMetrics.cumulativeCPUTime", "sec"), ("cpuMetrics.cumulativeCPUInstructions", "kiloinstructions"),
    ("gpuMetrics.cumulativeGPUTime", "sec"), ("memoryMetrics.peakMemoryUsage", "kB"),
    ("memoryMetrics.averageSuspendedMemory", "kB"),
    ("memoryMetrics.averageSuspendedMemory.standardDeviation", "kB"),
    ("memoryMetrics.averageSuspendedMemory.sampleCount", "count"),
    ("diskIOMetrics.cumulativeLogicalWrites", "kB"), ("displayMetrics.averagePixelLuminance", "apl"),
    ("networkTransferMetrics.cumulativeWifiUpload", "kB"),
    ("networkTransferMetrics.cumulativeCellularDownload", "kB"),
    ("locationActivityMetrics.cumulativeBestAccuracyForNavigationTime", "sec"),
    ("applicationTimeMetrics.cumulativeForegroundTime", "sec"),
    ("applicationExitMetrics.foregroundExitData.cumulativeAbnormalExitCount", "count"),
    ("animationMetrics.scrollHitchTimeRatio", "ms per s"),
    ("diskSpaceUsageMetrics.totalBinaryFileSize", "kB"),
    ("diskSpaceUsageMetrics.totalDiskSpaceCapacity", "kB"),
    ("diskSpaceUsageMetrics.totalBinaryFileCount", "count"),
    ("signpostMetrics.com.app/Sync.cumulativeCPUTime", "ms"),
    ("signpostMetrics.com.app/Sync.averageMemory", "kB"),
    ("signpostMetrics.com.app/Sync.totalCount", "count"),
    ("hangDiagnostics.hangDuration", "sec"), ("diskWriteExceptionDiagnostics.totalWritesCaused", "byte"),
    ("appLaunchDiagnostics.launchDuration", "ms"), ("stateMetrics.app.screen/home.duration", "sec"),
    ("stateMetrics.app.screen/v1.2.memoryMetrics.peakMemoryUsage", "kB"),
  ]

  @Test("Live and History show a number of a payload as the overview does, but for the B of bytes")
  func sameAsOverview() {
    for (name, word) in Self.figures where !["apl", "ms per s"].contains(word) {
      let identity = SeriesIdentity(bucket: "payload", name: name, typeName: "PayloadScalar", field: "value")
      for value in [0.4, 12, 700, 204_800, 1.5e7] {
        let overview = OverviewUnit(word, of: name).text(value)
        let own = identity.unit.text(value) + (identity.unit.isOfBytes ? "B" : "")
        #expect(own == overview, "\(name) \(value)")
      }
    }
  }

  @Test("no unit has two prefixes: a thousand milliseconds in a second are a second in a second")
  func rates() {
    let ratio = OverviewUnit("ms per s", of: "animationMetrics.scrollHitchTimeRatio")
    #expect([0.5, 12, 1000, 60_000].map(ratio.text) == ["500µs/s", "12ms/s", "1.00s/s", "60.0s/s"])
    let rate = OverviewUnit.secondsPerHour
    #expect([0, 0.5, 92.571, 4000].map(rate.text) == ["0ms/h", "500ms/h", "92.6s/h", "4000s/h"])
    #expect(OverviewUnit("kiloinstructions", of: "x").text(2e6) == "2.00G")
  }
}
