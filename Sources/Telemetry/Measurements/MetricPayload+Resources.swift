public import Foundation
public import TelemetryCore

extension MetricPayload.CPUMetric {
  /// The processor time.
  public var cumulativeCPUTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeCPUTimeQuantity) }
    set { cumulativeCPUTimeQuantity = Quantity(newValue) }
  }
  /// The instructions, in thousands.
  public var cumulativeCPUInstructions: Measurement<Unit>? {
    get { Measurement(cumulativeCPUInstructionsQuantity) }
    set { cumulativeCPUInstructionsQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.GPUMetric {
  /// Its time.
  public var cumulativeGPUTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeGPUTimeQuantity) }
    set { cumulativeGPUTimeQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.MemoryMetric {
  /// The most that was used.
  public var peakMemoryUsage: Measurement<UnitInformationStorage>? {
    get { Measurement(peakMemoryUsageQuantity) }
    set { peakMemoryUsageQuantity = Quantity(newValue) }
  }
  /// The mean of the moments at which the app was suspended.
  public var averageSuspendedMemory: MetricAverage<UnitInformationStorage>? {
    get { MetricAverage(averageSuspendedMemoryQuantity) }
    set { averageSuspendedMemoryQuantity = QuantityAverage(newValue) }
  }
}

extension MetricPayload.DiskIOMetric {
  /// All writes.
  public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeLogicalWritesQuantity) }
    set { cumulativeLogicalWritesQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.DisplayMetric {
  /// The mean luminance; the samples are frames.
  public var averagePixelLuminance: MetricAverage<Unit>? {
    get { MetricAverage(averagePixelLuminanceQuantity) }
    set { averagePixelLuminanceQuantity = QuantityAverage(newValue) }
  }
}

extension MetricPayload.NetworkTransferMetric {
  /// Sent over Wi-Fi.
  public var cumulativeWifiUpload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeWifiUploadQuantity) }
    set { cumulativeWifiUploadQuantity = Quantity(newValue) }
  }
  /// Received over Wi-Fi.
  public var cumulativeWifiDownload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeWifiDownloadQuantity) }
    set { cumulativeWifiDownloadQuantity = Quantity(newValue) }
  }
  /// Sent over the cellular network.
  public var cumulativeCellularUpload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeCellularUploadQuantity) }
    set { cumulativeCellularUploadQuantity = Quantity(newValue) }
  }
  /// Received over the cellular network.
  public var cumulativeCellularDownload: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeCellularDownloadQuantity) }
    set { cumulativeCellularDownloadQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.DiskSpaceUsageMetric {
  /// The program.
  public var totalBinaryFileSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalBinaryFileSizeQuantity) }
    set { totalBinaryFileSizeQuantity = Quantity(newValue) }
  }
  /// Its data.
  public var totalDataFileSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalDataFileSizeQuantity) }
    set { totalDataFileSizeQuantity = Quantity(newValue) }
  }
  /// Its caches.
  public var totalCacheFolderSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalCacheFolderSizeQuantity) }
    set { totalCacheFolderSizeQuantity = Quantity(newValue) }
  }
  /// Clones of files.
  public var totalCloneSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalCloneSizeQuantity) }
    set { totalCloneSizeQuantity = Quantity(newValue) }
  }
  /// All that is used.
  public var totalDiskSpaceUsedSize: Measurement<UnitInformationStorage>? {
    get { Measurement(totalDiskSpaceUsedSizeQuantity) }
    set { totalDiskSpaceUsedSizeQuantity = Quantity(newValue) }
  }
  /// The whole disk.
  public var totalDiskSpaceCapacity: Measurement<UnitInformationStorage>? {
    get { Measurement(totalDiskSpaceCapacityQuantity) }
    set { totalDiskSpaceCapacityQuantity = Quantity(newValue) }
  }
}
