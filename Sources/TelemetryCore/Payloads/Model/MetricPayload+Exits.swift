package import Codecs

extension MetricPayload {
  /// Exit counts by reason, for foreground and background.
  public struct ApplicationExitMetric: PayloadSection {
    /// In the foreground.
    public var foregroundExitData: ForegroundExitData?
    /// In the background.
    public var backgroundExitData: BackgroundExitData?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("foregroundExitData", \.foregroundExitData, .section),
      SectionField("backgroundExitData", \.backgroundExitData, .section),
    ]

    /// An empty section.
    public init() {}
  }

  /// Number of foreground exits by reason; an absent count is zero.
  public struct ForegroundExitData: PayloadSection {
    /// Quit by the user or the app.
    public var cumulativeNormalAppExitCount = 0
    /// Exceeded the memory limit.
    public var cumulativeMemoryResourceLimitExitCount = 0
    /// Accessed invalid memory.
    public var cumulativeBadAccessExitCount = 0
    /// Aborted.
    public var cumulativeAbnormalExitCount = 0
    /// Executed an illegal instruction.
    public var cumulativeIllegalInstructionExitCount = 0
    /// Did not respond in time.
    public var cumulativeAppWatchdogExitCount = 0
    /// Exceeded the processor limit.
    public var cumulativeCPUResourceLimitExitCount = 0
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = ForegroundExit.allCases.map {
      SectionField($0.reason.counterName, $0.counter, .count, absent: 0)
    }

    /// An empty section.
    public init() {}
  }

  /// Number of background exits by reason; an absent count is zero.
  public struct BackgroundExitData: PayloadSection {
    /// Quit by the user or the app.
    public var cumulativeNormalAppExitCount = 0
    /// Exceeded the memory limit.
    public var cumulativeMemoryResourceLimitExitCount = 0
    /// Accessed invalid memory.
    public var cumulativeBadAccessExitCount = 0
    /// Aborted.
    public var cumulativeAbnormalExitCount = 0
    /// Executed an illegal instruction.
    public var cumulativeIllegalInstructionExitCount = 0
    /// Did not respond in time.
    public var cumulativeAppWatchdogExitCount = 0
    /// Exceeded the processor limit.
    public var cumulativeCPUResourceLimitExitCount = 0
    /// Terminated to free memory for others.
    public var cumulativeMemoryPressureExitCount = 0
    /// Held a file locked while suspended.
    public var cumulativeSuspendedWithLockedFileExitCount = 0
    /// Did not end a background task in time.
    public var cumulativeBackgroundTaskAssertionTimeoutExitCount = 0
    /// Did not finish a transfer in time.
    public var cumulativeBackgroundURLSessionCompletionTimeoutExitCount = 0
    /// Did not finish a fetch in time.
    public var cumulativeBackgroundFetchCompletionTimeoutExitCount = 0
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = ExitReason.allCases.map {
      SectionField($0.counterName, $0.counter, .count, absent: 0)
    }

    /// An empty section.
    public init() {}
  }
}
