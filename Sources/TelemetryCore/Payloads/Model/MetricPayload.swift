package import Codecs
import Essentials

/// The metrics of one app on one device for one day, with the shape of `MXMetricPayload`.
///
/// Absent values had no data, or the system was too old to measure them. Properties have the names of Apple's Swift
/// interface; the JSON, read by ``PayloadReader`` and written by ``jsonRepresentation()``, has Apple's keys.
///
/// ```swift
/// var reader = PayloadReader()
/// for case .metric(let payload) in reader.read(bytes).payloads {
///   payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.count
/// }
/// ```
public struct MetricPayload: PayloadSection {
  /// The version of the app, the last one of the day.
  public var latestApplicationVersion: String?
  /// True if figures of other versions are in it too.
  public var includesMultipleApplicationVersions = false
  /// When the day began.
  public var timeStampBegin: PayloadTime?
  /// When the day ended.
  public var timeStampEnd: PayloadTime?
  /// Where it comes from.
  public var metaData: PayloadMetaData?
  /// Processor use.
  public var cpuMetrics: CPUMetric?
  /// Use of the graphics processor.
  public var gpuMetrics: GPUMetric?
  /// Memory use.
  public var memoryMetrics: MemoryMetric?
  /// Disk writes.
  public var diskIOMetrics: DiskIOMetric?
  /// Measurements of the display.
  public var displayMetrics: DisplayMetric?
  /// Network transfers.
  public var networkTransferMetrics: NetworkTransferMetric?
  /// How long the place was asked for.
  public var locationActivityMetrics: LocationActivityMetric?
  /// How good the cellular network was.
  public var cellularConditionMetrics: CellularConditionMetric?
  /// How long the app ran.
  public var applicationTimeMetrics: ApplicationTimeMetric?
  /// How long launches took.
  public var applicationLaunchMetrics: ApplicationLaunchMetric?
  /// How long the app did not answer.
  public var applicationResponsivenessMetrics: ApplicationResponsivenessMetric?
  /// How smooth motion was.
  public var animationMetrics: AnimationMetric?
  /// Why the app ended.
  public var applicationExitMetrics: ApplicationExitMetric?
  /// Disk space of the app.
  public var diskSpaceUsageMetrics: DiskSpaceUsageMetric?
  /// The app's own signposts; systems write an empty list where there are none.
  public var signpostMetrics: [SignpostMetric]?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField(
      "appVersion", \.latestApplicationVersion, .text,
      aliases: ["latestApplicationVersion", "applicationVersion"]),
    SectionField(
      "multipleAppVersions", \.includesMultipleApplicationVersions, .numericFlag, absent: false,
      aliases: ["includesMultipleApplicationVersions"]),
    SectionField("timeStampBegin", \.timeStampBegin, .time),
    SectionField("timeStampEnd", \.timeStampEnd, .time),
    SectionField("metaData", \.metaData, .section),
    SectionField("cpuMetrics", \.cpuMetrics, .section),
    SectionField("gpuMetrics", \.gpuMetrics, .section),
    SectionField("memoryMetrics", \.memoryMetrics, .section),
    SectionField("diskIOMetrics", \.diskIOMetrics, .section),
    SectionField("displayMetrics", \.displayMetrics, .section),
    SectionField("networkTransferMetrics", \.networkTransferMetrics, .section),
    SectionField("locationActivityMetrics", \.locationActivityMetrics, .section),
    SectionField("cellularConditionMetrics", \.cellularConditionMetrics, .section),
    SectionField("applicationTimeMetrics", \.applicationTimeMetrics, .section),
    SectionField("applicationLaunchMetrics", \.applicationLaunchMetrics, .section),
    SectionField("applicationResponsivenessMetrics", \.applicationResponsivenessMetrics, .section),
    SectionField("animationMetrics", \.animationMetrics, .section),
    SectionField("applicationExitMetrics", \.applicationExitMetrics, .section),
    SectionField("diskSpaceUsageMetrics", \.diskSpaceUsageMetrics, .section),
    SectionField("signpostMetrics", \.signpostMetrics, .list(.section)),
  ]

  /// A payload without figures.
  public init() {}
}

extension MetricPayload {
  /// True if Xcode made it up: its signposts have fixed names and the app was in the foreground for 700 seconds.
  public var isSimulated: Bool {
    let names = Set((signpostMetrics ?? []).compactMap(\.signpostName))
    return names.contains("TestSignpostName1") && names.contains("TestSignpostName2")
      && applicationTimeMetrics?.cumulativeForegroundTimeQuantity?.value(in: .seconds) == 700
  }

  /// True if it begins and ends at the same moment, so that no figure can be divided by its time.
  public var isPointWindow: Bool { timeStampBegin != nil && timeStampBegin == timeStampEnd }

  /// A hash that distinguishes payloads however they were written; the same on every machine and in every process.
  public var contentHash: PayloadHash { PayloadHash(digest) }
}
