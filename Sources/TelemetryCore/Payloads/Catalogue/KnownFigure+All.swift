extension KnownFigure {
  /// All figures except those of signposts, in their order within a section.
  package static let all =
    launches + resources + use + location + disk + diagnostics + exits(.foregroundExits, "foreground")
    + exits(.backgroundExits, "background")

  private static let launches = [
    KnownFigure(
      "applicationLaunchMetrics.histogrammedTimeToFirstDraw", .launches, "first draw",
      in: "launch to first draw", .times, usual: "launch", from: "timeToFirstDrawMetric"),
    KnownFigure(
      "applicationLaunchMetrics.histogrammedOptimizedTimeToFirstDraw", .launches, "first draw, prewarmed",
      in: "launch to first draw, prewarmed", .times, from: "optimizedTimeToFirstDrawMetric"),
    KnownFigure(
      "applicationLaunchMetrics.histogrammedExtendedLaunch", .launches, "extended launch", .times,
      from: "extendedLaunchMetric"),
    KnownFigure(
      "applicationLaunchMetrics.histogrammedApplicationResumeTime", .launches, "resume", .times,
      usual: "resume", from: "applicationResumeTimeMetric"),
    KnownFigure(
      "applicationResponsivenessMetrics.histogrammedApplicationHangTime", .hangs, "hang", in: "hang time",
      .hangs, usual: "hang", from: "hangTimeMetric"),
    KnownFigure(
      "animationMetrics.scrollHitchTimeRatio", .hitches, "while scrolling", in: "hitches while scrolling",
      .hitches, usual: "scroll hitch"),
    KnownFigure(
      "animationMetrics.hitchTimeRatio", .hitches, "all motion", in: "hitches in all motion", .hitches,
      usual: "hitch", from: "hitchTimeMetric.ratio"),
    KnownFigure(
      "animationMetrics.totalHitchTime", .hitches, "hitch time", .sum, from: "hitchTimeMetric.totalHitchTime"),
    KnownFigure(
      "animationMetrics.totalAnimationTime", .hitches, "animations", .sum,
      from: "hitchTimeMetric.totalAnimationTime"),
  ]

  private static let resources = [
    KnownFigure(
      "memoryMetrics.peakMemoryUsage", .memory, "peak", in: "peak memory", .level, usual: "memory",
      from: "peakMemoryMetric", .size),
    KnownFigure(
      "memoryMetrics.averageSuspendedMemory", .memory, "suspended", in: "suspended memory", .mean,
      from: "suspendedMemoryMetric", .average(.size)),
    KnownFigure("cpuMetrics.cumulativeCPUTime", .processor, "CPU time", .sum, from: "cpuTimeMetric"),
    KnownFigure(
      "cpuMetrics.cumulativeCPUInstructions", .processor, "CPU instructions", .sum,
      from: "cpuInstructionsCountMetric", .thousands),
    KnownFigure("gpuMetrics.cumulativeGPUTime", .processor, "GPU time", .sum, from: "gpuTimeMetric"),
    KnownFigure(
      "diskIOMetrics.cumulativeLogicalWrites", .disk, "logical writes", .sum, usual: "disk writes",
      from: "logicalDiskWritesMetric", .size),
    KnownFigure(
      "networkTransferMetrics.cumulativeWifiUpload", .network, "Wi-Fi up", .sum,
      from: "totalWiFiUploadMetric",
      .size),
    KnownFigure(
      "networkTransferMetrics.cumulativeWifiDownload", .network, "Wi-Fi down", .sum,
      from: "totalWiFiDownloadMetric", .size),
    KnownFigure(
      "networkTransferMetrics.cumulativeCellularUpload", .network, "cellular up", .sum,
      from: "totalCellularUploadMetric", .size),
    KnownFigure(
      "networkTransferMetrics.cumulativeCellularDownload", .network, "cellular down", .sum,
      from: "totalCellularDownloadMetric", .size),
    KnownFigure(
      "cellularConditionMetrics.histogrammedCellularConditionTime", .signal, "cellular, mean", .signal,
      from: "cellularConditionTimeMetric"),
    KnownFigure(
      "displayMetrics.averagePixelLuminance", .display, "luminance", .mean, from: "pixelLuminanceMetric",
      .average(.symbol)),
  ]

  private static let use = [
    KnownFigure(
      "applicationTimeMetrics.cumulativeForegroundTime", .use, "in the foreground",
      in: "time in the foreground", .sum, from: "totalForegroundTimeMetric"),
    KnownFigure(
      "applicationTimeMetrics.cumulativeBackgroundTime", .use, "in the background",
      in: "time in the background", .sum, from: "totalBackgroundTimeMetric"),
    KnownFigure(
      "applicationTimeMetrics.cumulativeBackgroundAudioTime", .use, "background audio", .sum,
      from: "totalBackgroundAudioTimeMetric"),
    KnownFigure(
      "applicationTimeMetrics.cumulativeBackgroundLocationTime", .use, "background location", .sum,
      from: "totalBackgroundLocationTimeMetric"),
  ]

  private static let location = [
    ("BestAccuracy", "best accuracy", "bestAccuracy"),
    ("BestAccuracyForNavigation", "navigation", "bestAccuracyForNavigation"),
    ("NearestTenMetersAccuracy", "ten meters", "tenMeters"),
    ("HundredMetersAccuracy", "hundred meters", "oneHundredMeter"),
    ("KilometerAccuracy", "one kilometer", "oneKilometer"),
    ("ThreeKilometersAccuracy", "three kilometers", "threeKilometers"),
    ("ReducedAccuracy", "reduced accuracy", "reducedAccuracy"),
  ].map { name, label, key in
    KnownFigure(
      "locationActivityMetrics.cumulative\(name)Time", .location, label, in: "location, \(label)", .sum,
      from: "locationActivityTimeMetric.\(key)")
  }

  private static let disk = [
    ("BinaryFileSize", "binary files", "totalFileSizeMetric.binaryFileSize", ReportMember.Form.size),
    ("DataFileSize", "data files", "totalFileSizeMetric.dataFileSize", .size),
    ("CacheFolderSize", "caches", "totalFileSizeMetric.cacheFolderSize", .size),
    ("CloneSize", "clones", "totalFileSizeMetric.cloneSize", .size),
    ("DiskSpaceUsedSize", "all used", "totalDiskSpaceCapacityMetric.spaceUsed", .size),
    ("DiskSpaceCapacity", "capacity", "totalDiskSpaceCapacityMetric.capacity", .size),
    ("BinaryFileCount", "number of binary files", "totalFileCountMetric.binaryFileCount", .plain),
    ("DataFileCount", "number of data files", "totalFileCountMetric.dataFileCount", .plain),
  ].map { name, label, report, form in
    KnownFigure(
      "diskSpaceUsageMetrics.total\(name)", .diskSpace, label, in: "disk space, \(label)", .level,
      from: report, form)
  }

  private static let diagnostics = [
    KnownFigure("hangDiagnostics.hangDuration", .diagnostics, "hang duration", .level),
    KnownFigure(
      "cpuExceptionDiagnostics.totalCPUTime", .diagnostics, "CPU time", in: "CPU time of CPU exceptions",
      .level
    ),
    KnownFigure(
      "cpuExceptionDiagnostics.totalSampledTime", .diagnostics, "sampled time",
      in: "sampled time of CPU exceptions", .level),
    KnownFigure(
      "diskWriteExceptionDiagnostics.totalWritesCaused", .diagnostics, "writes",
      in: "writes of disk write exceptions", .level),
    KnownFigure("appLaunchDiagnostics.launchDuration", .diagnostics, "launch duration", .level),
  ]

  private static func exits(_ section: FigureSection, _ place: String) -> [KnownFigure] {
    ExitReason.allCases.map { reason in
      KnownFigure(
        "applicationExitMetrics.\(place)ExitData.\(reason.counterName)", section, reason.label,
        in: "\(place) exits, \(reason.label)", .exits(reason),
        from: reason.reportKey.map { "\(place)TerminationMetric.\($0)TerminationCount" }, .plain)
    }
  }
}

extension ExitReason {
  /// A short label.
  package var label: String {
    switch self {
    case .normal: "normal"
    case .memoryResourceLimit: "memory limit"
    case .badAccess: "bad access"
    case .abnormal: "abnormal"
    case .illegalInstruction: "illegal instruction"
    case .watchdog: "watchdog"
    case .cpuResourceLimit: "CPU limit"
    case .memoryPressure: "memory pressure"
    case .suspendedWithLockedFile: "locked file"
    case .backgroundTaskAssertionTimeout: "task timeout"
    case .backgroundURLSessionCompletionTimeout: "transfer timeout"
    case .backgroundFetchCompletionTimeout: "fetch timeout"
    }
  }

  /// The begin of its key in an iOS 27 report, which does not have all reasons.
  fileprivate var reportKey: String? {
    switch self {
    case .normal: "normal"
    case .memoryResourceLimit: "memoryLimit"
    case .badAccess: "badAccess"
    case .abnormal: "abnormal"
    case .illegalInstruction: "illegalInstruction"
    case .watchdog: "watchdog"
    case .cpuResourceLimit: "highCPU"
    case .memoryPressure: "systemPressure"
    case .suspendedWithLockedFile: "fileLock"
    case .backgroundTaskAssertionTimeout: "taskTimeout"
    case .backgroundURLSessionCompletionTimeout, .backgroundFetchCompletionTimeout: nil
    }
  }
}
