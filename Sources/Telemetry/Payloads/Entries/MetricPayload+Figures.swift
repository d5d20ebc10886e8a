import Essentials

extension MetricPayload {
  /// What the payload tells: sections in Apple's order, then the app's own signposts.
  ///
  /// A section that is absent gives nothing, nor does an average without samples. Exits are counted where their section
  /// is there, also those that the payload leaves out because there were none.
  public var figures: [PayloadFigure] {
    var list = FigureList(applicationVersion: latestApplicationVersion)
    cpuMetrics?.add(to: &list)
    list.add("gpuMetrics.cumulativeGPUTime", gpuMetrics?.cumulativeGPUTime, in: .seconds)
    memoryMetrics?.add(to: &list)
    list.add("diskIOMetrics.cumulativeLogicalWrites", diskIOMetrics?.cumulativeLogicalWrites, in: .kilobytes)
    list.add(
      "displayMetrics.averagePixelLuminance", displayMetrics?.averagePixelLuminance,
      Unit.averagePixelLuminance.symbol, value: \.value)
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
    addSignposts(to: &list)
    return list.figures
  }
}

extension MetricPayload.CPUMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("cpuMetrics.cumulativeCPUTime", cumulativeCPUTime, in: .seconds)
    list.add("cpuMetrics.cumulativeCPUInstructions", cumulativeCPUInstructions, in: .kiloinstructions)
  }
}

extension MetricPayload.MemoryMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("memoryMetrics.peakMemoryUsage", peakMemoryUsage, in: .kilobytes)
    list.add(
      "memoryMetrics.averageSuspendedMemory", averageSuspendedMemory, PayloadUnit.kilobytes.word,
      value: { $0.value(in: .kilobytes) })
  }
}

extension MetricPayload.NetworkTransferMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("networkTransferMetrics.cumulativeWifiUpload", cumulativeWifiUpload, in: .kilobytes)
    list.add("networkTransferMetrics.cumulativeWifiDownload", cumulativeWifiDownload, in: .kilobytes)
    list.add("networkTransferMetrics.cumulativeCellularUpload", cumulativeCellularUpload, in: .kilobytes)
    list.add("networkTransferMetrics.cumulativeCellularDownload", cumulativeCellularDownload, in: .kilobytes)
  }
}

extension MetricPayload.LocationActivityMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("locationActivityMetrics.cumulativeBestAccuracyTime", cumulativeBestAccuracyTime, in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeBestAccuracyForNavigationTime",
      cumulativeBestAccuracyForNavigationTime, in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeNearestTenMetersAccuracyTime",
      cumulativeNearestTenMetersAccuracyTime, in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeHundredMetersAccuracyTime", cumulativeHundredMetersAccuracyTime,
      in: .seconds)
    list.add(
      "locationActivityMetrics.cumulativeKilometerAccuracyTime", cumulativeKilometerAccuracyTime, in: .seconds
    )
    list.add(
      "locationActivityMetrics.cumulativeThreeKilometersAccuracyTime", cumulativeThreeKilometersAccuracyTime,
      in: .seconds)
  }
}

extension MetricPayload.ApplicationTimeMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("applicationTimeMetrics.cumulativeForegroundTime", cumulativeForegroundTime, in: .seconds)
    list.add("applicationTimeMetrics.cumulativeBackgroundTime", cumulativeBackgroundTime, in: .seconds)
    list.add(
      "applicationTimeMetrics.cumulativeBackgroundAudioTime", cumulativeBackgroundAudioTime, in: .seconds)
    list.add(
      "applicationTimeMetrics.cumulativeBackgroundLocationTime", cumulativeBackgroundLocationTime,
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
    list.add("animationMetrics.scrollHitchTimeRatio", scrollHitchTimeRatio, in: .hitchTimeRatio)
    list.add("animationMetrics.hitchTimeRatio", hitchTimeRatio, in: .hitchTimeRatio)
  }
}

extension MetricPayload.DiskSpaceUsageMetric {
  fileprivate func add(to list: inout FigureList) {
    list.add("diskSpaceUsageMetrics.totalBinaryFileSize", totalBinaryFileSize, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalDataFileSize", totalDataFileSize, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalCacheFolderSize", totalCacheFolderSize, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalCloneSize", totalCloneSize, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalDiskSpaceUsedSize", totalDiskSpaceUsedSize, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalDiskSpaceCapacity", totalDiskSpaceCapacity, in: .kilobytes)
    list.add("diskSpaceUsageMetrics.totalBinaryFileCount", count: totalBinaryFileCount)
    list.add("diskSpaceUsageMetrics.totalDataFileCount", count: totalDataFileCount)
  }
}
