import Foundation
import Telemetry
import TestSupport

/// Makes payloads as devices of a few versions of one app would deliver them.
struct DeviceDays {
  private typealias Metrics = MetricPayload

  private static let versions = ["3.1", "3.2", "3.2.1", "4.0"]
  private static let models = ["iPhone14,5", "iPhone15,3", "iPhone17,2", "iPad13,4"]
  private static let signposts = [
    ("FullSync", "SyncEngine"), ("FlushMutations", "SyncEngine"), ("Thumbnail", "Images"),
  ]

  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// The metrics of one device on one day.
  mutating func payload(day: Int) -> MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = one(of: Self.versions)
    payload.includesMultipleApplicationVersions = below(20) == 0
    let begin = Date(timeIntervalSinceReferenceDate: 780_000_000 + Double(day) * 86_400)
    payload.timeStampBegin = PayloadTime(local: begin, in: .gmt)
    payload.timeStampEnd = PayloadTime(local: begin.addingTimeInterval(86_400), in: .gmt)
    payload.metaData = metaData()
    fillResources(of: &payload)
    fillTimes(of: &payload)
    payload.signpostMetrics = Self.signposts.map { signpost($0.0, $0.1) }
    return payload
  }

  /// A diagnostic of about so many bytes: a crash with the stacks of all threads.
  mutating func diagnostic(bytes: Int) -> DiagnosticPayload {
    var payload = DiagnosticPayload()
    payload.timeStampBegin = PayloadTime(
      local: Date(timeIntervalSinceReferenceDate: 780_000_000 + Double(below(1_000_000))), in: .gmt)
    payload.timeStampEnd = payload.timeStampBegin
    var crash = CrashDiagnostic(CrashDetails())
    crash.version = "1.0.0"
    crash.applicationVersion = one(of: Self.versions)
    crash.metaData = metaData()
    crash.signal = 11
    crash.exceptionType = 1
    crash.terminationReason = "Namespace SIGNAL, Code 11"
    var tree = CallStackTree()
    tree.callStackPerThread = true
    // A frame is written in about 700 bytes at the depth of twenty.
    tree.callStacks = (0..<max(1, bytes / 14_000)).map {
      stack(isAttributed: $0 == 0, depth: bytes < 14_000 ? 10 : 20)
    }
    crash.callStackTree = tree
    payload.crashDiagnostics = [crash]
    return payload
  }

  // MARK: - Sections

  private mutating func metaData() -> PayloadMetaData {
    var data = PayloadMetaData()
    data.osVersion = "iPhone OS 18.\(below(5)) (22F\(100 + below(900)))"
    data.deviceType = one(of: Self.models)
    data.regionFormat = one(of: ["US", "DE", "CN", "IN"])
    data.applicationBuildVersion = String(2_000 + below(100))
    data.platformArchitecture = "arm64e"
    data.bundleIdentifier = "org.example.app"
    data.lowPowerModeEnabled = false
    data.isTestFlightApp = false
    data.pid = -1
    return data
  }

  private mutating func fillResources(of payload: inout MetricPayload) {
    payload.cpuMetrics = .init()
    payload.cpuMetrics?.cumulativeCPUTime = seconds(4_000)
    payload.cpuMetrics?.cumulativeCPUInstructions = Measurement(
      value: Double(below(1 << 30)), unit: .kiloinstructions)
    payload.gpuMetrics = .init()
    payload.gpuMetrics?.cumulativeGPUTime = seconds(400)
    payload.memoryMetrics = .init()
    payload.memoryMetrics?.peakMemoryUsage = kilobytes()
    payload.memoryMetrics?.averageSuspendedMemory = MetricAverage(
      averageMeasurement: kilobytes(), standardDeviation: Double(below(5_000)), sampleCount: 1 + below(40))
    payload.diskIOMetrics = .init()
    payload.diskIOMetrics?.cumulativeLogicalWrites = kilobytes()
    payload.displayMetrics = .init()
    payload.displayMetrics?.averagePixelLuminance = MetricAverage(
      averageMeasurement: Measurement(value: Double(below(100)), unit: .averagePixelLuminance),
      standardDeviation: -1, sampleCount: below(5_000))
    payload.networkTransferMetrics = .init()
    payload.networkTransferMetrics?.cumulativeWifiUpload = kilobytes()
    payload.networkTransferMetrics?.cumulativeWifiDownload = kilobytes()
    payload.networkTransferMetrics?.cumulativeCellularUpload = kilobytes()
    payload.networkTransferMetrics?.cumulativeCellularDownload = kilobytes()
    payload.cellularConditionMetrics = .init()
    payload.cellularConditionMetrics?.histogrammedCellularConditionTime = CellularHistogram([
      .init(bars: 1, percent: 1), .init(bars: 3, percent: 13), .init(bars: 4, percent: 86),
    ])
    payload.applicationExitMetrics = .init()
    var (foreground, background) = (Metrics.ForegroundExitData(), Metrics.BackgroundExitData())
    foreground.cumulativeNormalAppExitCount = below(10)
    foreground.cumulativeBadAccessExitCount = below(50) == 0 ? 1 : 0
    background.cumulativeMemoryPressureExitCount = below(20)
    background.cumulativeAppWatchdogExitCount = below(40) == 0 ? 1 : 0
    payload.applicationExitMetrics?.foregroundExitData = foreground
    payload.applicationExitMetrics?.backgroundExitData = background
  }

  private mutating func fillTimes(of payload: inout MetricPayload) {
    payload.applicationTimeMetrics = .init()
    payload.applicationTimeMetrics?.cumulativeForegroundTime = seconds(20_000)
    payload.applicationTimeMetrics?.cumulativeBackgroundTime = seconds(9_000)
    payload.applicationLaunchMetrics = .init()
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = histogram(around: 900, width: 10)
    payload.applicationLaunchMetrics?.histogrammedApplicationResumeTime = histogram(around: 300, width: 10)
    payload.applicationResponsivenessMetrics = .init()
    payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime = histogram(
      around: 400, width: 10)
    payload.animationMetrics = .init()
    payload.animationMetrics?.scrollHitchTimeRatio = Measurement(
      value: Double(below(15)), unit: .hitchTimeRatio)
  }

  private mutating func signpost(_ name: String, _ category: String) -> MetricPayload.SignpostMetric {
    var metric = MetricPayload.SignpostMetric()
    (metric.signpostName, metric.signpostCategory) = (name, category)
    var data = MetricPayload.SignpostIntervalData()
    let durations = histogram(around: 2_000, width: 100)
    data.histogrammedSignpostDuration = durations
    data.cumulativeCPUTime = Measurement(value: Double(below(90_000)), unit: .milliseconds)
    data.averageMemory = kilobytes()
    data.cumulativeLogicalWrites = kilobytes()
    metric.totalCount = durations.count
    metric.signpostIntervalData = data
    return metric
  }

  private mutating func stack(isAttributed: Bool, depth: Int) -> CallStack {
    var stack = CallStack()
    stack.threadAttributed = isAttributed
    var frame: CallStackFrame?
    for _ in 0..<depth {
      var outer = CallStackFrame()
      outer.binaryName = one(of: ["App", "UIKitCore", "CoreFoundation", "libdispatch.dylib"])
      outer.binaryUUID = "0B5D1E9A-7C3F-4E7E-8B0A-1F2E3D4C5B6A"
      outer.address = 0x1_9000_0000 + UInt64(below(1 << 28))
      outer.offsetIntoBinaryTextSegment = UInt64(below(1 << 24))
      outer.sampleCount = 1
      outer.subFrames = frame.map { [$0] } ?? []
      frame = outer
    }
    stack.callStackRootFrames = frame.map { [$0] } ?? []
    return stack
  }

  // MARK: - Values

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }

  private mutating func seconds(_ limit: Int) -> Measurement<UnitDuration> {
    Measurement(value: Double(below(limit)), unit: .seconds)
  }

  private mutating func kilobytes() -> Measurement<UnitInformationStorage> {
    Measurement(value: Double(below(900_000)), unit: .kilobytes)
  }

  /// A few launches or hangs, as sparse as devices write them.
  private mutating func histogram(around center: Int, width: Int) -> TimeHistogram {
    let bins = (0..<(1 + below(8))).map { _ in
      let start = (center / 2 + below(center)) / width * width
      return TimeHistogram.Bin(start: Double(start), end: Double(start + width - 1), count: 1 + below(12))
    }
    return .merging([TimeHistogram(bins)])
  }
}
