import Foundation
import Telemetry
import Testing

@Suite("Apple's keys")
struct AppleKeyTests {
  /// The keys of MXMetricPayload and MXDiagnosticPayload, by the section they are in.
  private static let expected = """
    : appVersion multipleAppVersions timeStampBegin timeStampEnd metaData cpuMetrics gpuMetrics memoryMetrics diskIOMetrics \
    displayMetrics networkTransferMetrics locationActivityMetrics cellularConditionMetrics applicationTimeMetrics \
    applicationLaunchMetrics applicationResponsivenessMetrics animationMetrics applicationExitMetrics diskSpaceUsageMetrics \
    signpostMetrics
    metaData: osVersion deviceType regionFormat appBuildVersion platformArchitecture bundleIdentifier lowPowerModeEnabled \
    isTestFlightApp pid
    cpuMetrics: cumulativeCPUTime cumulativeCPUInstructions
    gpuMetrics: cumulativeGPUTime
    memoryMetrics: peakMemoryUsage averageSuspendedMemory
    diskIOMetrics: cumulativeLogicalWrites
    displayMetrics: averagePixelLuminance
    networkTransferMetrics: cumulativeWifiUpload cumulativeWifiDownload cumulativeCellularUpload cumulativeCellularDownload
    locationActivityMetrics: cumulativeBestAccuracyTime cumulativeBestAccuracyForNavigationTime \
    cumulativeNearestTenMetersAccuracyTime cumulativeHundredMetersAccuracyTime cumulativeKilometerAccuracyTime \
    cumulativeThreeKilometersAccuracyTime
    cellularConditionMetrics: cellConditionTime
    applicationTimeMetrics: cumulativeForegroundTime cumulativeBackgroundTime cumulativeBackgroundAudioTime \
    cumulativeBackgroundLocationTime
    applicationLaunchMetrics: histogrammedTimeToFirstDrawKey histogrammedResumeTime \
    histogrammedOptimizedTimeToFirstDrawKey histogrammedExtendedLaunch
    applicationResponsivenessMetrics: histogrammedAppHangTime
    animationMetrics: scrollHitchTimeRatio hitchTimeRatio
    applicationExitMetrics: foregroundExitData backgroundExitData
    foregroundExitData: cumulativeNormalAppExitCount cumulativeMemoryResourceLimitExitCount cumulativeBadAccessExitCount \
    cumulativeAbnormalExitCount cumulativeIllegalInstructionExitCount cumulativeAppWatchdogExitCount \
    cumulativeCPUResourceLimitExitCount
    backgroundExitData: cumulativeNormalAppExitCount cumulativeMemoryResourceLimitExitCount cumulativeBadAccessExitCount \
    cumulativeAbnormalExitCount cumulativeIllegalInstructionExitCount cumulativeAppWatchdogExitCount \
    cumulativeCPUResourceLimitExitCount cumulativeMemoryPressureExitCount cumulativeSuspendedWithLockedFileExitCount \
    cumulativeBackgroundTaskAssertionTimeoutExitCount cumulativeBackgroundURLSessionCompletionTimeoutExitCount \
    cumulativeBackgroundFetchCompletionTimeoutExitCount
    diskSpaceUsageMetrics: totalBinaryFileSize totalDataFileSize totalCacheFolderSize totalCloneSize totalDiskSpaceUsedSize \
    totalDiskSpaceCapacity totalBinaryFileCount totalDataFileCount
    signpostMetrics: signpostName signpostCategory totalSignpostCount signpostIntervalData
    signpostIntervalData: histogrammedSignpostDurations signpostCumulativeCPUTime signpostAverageMemory \
    signpostCumulativeLogicalWrites signpostCumulativeHitchTimeRatio
    """

  @Test("a payload in which nothing is absent has every key of every section and no other")
  func keys() throws {
    var pieces = RandomPayloads(seed: 1, isWhole: true)
    let data = pieces.metricPayload().jsonRepresentation()
    var found: [String: Set<String>] = [:]
    func gather(_ value: Any, _ section: String) {
      if let object = value as? [String: Any] {
        found[section, default: []].formUnion(object.keys)
        for (key, value) in object { gather(value, key) }
      } else if let array = value as? [Any] {
        for element in array { gather(element, section) }
      }
    }
    gather(try JSONSerialization.jsonObject(with: data), "")
    for line in Self.expected.split(separator: "\n") {
      let parts = line.split(separator: ":", omittingEmptySubsequences: false)
      let keys = Set(parts[1].split(separator: " ").map(String.init))
      #expect(found[String(parts[0])] == keys, "\(parts[0])")
    }
  }
}
