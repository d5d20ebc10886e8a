/// The reason why an app ended, as told apart by a payload's exit counters; in the background all of them occur.
public enum ExitReason: String, Hashable, Sendable, CaseIterable, Codable {
  /// Quit by the user or the app.
  case normal
  /// Exceeded the memory limit.
  case memoryResourceLimit
  /// Accessed invalid memory.
  case badAccess
  /// Aborted.
  case abnormal
  /// Executed an illegal instruction.
  case illegalInstruction
  /// Did not respond in time.
  case watchdog
  /// Exceeded the processor limit.
  case cpuResourceLimit
  /// Terminated to free memory for others.
  case memoryPressure
  /// Held a file locked while suspended.
  case suspendedWithLockedFile
  /// Did not end a background task in time.
  case backgroundTaskAssertionTimeout
  /// Did not finish a transfer in time; written by systems, though not part of their public API.
  case backgroundURLSessionCompletionTimeout
  /// Did not finish a fetch in time; also not part of the public API.
  case backgroundFetchCompletionTimeout

  /// The key of its background counter in a payload.
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

  /// The payload's background counter.
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

/// The reason why an app ended in the foreground.
public enum ForegroundExit: CaseIterable, Hashable, Sendable {
  /// The reasons of the same names in ``ExitReason``.
  case normal, memoryResourceLimit, badAccess, abnormal, illegalInstruction, watchdog, cpuResourceLimit

  /// The same reason as an ``ExitReason``.
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

  /// The payload's foreground counter.
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
