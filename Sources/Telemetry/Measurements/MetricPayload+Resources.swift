public import Foundation
public import TelemetryCore

extension MetricPayload.CPUMetric {
  /// The processor time.
  public var cumulativeCPUTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeCPUTimeQuantity) }
    set { cumulativeCPUTimeQuantity = Quantity(newValue) }
  }
  /// The CPU instructions, in thousands.
  public var cumulativeCPUInstructions: Measurement<Unit>? {
    get { Measurement(cumulativeCPUInstructionsQuantity) }
    set { cumulativeCPUInstructionsQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.GPUMetric {
  /// The GPU time.
  public var cumulativeGPUTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeGPUTimeQuantity) }
    set { cumulativeGPUTimeQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.MemoryMetric {
  /// The peak memory.
  public var peakMemoryUsage: Measurement<UnitInformationStorage>? {
    get { Measurement(peakMemoryUsageQuantity) }
    set { peakMemoryUsageQuantity = Quantity(newValue) }
  }
  /// The mean memory at suspension.
  public var averageSuspendedMemory: MetricAverage<UnitInformationStorage>? {
    get { MetricAverage(averageSuspendedMemoryQuantity) }
    set { averageSuspendedMemoryQuantity = QuantityAverage(newValue) }
  }
}

extension MetricPayload.DiskIOMetric {
  /// All logical writes to disk.
  public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeLogicalWritesQuantity) }
    set { cumulativeLogicalWritesQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.DisplayMetric {
  /// The mean luminance; each sample is a frame.
  public var averagePixelLuminance: MetricAverage<Unit>? {
    get { MetricAverage(averagePixelLuminanceQuantity) }
    set { averagePixelLuminanceQuantity = QuantityAverage(newValue) }
  }
}

extension MetricPayload.NetworkTransferMetric {
  /// Bytes sent over Wi-Fi.
  public var cumulativeWifiUpload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeWifiUploadQuantity) }
    set { cumulativeWifiUploadQuantity = Quantity(newValue) }
  }
  /// Bytes received over Wi-Fi.
  public var cumulativeWifiDownload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeWifiDownloadQuantity) }
    set { cumulativeWifiDownloadQuantity = Quantity(newValue) }
  }
  /// Bytes sent over the cellular network.
  public var cumulativeCellularUpload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeCellularUploadQuantity) }
    set { cumulativeCellularUploadQuantity = Quantity(newValue) }
  }
  /// Bytes received over the cellular network.
  public var cumulativeCellularDownload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeCellularDownloadQuantity) }
    set { cumulativeCellularDownloadQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.DiskSpaceUsageMetric {
  /// The size of the program.
  public var totalBinaryFileSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalBinaryFileSizeQuantity) }
    set { totalBinaryFileSizeQuantity = Quantity(newValue) }
  }
  /// The size of its data.
  public var totalDataFileSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalDataFileSizeQuantity) }
    set { totalDataFileSizeQuantity = Quantity(newValue) }
  }
  /// The size of its caches.
  public var totalCacheFolderSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalCacheFolderSizeQuantity) }
    set { totalCacheFolderSizeQuantity = Quantity(newValue) }
  }
  /// The size of cloned files.
  public var totalCloneSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalCloneSizeQuantity) }
    set { totalCloneSizeQuantity = Quantity(newValue) }
  }
  /// All disk space used by the app.
  public var totalDiskSpaceUsedSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalDiskSpaceUsedSizeQuantity) }
    set { totalDiskSpaceUsedSizeQuantity = Quantity(newValue) }
  }
  /// The capacity of the disk.
  public var totalDiskSpaceCapacity: Measurement<UnitInformationStorage>? {
    get { Measurement(totalDiskSpaceCapacityQuantity) }
    set { totalDiskSpaceCapacityQuantity = Quantity(newValue) }
  }
}
