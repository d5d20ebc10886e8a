/// Why an app ended, as the exit counters of a payload tell it apart.
public enum ExitReason: String, Hashable, Sendable, CaseIterable, Codable {
  case normal
  case memoryResourceLimit
  case badAccess
  case abnormal
  case illegalInstruction
  case watchdog
  case cpuResourceLimit
  /// In the background only, as all that follow.
  case memoryPressure
  case suspendedWithLockedFile
  case backgroundTaskAssertionTimeout
  /// Written by systems, though not a part of their public API, as the next one.
  case backgroundURLSessionCompletionTimeout
  case backgroundFetchCompletionTimeout

  /// Whether the app is to blame: all but a normal end and the want of memory of the system as a whole.
  public var isFailure: Bool { self != .normal && self != .memoryPressure }
}

/// Whether an app could be seen when it ended.
public enum ExitPlace: String, Hashable, Sendable, CaseIterable, Codable {
  case foreground
  case background
}

extension MetricPayload.ForegroundExitData {
  /// Which reasons there are here.
  public static let reasons: [ExitReason] = [
    .normal, .memoryResourceLimit, .badAccess, .abnormal, .illegalInstruction, .watchdog, .cpuResourceLimit,
  ]

  /// The counter of a reason; 0, and not to be set, for one that only backgrounds have.
  public subscript(reason: ExitReason) -> Int {
    get { Self.counter(of: reason).map { self[keyPath: $0] } ?? 0 }
    set { if let counter = Self.counter(of: reason) { self[keyPath: counter] = newValue } }
  }

  private static func counter(of reason: ExitReason) -> WritableKeyPath<Self, Int>? {
    switch reason {
    case .normal: \.cumulativeNormalAppExitCount
    case .memoryResourceLimit: \.cumulativeMemoryResourceLimitExitCount
    case .badAccess: \.cumulativeBadAccessExitCount
    case .abnormal: \.cumulativeAbnormalExitCount
    case .illegalInstruction: \.cumulativeIllegalInstructionExitCount
    case .watchdog: \.cumulativeAppWatchdogExitCount
    case .cpuResourceLimit: \.cumulativeCPUResourceLimitExitCount
    case .memoryPressure, .suspendedWithLockedFile, .backgroundTaskAssertionTimeout,
      .backgroundURLSessionCompletionTimeout, .backgroundFetchCompletionTimeout:
      nil
    }
  }
}

extension MetricPayload.BackgroundExitData {
  /// The counter of a reason.
  public subscript(reason: ExitReason) -> Int {
    get { self[keyPath: Self.counter(of: reason)] }
    set { self[keyPath: Self.counter(of: reason)] = newValue }
  }

  private static func counter(of reason: ExitReason) -> WritableKeyPath<Self, Int> {
    switch reason {
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
