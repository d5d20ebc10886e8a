package import Codecs

extension MetricPayload {
  /// Why the app ended, by where it was.
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

    /// A section without figures.
    public init() {}
  }

  /// How often the app ended in the foreground, by reason; a count that is absent is zero.
  public struct ForegroundExitData: PayloadSection {
    /// Ended by the person or the app.
    public var cumulativeNormalAppExitCount = 0
    /// Used too much memory.
    public var cumulativeMemoryResourceLimitExitCount = 0
    /// Read or wrote where nothing is.
    public var cumulativeBadAccessExitCount = 0
    /// Aborted.
    public var cumulativeAbnormalExitCount = 0
    /// Ran into an illegal instruction.
    public var cumulativeIllegalInstructionExitCount = 0
    /// Did not answer in time.
    public var cumulativeAppWatchdogExitCount = 0
    /// Computed too much.
    public var cumulativeCPUResourceLimitExitCount = 0
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = ForegroundExit.allCases.map {
      SectionField($0.reason.counterName, $0.counter, .integer, absent: 0)
    }

    /// A section without figures.
    public init() {}
  }

  /// How often the app ended in the background, by reason; a count that is absent is zero.
  public struct BackgroundExitData: PayloadSection {
    /// Ended by the person or the app.
    public var cumulativeNormalAppExitCount = 0
    /// Used too much memory.
    public var cumulativeMemoryResourceLimitExitCount = 0
    /// Read or wrote where nothing is.
    public var cumulativeBadAccessExitCount = 0
    /// Aborted.
    public var cumulativeAbnormalExitCount = 0
    /// Ran into an illegal instruction.
    public var cumulativeIllegalInstructionExitCount = 0
    /// Did not answer in time.
    public var cumulativeAppWatchdogExitCount = 0
    /// Computed too much.
    public var cumulativeCPUResourceLimitExitCount = 0
    /// Made room for others.
    public var cumulativeMemoryPressureExitCount = 0
    /// Held a file locked while suspended.
    public var cumulativeSuspendedWithLockedFileExitCount = 0
    /// Did not end a task in time.
    public var cumulativeBackgroundTaskAssertionTimeoutExitCount = 0
    /// Did not finish a transfer in time.
    public var cumulativeBackgroundURLSessionCompletionTimeoutExitCount = 0
    /// Did not finish a fetch in time.
    public var cumulativeBackgroundFetchCompletionTimeoutExitCount = 0
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = ExitReason.allCases.map {
      SectionField($0.counterName, $0.counter, .integer, absent: 0)
    }

    /// A section without figures.
    public init() {}
  }
}
