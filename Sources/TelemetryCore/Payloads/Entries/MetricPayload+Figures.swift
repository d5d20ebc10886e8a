import Essentials

extension MetricPayload {
  /// The payload's figures: sections in Apple's order, then the app's own signposts.
  ///
  /// Absent sections and averages without samples yield nothing. Every exit count of a present section yields a
  /// figure, even those that the payload leaves out because they are zero.
  public var figures: [PayloadFigure] {
    var list = FigureList(applicationVersion: latestApplicationVersion)
    cpuMetrics?.add(to: &list)
    list.add("gpuMetrics.cumulativeGPUTime", gpuMetrics?.cumulativeGPUTimeQuantity, in: .seconds)
    memoryMetrics?.add(to: &list)
    list.add(
      "diskIOMetrics.cumulativeLogicalWrites", diskIOMetrics?.cumulativeLogicalWritesQuantity, in: .kilobytes)
    list.add(
      "displayMetrics.averagePixelLuminance", displayMetrics?.averagePixelLuminanceQuantity,
      SymbolUnit.averagePixelLuminance.symbol, value: \.value)
    networkTransferMetrics?.add(to: &list)
    locationActivityMetrics?.add(to: &list)
    list.add(
      "cellularConditionMetrics.histogrammedCellularConditionTime",
      cellularConditionMetrics?.histogrammedCellularConditionTime)
    applicationTimeMetrics?.add(to: &list)
    applicationLaunchMetrics?.add(to: &list)
    list.add(
      "applicationResponsivenessMetrics.histogrammedApplicationHangTime",
      applicationResponsivenessMetrics?.histogrammedApplicationHangTime)
    animationMetrics?.add(to: &list)
    applicationExitMetrics?.foregroundExitData?.add(to: &list)
    applicationExitMetrics?.backgroundExitData?.add(to: &list)
    diskSpaceUsageMetrics?.add(to: &list)
    for layer in frameRateMetrics ?? [] { layer.add(to: &list) }
    addSignposts(to: &list)
    return list.figures + stateFigures
  }
}

extension MetricPayload.CPUMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("cpuMetrics.cumulativeCPUTime", cumulativeCPUTimeQuantity, in: .seconds)
    list.add("cpuMetrics.cumulativeCPUInstructions", cumulativeCPUInstructionsQuantity, in: .kiloinstructions)
  }
}

extension MetricPayload.MemoryMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("memoryMetrics.peakMemoryUsage", peakMemoryUsageQuantity, in: .kilobytes)
    list.add(
      "memoryMetrics.averageSuspendedMemory", averageSuspendedMemoryQuantity, PayloadUnit.kilobytes.word,
      value: { $0.value(in: .kilobytes) })
  }
}

extension MetricPayload.NetworkTransferMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("networkTransferMetrics.cumulativeWifiUpload", cumulativeWifiUploadQuantity, in: .kilobytes)
    list.add("networkTransferMetrics.cumulativeWifiDownload", cumulativeWifiDownloadQuantity, in: .kilobytes)
    list.add(
      "networkTransferMetrics.cumulativeCellularUpload", cumulativeCellularUploadQuantity, in: .kilobytes)
    list.add(
      "networkTransferMetrics.cumulativeCellularDownload", cumulativeCellularDownloadQuantity, in: .kilobytes)
  }
}

extension MetricPayload.LocationActivityMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add(
      "locationActivityMetrics.cumulativeBestAccuracyTime", cumulativeBestAccuracyTimeQuantity, in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeBestAccuracyForNavigationTime",
      cumulativeBestAccuracyForNavigationTimeQuantity, in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeNearestTenMetersAccuracyTime",
      cumulativeNearestTenMetersAccuracyTimeQuantity, in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeHundredMetersAccuracyTime",
      cumulativeHundredMetersAccuracyTimeQuantity,
      in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeKilometerAccuracyTime", cumulativeKilometerAccuracyTimeQuantity,
      in: .seconds
    )
    list.add(
      "locationActivityMetrics.cumulativeThreeKilometersAccuracyTime",
      cumulativeThreeKilometersAccuracyTimeQuantity,
      in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeReducedAccuracyTime", cumulativeReducedAccuracyTimeQuantity,
      in: .seconds)
  }
}

extension MetricPayload.ApplicationTimeMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add(
      "applicationTimeMetrics.cumulativeForegroundTime", cumulativeForegroundTimeQuantity, in: .seconds)
    list.add(
      "applicationTimeMetrics.cumulativeBackgroundTime", cumulativeBackgroundTimeQuantity, in: .seconds)
    list.add(
      "applicationTimeMetrics.cumulativeBackgroundAudioTime", cumulativeBackgroundAudioTimeQuantity,
      in: .seconds)
    list.add(
      "applicationTimeMetrics.cumulativeBackgroundLocationTime", cumulativeBackgroundLocationTimeQuantity,
      in: .seconds)
  }
}

extension MetricPayload.ApplicationLaunchMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("applicationLaunchMetrics.histogrammedTimeToFirstDraw", histogrammedTimeToFirstDraw)
    list.add("applicationLaunchMetrics.histogrammedApplicationResumeTime", histogrammedApplicationResumeTime)
    list.add(
      "applicationLaunchMetrics.histogrammedOptimizedTimeToFirstDraw", histogrammedOptimizedTimeToFirstDraw)
    list.add("applicationLaunchMetrics.histogrammedExtendedLaunch", histogrammedExtendedLaunch)
  }
}

extension MetricPayload.AnimationMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("animationMetrics.scrollHitchTimeRatio", scrollHitchTimeRatioQuantity, in: .hitchTimeRatio)
    list.add("animationMetrics.hitchTimeRatio", hitchTimeRatioQuantity, in: .hitchTimeRatio)
    list.add("animationMetrics.totalHitchTime", totalHitchTimeQuantity, in: .milliseconds)
    list.add("animationMetrics.totalAnimationTime", totalAnimationTimeQuantity, in: .milliseconds)
  }
}

extension MetricPayload.DiskSpaceUsageMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("diskSpaceUsageMetrics.totalBinaryFileSize", totalBinaryFileSizeQuantity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalDataFileSize", totalDataFileSizeQuantity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalCacheFolderSize", totalCacheFolderSizeQuantity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalCloneSize", totalCloneSizeQuantity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalDiskSpaceUsedSize", totalDiskSpaceUsedSizeQuantity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalDiskSpaceCapacity", totalDiskSpaceCapacityQuantity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalBinaryFileCount", count: totalBinaryFileCount)
    list.add("diskSpaceUsageMetrics.totalDataFileCount", count: totalDataFileCount)
  }
}

extension MetricPayload.FrameRateMetric {
  fileprivate func add(to list: inout FigureList) {
    let prefix = "frameRateMetrics.\(PayloadFigure.escaped(layerName))."
    list.add(prefix + "framesPerSecond", framesPerSecondQuantity, in: .hertz)
    list.add(prefix + "frameCount", count: frameCount)
    list.add(prefix + "activeDrawingDuration", activeDrawingDurationQuantity, in: .seconds)
  }
}
