extension MetricPayload.ForegroundExitData {
  private static let counts: [(name: String, count: @Sendable (Self) -> Int)] = [
    (
      "applicationExitMetrics.foregroundExitData.cumulativeNormalAppExitCount",
      { $0.cumulativeNormalAppExitCount }
    ),
    (
      "applicationExitMetrics.foregroundExitData.cumulativeMemoryResourceLimitExitCount",
      { $0.cumulativeMemoryResourceLimitExitCount }
    ),
    (
      "applicationExitMetrics.foregroundExitData.cumulativeBadAccessExitCount",
      { $0.cumulativeBadAccessExitCount }
    ),
    (
      "applicationExitMetrics.foregroundExitData.cumulativeAbnormalExitCount",
      { $0.cumulativeAbnormalExitCount }
    ),
    (
      "applicationExitMetrics.foregroundExitData.cumulativeIllegalInstructionExitCount",
      { $0.cumulativeIllegalInstructionExitCount }
    ),
    (
      "applicationExitMetrics.foregroundExitData.cumulativeAppWatchdogExitCount",
      { $0.cumulativeAppWatchdogExitCount }
    ),
    (
      "applicationExitMetrics.foregroundExitData.cumulativeCPUResourceLimitExitCount",
      { $0.cumulativeCPUResourceLimitExitCount }
    ),
  ]

  func add(to list: inout FigureList) {
    for (name, count) in Self.counts { list.add(name, count: count(self)) }
  }
}

extension MetricPayload.BackgroundExitData {
  private static let counts: [(name: String, count: @Sendable (Self) -> Int)] = [
    (
      "applicationExitMetrics.backgroundExitData.cumulativeNormalAppExitCount",
      { $0.cumulativeNormalAppExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeMemoryResourceLimitExitCount",
      { $0.cumulativeMemoryResourceLimitExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeBadAccessExitCount",
      { $0.cumulativeBadAccessExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeAbnormalExitCount",
      { $0.cumulativeAbnormalExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeIllegalInstructionExitCount",
      { $0.cumulativeIllegalInstructionExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeAppWatchdogExitCount",
      { $0.cumulativeAppWatchdogExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeCPUResourceLimitExitCount",
      { $0.cumulativeCPUResourceLimitExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeMemoryPressureExitCount",
      { $0.cumulativeMemoryPressureExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeSuspendedWithLockedFileExitCount",
      { $0.cumulativeSuspendedWithLockedFileExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeBackgroundTaskAssertionTimeoutExitCount",
      { $0.cumulativeBackgroundTaskAssertionTimeoutExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeBackgroundURLSessionCompletionTimeoutExitCount",
      { $0.cumulativeBackgroundURLSessionCompletionTimeoutExitCount }
    ),
    (
      "applicationExitMetrics.backgroundExitData.cumulativeBackgroundFetchCompletionTimeoutExitCount",
      { $0.cumulativeBackgroundFetchCompletionTimeoutExitCount }
    ),
  ]

  func add(to list: inout FigureList) {
    for (name, count) in Self.counts { list.add(name, count: count(self)) }
  }
}
