public import Essentials

extension MetricPayload {
  /// What was computed.
  public struct CPUMetric: PayloadSection {
    /// The processor time.
    public var cumulativeCPUTime: Measurement<UnitDuration>?
    /// The instructions, in thousands.
    public var cumulativeCPUInstructions: Measurement<Unit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeCPUTime", \.cumulativeCPUTime, .duration(.seconds)),
      SectionField("cumulativeCPUInstructions", \.cumulativeCPUInstructions, .symbol(.kiloinstructions)),
    ]

    /// A section without figures.
    public init() {}
  }

  /// What the graphics processor did.
  public struct GPUMetric: PayloadSection {
    /// Its time.
    public var cumulativeGPUTime: Measurement<UnitDuration>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeGPUTime", \.cumulativeGPUTime, .duration(.seconds))
    ]

    /// A section without figures.
    public init() {}
  }

  /// What the memory held; kB are of 1024 bytes, whatever the unit of the measurement says.
  public struct MemoryMetric: PayloadSection {
    /// The most that was used.
    public var peakMemoryUsage: Measurement<UnitInformationStorage>?
    /// What was used at the moments the app was suspended.
    public var averageSuspendedMemory: MetricAverage<UnitInformationStorage>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("peakMemoryUsage", \.peakMemoryUsage, .information(.kilobytes)),
      SectionField("averageSuspendedMemory", \.averageSuspendedMemory, .average(.information(.kilobytes))),
    ]

    /// A section without figures.
    public init() {}
  }

  /// What was written to disk; kB are of 1024 bytes.
  public struct DiskIOMetric: PayloadSection {
    /// All writes.
    public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeLogicalWrites", \.cumulativeLogicalWrites, .information(.kilobytes))
    ]

    /// A section without figures.
    public init() {}
  }

  /// What the display showed.
  public struct DisplayMetric: PayloadSection {
    /// The mean luminance; the samples are frames.
    public var averagePixelLuminance: MetricAverage<Unit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "averagePixelLuminance", \.averagePixelLuminance, .average(.symbol(.averagePixelLuminance)))
    ]

    /// A section without figures.
    public init() {}
  }

  /// What went over networks; kB are of 1024 bytes.
  public struct NetworkTransferMetric: PayloadSection {
    /// Sent over Wi-Fi.
    public var cumulativeWifiUpload: Measurement<UnitInformationStorage>?
    /// Received over Wi-Fi.
    public var cumulativeWifiDownload: Measurement<UnitInformationStorage>?
    /// Sent over the cellular network.
    public var cumulativeCellularUpload: Measurement<UnitInformationStorage>?
    /// Received over the cellular network.
    public var cumulativeCellularDownload: Measurement<UnitInformationStorage>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeWifiUpload", \.cumulativeWifiUpload, .information(.kilobytes)),
      SectionField("cumulativeWifiDownload", \.cumulativeWifiDownload, .information(.kilobytes)),
      SectionField("cumulativeCellularUpload", \.cumulativeCellularUpload, .information(.kilobytes)),
      SectionField("cumulativeCellularDownload", \.cumulativeCellularDownload, .information(.kilobytes)),
    ]

    /// A section without figures.
    public init() {}
  }

  /// How good the cellular network was.
  public struct CellularConditionMetric: PayloadSection {
    /// The percent of the time by bars.
    public var histogrammedCellularConditionTime: CellularHistogram?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "cellConditionTime", \.histogrammedCellularConditionTime, .cellular,
        aliases: ["histogrammedCellularConditionTime", "cellularConditionTime"])
    ]

    /// A section without figures.
    public init() {}
  }

  /// What the app takes on disk; here, other than elsewhere, kB are of 1000 bytes.
  public struct DiskSpaceUsageMetric: PayloadSection {
    /// The program.
    public var totalBinaryFileSize: Measurement<UnitInformationStorage>?
    /// Its data.
    public var totalDataFileSize: Measurement<UnitInformationStorage>?
    /// Its caches.
    public var totalCacheFolderSize: Measurement<UnitInformationStorage>?
    /// Clones of files.
    public var totalCloneSize: Measurement<UnitInformationStorage>?
    /// All that is used.
    public var totalDiskSpaceUsedSize: Measurement<UnitInformationStorage>?
    /// The whole disk.
    public var totalDiskSpaceCapacity: Measurement<UnitInformationStorage>?
    /// How many files the program has.
    public var totalBinaryFileCount: Int?
    /// How many files its data are.
    public var totalDataFileCount: Int?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("totalBinaryFileSize", \.totalBinaryFileSize, .information(.kilobytes)),
      SectionField("totalDataFileSize", \.totalDataFileSize, .information(.kilobytes)),
      SectionField("totalCacheFolderSize", \.totalCacheFolderSize, .information(.kilobytes)),
      SectionField("totalCloneSize", \.totalCloneSize, .information(.kilobytes)),
      SectionField("totalDiskSpaceUsedSize", \.totalDiskSpaceUsedSize, .information(.kilobytes)),
      SectionField("totalDiskSpaceCapacity", \.totalDiskSpaceCapacity, .information(.kilobytes)),
      SectionField("totalBinaryFileCount", \.totalBinaryFileCount, .integer),
      SectionField("totalDataFileCount", \.totalDataFileCount, .integer),
    ]

    /// A section without figures.
    public init() {}
  }
}
