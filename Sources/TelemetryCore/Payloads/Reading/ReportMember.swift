import Codecs

/// The place of a member of an iOS 27 report in the payloads of earlier systems.
///
/// One name for both, so that a figure of iOS 26 and one of iOS 27 are compared.
struct ReportMember {
  /// The form of a member, which differs from that of payloads.
  enum Form {
    /// A number or a text.
    case plain
    /// A number with its unit.
    case quantity
    /// An amount of bytes; megabytes are a thousand of the payload's kilobytes.
    case size
    /// A plain count, in thousands in payloads.
    case thousands
    /// A mean with its deviation and number of samples.
    case average(Scale)
    /// The mean alone.
    case mean
    case histogram
  }

  /// The unit of a mean.
  enum Scale { case size, symbol }

  /// The keys from the metric to the member.
  let source: [String]
  /// The keys in a payload.
  let target: [String]
  let form: Form

  init(_ source: String, _ target: String, _ form: Form) {
    self.source = source.split(separator: ".").map(String.init)
    self.target = target.split(separator: ".").map(String.init)
    self.form = form
  }
}

extension ReportMember {
  /// The members of each metric.
  static let metrics: [String: [ReportMember]] = [
    "cpuTimeMetric": [.init("value", "cpuMetrics.cumulativeCPUTime", .quantity)],
    "cpuInstructionsCountMetric": [.init("value", "cpuMetrics.cumulativeCPUInstructions", .thousands)],
    "gpuTimeMetric": [.init("value", "gpuMetrics.cumulativeGPUTime", .quantity)],
    "peakMemoryMetric": [.init("value", "memoryMetrics.peakMemoryUsage", .size)],
    "suspendedMemoryMetric": [.init("value", "memoryMetrics.averageSuspendedMemory", .average(.size))],
    "logicalDiskWritesMetric": [.init("value", "diskIOMetrics.cumulativeLogicalWrites", .size)],
    "pixelLuminanceMetric": [.init("value", "displayMetrics.averagePixelLuminance", .average(.symbol))],
    "totalWiFiUploadMetric": [.init("value", "networkTransferMetrics.cumulativeWifiUpload", .size)],
    "totalWiFiDownloadMetric": [.init("value", "networkTransferMetrics.cumulativeWifiDownload", .size)],
    "totalCellularUploadMetric": [.init("value", "networkTransferMetrics.cumulativeCellularUpload", .size)],
    "totalCellularDownloadMetric": [
      .init("value", "networkTransferMetrics.cumulativeCellularDownload", .size)
    ],
    "cellularConditionTimeMetric": [
      .init("histogram", "cellularConditionMetrics.cellConditionTime", .histogram)
    ],
    "locationActivityTimeMetric": location,
    "totalForegroundTimeMetric": [
      .init("value", "applicationTimeMetrics.cumulativeForegroundTime", .quantity)
    ],
    "totalBackgroundTimeMetric": [
      .init("value", "applicationTimeMetrics.cumulativeBackgroundTime", .quantity)
    ],
    "totalBackgroundAudioTimeMetric": [
      .init("value", "applicationTimeMetrics.cumulativeBackgroundAudioTime", .quantity)
    ],
    "totalBackgroundLocationTimeMetric": [
      .init("value", "applicationTimeMetrics.cumulativeBackgroundLocationTime", .quantity)
    ],
    "timeToFirstDrawMetric": [
      .init("histogram", "applicationLaunchMetrics.histogrammedTimeToFirstDrawKey", .histogram)
    ],
    "applicationResumeTimeMetric": [
      .init("histogram", "applicationLaunchMetrics.histogrammedResumeTime", .histogram)
    ],
    "optimizedTimeToFirstDrawMetric": [
      .init("histogram", "applicationLaunchMetrics.histogrammedOptimizedTimeToFirstDrawKey", .histogram)
    ],
    "extendedLaunchMetric": [
      .init("histogram", "applicationLaunchMetrics.histogrammedExtendedLaunch", .histogram)
    ],
    "hangTimeMetric": [
      .init("histogram", "applicationResponsivenessMetrics.histogrammedAppHangTime", .histogram)
    ],
    "hitchTimeMetric": [
      .init("ratio", "animationMetrics.hitchTimeRatio", .quantity),
      .init("totalHitchTime", "animationMetrics.totalHitchTime", .quantity),
      .init("totalAnimationTime", "animationMetrics.totalAnimationTime", .quantity),
    ],
    "foregroundTerminationMetric": terminations("foregroundExitData"),
    "backgroundTerminationMetric": terminations("backgroundExitData"),
    "totalFileCountMetric": [
      .init("binaryFileCount", "diskSpaceUsageMetrics.totalBinaryFileCount", .plain),
      .init("dataFileCount", "diskSpaceUsageMetrics.totalDataFileCount", .plain),
    ],
    "totalFileSizeMetric": [
      .init("binaryFileSize", "diskSpaceUsageMetrics.totalBinaryFileSize", .size),
      .init("dataFileSize", "diskSpaceUsageMetrics.totalDataFileSize", .size),
      .init("cacheFolderSize", "diskSpaceUsageMetrics.totalCacheFolderSize", .size),
      .init("cloneSize", "diskSpaceUsageMetrics.totalCloneSize", .size),
    ],
    "totalDiskSpaceCapacityMetric": [
      .init("spaceUsed", "diskSpaceUsageMetrics.totalDiskSpaceUsedSize", .size),
      .init("capacity", "diskSpaceUsageMetrics.totalDiskSpaceCapacity", .size),
    ],
  ]

  /// The members of metrics that occur once for each signpost or layer, by the list that they go to.
  static let lists: [String: (list: String, members: [ReportMember])] = [
    "signpostIntervalMetric": (
      "signpostMetrics",
      [
        .init("signpostName", "signpostName", .plain), .init("signpostCategory", "signpostCategory", .plain),
        .init("totalCount", "totalSignpostCount", .plain),
        .init("signpostDuration", "signpostIntervalData.histogrammedSignpostDurations", .histogram),
        .init("cpuTime", "signpostIntervalData.signpostCumulativeCPUTime", .quantity),
        .init("averageMemory", "signpostIntervalData.signpostAverageMemory", .mean),
        .init("logicalWrites", "signpostIntervalData.signpostCumulativeLogicalWrites", .size),
        .init("hitchTimeRatio", "signpostIntervalData.signpostCumulativeHitchTimeRatio", .quantity),
      ]
    ),
    "metalFrameRateMetric": (
      "frameRateMetrics",
      [
        .init("layerName", "layerName", .plain), .init("framesPerSecond", "framesPerSecond", .quantity),
        .init("frameCount", "frameCount", .plain),
        .init("activeDrawingDuration", "activeDrawingDuration", .quantity),
      ]
    ),
  ]

  private static let location: [ReportMember] = [
    ("bestAccuracy", "BestAccuracy"), ("bestAccuracyForNavigation", "BestAccuracyForNavigation"),
    ("tenMeters", "NearestTenMetersAccuracy"), ("oneHundredMeter", "HundredMetersAccuracy"),
    ("oneKilometer", "KilometerAccuracy"), ("threeKilometers", "ThreeKilometersAccuracy"),
    ("reducedAccuracy", "ReducedAccuracy"),
  ].map { ReportMember($0.0, "locationActivityMetrics.cumulative\($0.1)Time", .quantity) }

  private static func terminations(_ section: String) -> [ReportMember] {
    [
      ("normal", "NormalApp"), ("memoryLimit", "MemoryResourceLimit"), ("badAccess", "BadAccess"),
      ("abnormal", "Abnormal"), ("illegalInstruction", "IllegalInstruction"), ("watchdog", "AppWatchdog"),
      ("highCPU", "CPUResourceLimit"), ("systemPressure", "MemoryPressure"),
      ("fileLock", "SuspendedWithLockedFile"), ("taskTimeout", "BackgroundTaskAssertionTimeout"),
    ].map {
      ReportMember(
        "\($0.0)TerminationCount", "applicationExitMetrics.\(section).cumulative\($0.1)ExitCount", .plain)
    }
  }
}
