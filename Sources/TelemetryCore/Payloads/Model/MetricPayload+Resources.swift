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

    /// A section without figures.
    public init() {}
  }

  /// Use of the graphics processor.
  public struct GPUMetric: PayloadSection {
    /// Its time.
    package var cumulativeGPUTimeQuantity: Quantity<DurationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeGPUTime", \.cumulativeGPUTimeQuantity, .duration(.seconds))
    ]

    /// A section without figures.
    public init() {}
  }

  /// Memory use; kB are of 1024 bytes, whatever the unit of the measurement says.
  public struct MemoryMetric: PayloadSection {
    /// The most that was used.
    package var peakMemoryUsageQuantity: Quantity<InformationUnit>?
    /// The mean of the moments at which the app was suspended.
    package var averageSuspendedMemoryQuantity: QuantityAverage<InformationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("peakMemoryUsage", \.peakMemoryUsageQuantity, .information(.kilobytes)),
      SectionField(
        "averageSuspendedMemory", \.averageSuspendedMemoryQuantity, .average(.information(.kilobytes))),
    ]

    /// A section without figures.
    public init() {}
  }

  /// Disk writes; kB are of 1024 bytes.
  public struct DiskIOMetric: PayloadSection {
    /// All writes.
    package var cumulativeLogicalWritesQuantity: Quantity<InformationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeLogicalWrites", \.cumulativeLogicalWritesQuantity, .information(.kilobytes))
    ]

    /// A section without figures.
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

    /// A section without figures.
    public init() {}
  }

  /// Network transfers; kB are of 1024 bytes.
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
      SectionField("cumulativeWifiUpload", \.cumulativeWifiUploadQuantity, .information(.kilobytes)),
      SectionField("cumulativeWifiDownload", \.cumulativeWifiDownloadQuantity, .information(.kilobytes)),
      SectionField("cumulativeCellularUpload", \.cumulativeCellularUploadQuantity, .information(.kilobytes)),
      SectionField(
        "cumulativeCellularDownload", \.cumulativeCellularDownloadQuantity, .information(.kilobytes)),
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

  /// Disk space of the app; here, other than elsewhere, kB are of 1000 bytes.
  public struct DiskSpaceUsageMetric: PayloadSection {
    /// The program.
    package var totalBinaryFileSizeQuantity: Quantity<InformationUnit>?
    /// Its data.
    package var totalDataFileSizeQuantity: Quantity<InformationUnit>?
    /// Its caches.
    package var totalCacheFolderSizeQuantity: Quantity<InformationUnit>?
    /// Clones of files.
    package var totalCloneSizeQuantity: Quantity<InformationUnit>?
    /// All that is used.
    package var totalDiskSpaceUsedSizeQuantity: Quantity<InformationUnit>?
    /// The whole disk.
    package var totalDiskSpaceCapacityQuantity: Quantity<InformationUnit>?
    /// How many files the program has.
    public var totalBinaryFileCount: Int?
    /// How many files its data are.
    public var totalDataFileCount: Int?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("totalBinaryFileSize", \.totalBinaryFileSizeQuantity, .information(.kilobytes)),
      SectionField("totalDataFileSize", \.totalDataFileSizeQuantity, .information(.kilobytes)),
      SectionField("totalCacheFolderSize", \.totalCacheFolderSizeQuantity, .information(.kilobytes)),
      SectionField("totalCloneSize", \.totalCloneSizeQuantity, .information(.kilobytes)),
      SectionField("totalDiskSpaceUsedSize", \.totalDiskSpaceUsedSizeQuantity, .information(.kilobytes)),
      SectionField("totalDiskSpaceCapacity", \.totalDiskSpaceCapacityQuantity, .information(.kilobytes)),
      SectionField("totalBinaryFileCount", \.totalBinaryFileCount, .integer),
      SectionField("totalDataFileCount", \.totalDataFileCount, .integer),
    ]

    /// A section without figures.
    public init() {}
  }
}
