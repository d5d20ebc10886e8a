package import Codecs

extension MetricPayload {
  /// Processor use.
  public struct CPUMetric: PayloadSection {
    /// The processor time.
    package var cumulativeCPUTimeQuantity: Quantity<DurationUnit>?
    /// The instructions, in thousands.
    package var cumulativeCPUInstructionsQuantity: Quantity<SymbolUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeCPUTime", \.cumulativeCPUTimeQuantity, .duration(.seconds)),
      SectionField(
        "cumulativeCPUInstructions", \.cumulativeCPUInstructionsQuantity, .symbol(.kiloinstructions)),
    ]

    /// An empty section.
    public init() {}
  }

  /// Graphics processor use.
  public struct GPUMetric: PayloadSection {
    /// Graphics processor time.
    package var cumulativeGPUTimeQuantity: Quantity<DurationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeGPUTime", \.cumulativeGPUTimeQuantity, .duration(.seconds))
    ]

    /// An empty section.
    public init() {}
  }

  /// Memory use; a kB is 1,024 bytes, whatever the unit of the measurement says.
  public struct MemoryMetric: PayloadSection {
    /// Peak memory use.
    package var peakMemoryUsageQuantity: Quantity<InformationUnit>?
    /// The mean memory at the moments when the app was suspended.
    package var averageSuspendedMemoryQuantity: QuantityAverage<InformationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("peakMemoryUsage", \.peakMemoryUsageQuantity, .kibibytes),
      SectionField(
        "averageSuspendedMemory", \.averageSuspendedMemoryQuantity, .average(.kibibytes)),
    ]

    /// An empty section.
    public init() {}
  }

  /// Disk writes; a kB is 1,024 bytes.
  public struct DiskIOMetric: PayloadSection {
    /// All writes.
    package var cumulativeLogicalWritesQuantity: Quantity<InformationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeLogicalWrites", \.cumulativeLogicalWritesQuantity, .kibibytes)
    ]

    /// An empty section.
    public init() {}
  }

  /// Measurements of the display.
  public struct DisplayMetric: PayloadSection {
    /// The mean luminance; the samples are frames.
    package var averagePixelLuminanceQuantity: QuantityAverage<SymbolUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "averagePixelLuminance", \.averagePixelLuminanceQuantity, .average(.symbol(.averagePixelLuminance)))
    ]

    /// An empty section.
    public init() {}
  }

  /// Network transfers; a kB is 1,024 bytes.
  public struct NetworkTransferMetric: PayloadSection {
    /// Sent over Wi-Fi.
    package var cumulativeWifiUploadQuantity: Quantity<InformationUnit>?
    /// Received over Wi-Fi.
    package var cumulativeWifiDownloadQuantity: Quantity<InformationUnit>?
    /// Sent over the cellular network.
    package var cumulativeCellularUploadQuantity: Quantity<InformationUnit>?
    /// Received over the cellular network.
    package var cumulativeCellularDownloadQuantity: Quantity<InformationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeWifiUpload", \.cumulativeWifiUploadQuantity, .kibibytes),
      SectionField("cumulativeWifiDownload", \.cumulativeWifiDownloadQuantity, .kibibytes),
      SectionField("cumulativeCellularUpload", \.cumulativeCellularUploadQuantity, .kibibytes),
      SectionField(
        "cumulativeCellularDownload", \.cumulativeCellularDownloadQuantity, .kibibytes),
    ]

    /// An empty section.
    public init() {}
  }

  /// Cellular signal quality.
  public struct CellularConditionMetric: PayloadSection {
    /// Percentage of time by signal bars.
    public var histogrammedCellularConditionTime: CellularHistogram?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "cellConditionTime", \.histogrammedCellularConditionTime, .cellular,
        swiftName: "histogrammedCellularConditionTime", aliases: ["cellularConditionTime"])
    ]

    /// An empty section.
    public init() {}
  }

  /// Disk space of the app; here, unlike elsewhere, a kB is 1,000 bytes.
  public struct DiskSpaceUsageMetric: PayloadSection {
    /// Size of the program files.
    package var totalBinaryFileSizeQuantity: Quantity<InformationUnit>?
    /// Size of the data files.
    package var totalDataFileSizeQuantity: Quantity<InformationUnit>?
    /// Size of the caches.
    package var totalCacheFolderSizeQuantity: Quantity<InformationUnit>?
    /// Size of file clones.
    package var totalCloneSizeQuantity: Quantity<InformationUnit>?
    /// All disk space in use.
    package var totalDiskSpaceUsedSizeQuantity: Quantity<InformationUnit>?
    /// Capacity of the disk.
    package var totalDiskSpaceCapacityQuantity: Quantity<InformationUnit>?
    /// Number of program files.
    public var totalBinaryFileCount: Int?
    /// Number of data files.
    public var totalDataFileCount: Int?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("totalBinaryFileSize", \.totalBinaryFileSizeQuantity, .decimalKilobytes),
      SectionField("totalDataFileSize", \.totalDataFileSizeQuantity, .decimalKilobytes),
      SectionField("totalCacheFolderSize", \.totalCacheFolderSizeQuantity, .decimalKilobytes),
      SectionField("totalCloneSize", \.totalCloneSizeQuantity, .decimalKilobytes),
      SectionField("totalDiskSpaceUsedSize", \.totalDiskSpaceUsedSizeQuantity, .decimalKilobytes),
      SectionField("totalDiskSpaceCapacity", \.totalDiskSpaceCapacityQuantity, .decimalKilobytes),
      SectionField("totalBinaryFileCount", \.totalBinaryFileCount, .count),
      SectionField("totalDataFileCount", \.totalDataFileCount, .count),
    ]

    /// An empty section.
    public init() {}
  }
}
