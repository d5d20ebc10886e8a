package import Codecs
import Essentials

/// The metrics of one app on one device for one day, in the shape of `MXMetricPayload`.
///
/// A value is absent if it had no data or the system was too old to measure it. Properties are named as in Apple's
/// Swift interface; the JSON, read by ``PayloadReader`` and written by ``jsonRepresentation()``, has Apple's keys.
///
/// ```swift
/// var reader = PayloadReader()
/// for case .metric(let payload) in reader.read(bytes).payloads {
///   payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.count
/// }
/// ```
public struct MetricPayload: PayloadSection {
  /// The app version; the latest one of the day.
  public var latestApplicationVersion: String?
  /// True if it includes figures of other versions.
  public var includesMultipleApplicationVersions = false
  /// Start of the day.
  public var timeStampBegin: PayloadTime?
  /// End of the day.
  public var timeStampEnd: PayloadTime?
  /// The origin of the payload.
  public var metaData: PayloadMetaData?
  /// Processor use.
  public var cpuMetrics: CPUMetric?
  /// Graphics processor use.
  public var gpuMetrics: GPUMetric?
  /// Memory use.
  public var memoryMetrics: MemoryMetric?
  /// Disk writes.
  public var diskIOMetrics: DiskIOMetric?
  /// Measurements of the display.
  public var displayMetrics: DisplayMetric?
  /// Network transfers.
  public var networkTransferMetrics: NetworkTransferMetric?
  /// Location tracking time.
  public var locationActivityMetrics: LocationActivityMetric?
  /// Cellular signal quality.
  public var cellularConditionMetrics: CellularConditionMetric?
  /// Run time of the app.
  public var applicationTimeMetrics: ApplicationTimeMetric?
  /// Launch times.
  public var applicationLaunchMetrics: ApplicationLaunchMetric?
  /// App hangs.
  public var applicationResponsivenessMetrics: ApplicationResponsivenessMetric?
  /// Smoothness of animations.
  public var animationMetrics: AnimationMetric?
  /// Exits of the app.
  public var applicationExitMetrics: ApplicationExitMetric?
  /// Disk space of the app.
  public var diskSpaceUsageMetrics: DiskSpaceUsageMetric?
  /// Frame rates by Metal layer; iOS 27 and later.
  public var frameRateMetrics: [FrameRateMetric]?
  /// The states of the app that were reported during the day, with the time spent in each; iOS 27 and later.
  public var states: [ReportedState]?
  /// Figures of the day by state; iOS 27 and later.
  public internal(set) var stateEntries: [ReportEntry] = []
  /// Figures of parts of the day, which repeat it; iOS 27 and later.
  public internal(set) var course: [ReportEntry] = []
  /// The app's own signposts; systems write an empty list if there are none.
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
    SectionField("frameRateMetrics", \.frameRateMetrics, .list(.section)),
    SectionField("states", \.states, .list(.section)),
    SectionField("signpostMetrics", \.signpostMetrics, .list(.section)),
  ]

  /// A payload without figures.
  public init() {}
}

extension MetricPayload {
  /// True if Xcode simulated it: its signposts have fixed names and its foreground time is 700 seconds.
  public var isSimulated: Bool {
    let names = Set((signpostMetrics ?? []).compactMap(\.signpostName))
    return names.contains("TestSignpostName1") && names.contains("TestSignpostName2")
      && applicationTimeMetrics?.cumulativeForegroundTimeQuantity?.value(in: .seconds) == 700
  }

  /// True if it starts and ends at the same moment, so that no figure can be divided by its duration.
  public var isPointWindow: Bool { timeStampBegin != nil && timeStampBegin == timeStampEnd }

  /// A hash of the content, independent of its formatting; the same on every machine and in every process.
  public var contentHash: PayloadHash { PayloadHash(digest) }
}
