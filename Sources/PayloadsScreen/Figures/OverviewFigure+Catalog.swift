extension OverviewFigure {
  typealias CatalogEntry = (property: String, label: String, kind: Kind)

  /// The figures of Apple's payloads except exits and signposts, in their order within a section.
  static let catalog: [(prefix: String, section: OverviewSection, figures: [CatalogEntry])] = [
    (
      "applicationLaunchMetrics", .launches,
      [
        ("histogrammedTimeToFirstDraw", "first draw", .times),
        ("histogrammedOptimizedTimeToFirstDraw", "first draw, prewarmed", .times),
        ("histogrammedExtendedLaunch", "extended launch", .times),
        ("histogrammedApplicationResumeTime", "resume", .times),
      ]
    ),
    ("applicationResponsivenessMetrics", .hangs, [("histogrammedApplicationHangTime", "hang", .hangs)]),
    (
      "animationMetrics", .hitches,
      [
        ("scrollHitchTimeRatio", "while scrolling", .hitches), ("hitchTimeRatio", "all motion", .hitches),
        ("totalHitchTime", "hitch time", .sum), ("totalAnimationTime", "animations", .sum),
      ]
    ),
    (
      "memoryMetrics", .memory,
      [("peakMemoryUsage", "peak", .level), ("averageSuspendedMemory", "suspended", .mean)]
    ),
    (
      "cpuMetrics", .processor,
      [("cumulativeCPUTime", "CPU time", .sum), ("cumulativeCPUInstructions", "CPU instructions", .sum)]
    ),
    ("gpuMetrics", .processor, [("cumulativeGPUTime", "GPU time", .sum)]),
    ("diskIOMetrics", .disk, [("cumulativeLogicalWrites", "logical writes", .sum)]),
    (
      "networkTransferMetrics", .network,
      [
        ("cumulativeWifiUpload", "Wi-Fi up", .sum), ("cumulativeWifiDownload", "Wi-Fi down", .sum),
        ("cumulativeCellularUpload", "cellular up", .sum),
        ("cumulativeCellularDownload", "cellular down", .sum),
      ]
    ),
    (
      "applicationTimeMetrics", .use,
      [
        ("cumulativeForegroundTime", "in the foreground", .sum),
        ("cumulativeBackgroundTime", "in the background", .sum),
        ("cumulativeBackgroundAudioTime", "background audio", .sum),
        ("cumulativeBackgroundLocationTime", "background location", .sum),
      ]
    ),
    (
      "locationActivityMetrics", .location,
      [
        ("cumulativeBestAccuracyTime", "best accuracy", .sum),
        ("cumulativeBestAccuracyForNavigationTime", "navigation", .sum),
        ("cumulativeNearestTenMetersAccuracyTime", "ten meters", .sum),
        ("cumulativeHundredMetersAccuracyTime", "hundred meters", .sum),
        ("cumulativeKilometerAccuracyTime", "one kilometer", .sum),
        ("cumulativeThreeKilometersAccuracyTime", "three kilometers", .sum),
        ("cumulativeReducedAccuracyTime", "reduced accuracy", .sum),
      ]
    ),
    (
      "cellularConditionMetrics", .signal,
      [("histogrammedCellularConditionTime", "cellular, mean", .signal)]
    ),
    ("displayMetrics", .display, [("averagePixelLuminance", "luminance", .mean)]),
    (
      "diskSpaceUsageMetrics", .diskSpace,
      [
        ("totalBinaryFileSize", "binary files", .level), ("totalDataFileSize", "data files", .level),
        ("totalCacheFolderSize", "caches", .level), ("totalCloneSize", "clones", .level),
        ("totalDiskSpaceUsedSize", "all used", .level), ("totalDiskSpaceCapacity", "capacity", .level),
        ("totalBinaryFileCount", "number of binary files", .level),
        ("totalDataFileCount", "number of data files", .level),
      ]
    ),
    ("hangDiagnostics", .diagnostics, [("hangDuration", "hang duration", .level)]),
    (
      "cpuExceptionDiagnostics", .diagnostics,
      [("totalCPUTime", "CPU time", .level), ("totalSampledTime", "sampled time", .level)]
    ),
    ("diskWriteExceptionDiagnostics", .diagnostics, [("totalWritesCaused", "writes", .level)]),
    ("appLaunchDiagnostics", .diagnostics, [("launchDuration", "launch duration", .level)]),
  ]
}
