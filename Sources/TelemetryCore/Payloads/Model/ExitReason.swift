/// Why an app ended, as the exit counters of a payload tell it apart; in the background for all of these reasons.
public enum ExitReason: String, Hashable, Sendable, CaseIterable, Codable {
  /// Ended by the person or the app.
  case normal
  /// Used too much memory.
  case memoryResourceLimit
  /// Read or wrote where nothing is.
  case badAccess
  /// Aborted.
  case abnormal
  /// Ran into an illegal instruction.
  case illegalInstruction
  /// Did not answer in time.
  case watchdog
  /// Computed too much.
  case cpuResourceLimit
  /// Made room for others.
  case memoryPressure
  /// Held a file locked while suspended.
  case suspendedWithLockedFile
  /// Did not end a task in time.
  case backgroundTaskAssertionTimeout
  /// Did not finish a transfer in time; systems write it, though it is not a part of their public API.
  case backgroundURLSessionCompletionTimeout
  /// Did not finish a fetch in time; as the one before.
  case backgroundFetchCompletionTimeout

  /// The key of its counter in a payload.
  package var counterName: String {
    switch self {
    case .normal: "cumulativeNormalAppExitCount"
    case .memoryResourceLimit: "cumulativeMemoryResourceLimitExitCount"
    case .badAccess: "cumulativeBadAccessExitCount"
    case .abnormal: "cumulativeAbnormalExitCount"
    case .illegalInstruction: "cumulativeIllegalInstructionExitCount"
    case .watchdog: "cumulativeAppWatchdogExitCount"
    case .cpuResourceLimit: "cumulativeCPUResourceLimitExitCount"
    case .memoryPressure: "cumulativeMemoryPressureExitCount"
    case .suspendedWithLockedFile: "cumulativeSuspendedWithLockedFileExitCount"
    case .backgroundTaskAssertionTimeout: "cumulativeBackgroundTaskAssertionTimeoutExitCount"
    case .backgroundURLSessionCompletionTimeout: "cumulativeBackgroundURLSessionCompletionTimeoutExitCount"
    case .backgroundFetchCompletionTimeout: "cumulativeBackgroundFetchCompletionTimeoutExitCount"
    }
  }

  /// Where a payload counts it in the background.
  var counter: any WritableKeyPath<MetricPayload.BackgroundExitData, Int> & Sendable {
    switch self {
    case .normal: \.cumulativeNormalAppExitCount
    case .memoryResourceLimit: \.cumulativeMemoryResourceLimitExitCount
    case .badAccess: \.cumulativeBadAccessExitCount
    case .abnormal: \.cumulativeAbnormalExitCount
    case .illegalInstruction: \.cumulativeIllegalInstructionExitCount
    case .watchdog: \.cumulativeAppWatchdogExitCount
    case .cpuResourceLimit: \.cumulativeCPUResourceLimitExitCount
    case .memoryPressure: \.cumulativeMemoryPressureExitCount
    case .suspendedWithLockedFile: \.cumulativeSuspendedWithLockedFileExitCount
    case .backgroundTaskAssertionTimeout: \.cumulativeBackgroundTaskAssertionTimeoutExitCount
    case .backgroundURLSessionCompletionTimeout: \.cumulativeBackgroundURLSessionCompletionTimeoutExitCount
    case .backgroundFetchCompletionTimeout: \.cumulativeBackgroundFetchCompletionTimeoutExitCount
    }
  }
}

/// Why an app ended in the foreground.
public enum ForegroundExit: CaseIterable, Hashable, Sendable {
  /// See the same reasons of ``ExitReason``.
  case normal, memoryResourceLimit, badAccess, abnormal, illegalInstruction, watchdog, cpuResourceLimit

  /// The reason among all.
  public var reason: ExitReason {
    switch self {
    case .normal: .normal
    case .memoryResourceLimit: .memoryResourceLimit
    case .badAccess: .badAccess
    case .abnormal: .abnormal
    case .illegalInstruction: .illegalInstruction
    case .watchdog: .watchdog
    case .cpuResourceLimit: .cpuResourceLimit
    }
  }

  /// Where a payload counts it.
  var counter: any WritableKeyPath<MetricPayload.ForegroundExitData, Int> & Sendable {
    switch self {
    case .normal: \.cumulativeNormalAppExitCount
    case .memoryResourceLimit: \.cumulativeMemoryResourceLimitExitCount
    case .badAccess: \.cumulativeBadAccessExitCount
    case .abnormal: \.cumulativeAbnormalExitCount
    case .illegalInstruction: \.cumulativeIllegalInstructionExitCount
    case .watchdog: \.cumulativeAppWatchdogExitCount
    case .cpuResourceLimit: \.cumulativeCPUResourceLimitExitCount
    }
  }
}

extension MetricPayload.ForegroundExitData {
  /// The counter of a reason.
  public subscript(exit: ForegroundExit) -> Int {
    get { self[keyPath: exit.counter] }
    set { self[keyPath: exit.counter] = newValue }
  }
}

extension MetricPayload.BackgroundExitData {
  /// The counter of a reason.
  public subscript(reason: ExitReason) -> Int {
    get { self[keyPath: reason.counter] }
    set { self[keyPath: reason.counter] = newValue }
  }
}
