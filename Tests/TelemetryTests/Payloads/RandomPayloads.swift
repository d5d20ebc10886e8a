import Foundation
import Telemetry
import TestSupport

/// Payloads of all shapes, the same ones for the same seed.
struct RandomPayloads {
  private var random: SeededGenerator
  /// True if nothing is absent.
  private let isWhole: Bool

  init(seed: UInt64, isWhole: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.isWhole = isWhole
  }

  mutating func metricPayload() -> MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = text()
    payload.includesMultipleApplicationVersions = isWhole || Bool.random(using: &random)
    payload.timeStampBegin = time()
    payload.timeStampEnd = time()
    payload.metaData = maybe { $0.metaData() }
    fillResources(of: &payload)
    fillTimes(of: &payload)
    fillExits(of: &payload)
    payload.signpostMetrics = maybe { pieces in (0..<3).map { _ in pieces.signpost() } }
    return payload
  }

  mutating func diagnosticPayload() -> DiagnosticPayload {
    var payload = DiagnosticPayload()
    payload.timeStampBegin = time()
    payload.timeStampEnd = payload.timeStampBegin
    payload.crashDiagnostics = [diagnostic(crash())]
    payload.hangDiagnostics = maybe { pieces in
      var details = HangDetails()
      details.hangDuration = pieces.seconds()
      details.hangType = pieces.text()
      return [pieces.diagnostic(details)]
    }
    payload.cpuExceptionDiagnostics = maybe { pieces in
      var details = CPUExceptionDetails()
      details.totalCPUTime = pieces.seconds()
      details.totalSampledTime = pieces.seconds()
      return [pieces.diagnostic(details), pieces.diagnostic(CPUExceptionDetails())]
    }
    payload.diskWriteExceptionDiagnostics = maybe { pieces in
      var details = DiskWriteExceptionDetails()
      details.totalWritesCaused = Measurement(value: pieces.whole(), unit: .bytes)
      return [pieces.diagnostic(details)]
    }
    payload.appLaunchDiagnostics = maybe { pieces in
      var details = AppLaunchDetails()
      details.launchDuration = pieces.milliseconds()
      return [pieces.diagnostic(details)]
    }
    payload.unclassifiedDiagnostics = maybe { [$0.diagnostic(UnclassifiedDetails())] }
    return payload
  }

  // MARK: - Sections

  private mutating func metaData() -> PayloadMetaData {
    var data = PayloadMetaData()
    data.osVersion = text()
    data.deviceType = text()
    data.regionFormat = text()
    data.applicationBuildVersion = text()
    data.platformArchitecture = text()
    data.bundleIdentifier = text()
    data.lowPowerModeEnabled = maybe { Bool.random(using: &$0.random) }
    data.isTestFlightApp = maybe { Bool.random(using: &$0.random) }
    data.pid = maybe { Int.random(in: -1...99_999, using: &$0.random) }
    return data
  }

  private mutating func fillResources(of payload: inout MetricPayload) {
    payload.cpuMetrics = .init()
    payload.cpuMetrics?.cumulativeCPUTime = seconds()
    payload.cpuMetrics?.cumulativeCPUInstructions = symbol(.kiloinstructions)
    payload.gpuMetrics = .init()
    payload.gpuMetrics?.cumulativeGPUTime = seconds()
    payload.memoryMetrics = .init()
    payload.memoryMetrics?.peakMemoryUsage = kilobytes()
    payload.memoryMetrics?.averageSuspendedMemory = kilobytes().map {
      MetricAverage(
        averageMeasurement: $0, standardDeviation: Double.random(in: -1...9, using: &random), sampleCount: 4)
    }
    payload.diskIOMetrics = .init()
    payload.diskIOMetrics?.cumulativeLogicalWrites = kilobytes()
    payload.displayMetrics = .init()
    payload.displayMetrics?.averagePixelLuminance = symbol(.averagePixelLuminance).map {
      MetricAverage(averageMeasurement: $0, standardDeviation: -1, sampleCount: 0)
    }
    payload.networkTransferMetrics = .init()
    payload.networkTransferMetrics?.cumulativeWifiUpload = kilobytes()
    payload.networkTransferMetrics?.cumulativeWifiDownload = kilobytes()
    payload.networkTransferMetrics?.cumulativeCellularUpload = kilobytes()
    payload.networkTransferMetrics?.cumulativeCellularDownload = kilobytes()
    payload.cellularConditionMetrics = maybe { pieces in
      var metric = MetricPayload.CellularConditionMetric()
      metric.histogrammedCellularConditionTime = CellularHistogram(
        (0..<5).map { .init(bars: Double($0), percent: Int.random(in: 0...40, using: &pieces.random)) })
      return metric
    }
    fillDiskSpace(of: &payload)
  }

  private mutating func fillDiskSpace(of payload: inout MetricPayload) {
    var metric = MetricPayload.DiskSpaceUsageMetric()
    metric.totalBinaryFileSize = kilobytes()
    metric.totalDataFileSize = kilobytes()
    metric.totalCacheFolderSize = kilobytes()
    metric.totalCloneSize = kilobytes()
    metric.totalDiskSpaceUsedSize = kilobytes()
    metric.totalDiskSpaceCapacity = kilobytes()
    metric.totalBinaryFileCount = maybe { $0.count() }
    metric.totalDataFileCount = maybe { $0.count() }
    payload.diskSpaceUsageMetrics = maybe { _ in metric }
  }

  private mutating func fillTimes(of payload: inout MetricPayload) {
    payload.locationActivityMetrics = .init()
    payload.locationActivityMetrics?.cumulativeBestAccuracyTime = seconds()
    payload.locationActivityMetrics?.cumulativeBestAccuracyForNavigationTime = seconds()
    payload.locationActivityMetrics?.cumulativeNearestTenMetersAccuracyTime = seconds()
    payload.locationActivityMetrics?.cumulativeHundredMetersAccuracyTime = seconds()
    payload.locationActivityMetrics?.cumulativeKilometerAccuracyTime = seconds()
    payload.locationActivityMetrics?.cumulativeThreeKilometersAccuracyTime = seconds()
    payload.applicationTimeMetrics = .init()
    payload.applicationTimeMetrics?.cumulativeForegroundTime = seconds()
    payload.applicationTimeMetrics?.cumulativeBackgroundTime = seconds()
    payload.applicationTimeMetrics?.cumulativeBackgroundAudioTime = seconds()
    payload.applicationTimeMetrics?.cumulativeBackgroundLocationTime = seconds()
    payload.applicationLaunchMetrics = .init()
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = histogram(10)
    payload.applicationLaunchMetrics?.histogrammedApplicationResumeTime = histogram(10)
    payload.applicationLaunchMetrics?.histogrammedOptimizedTimeToFirstDraw = histogram(10)
    payload.applicationLaunchMetrics?.histogrammedExtendedLaunch = histogram(10)
    payload.applicationResponsivenessMetrics = .init()
    payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime = histogram(10)
    payload.animationMetrics = .init()
    payload.animationMetrics?.scrollHitchTimeRatio = symbol(.hitchTimeRatio)
    payload.animationMetrics?.hitchTimeRatio = symbol(.hitchTimeRatio)
  }

  private mutating func fillExits(of payload: inout MetricPayload) {
    var (foreground, background) = (MetricPayload.ForegroundExitData(), MetricPayload.BackgroundExitData())
    let inForeground: [WritableKeyPath<MetricPayload.ForegroundExitData, Int>] = [
      \.cumulativeNormalAppExitCount, \.cumulativeMemoryResourceLimitExitCount,
      \.cumulativeBadAccessExitCount,
      \.cumulativeAbnormalExitCount, \.cumulativeIllegalInstructionExitCount,
      \.cumulativeAppWatchdogExitCount,
      \.cumulativeCPUResourceLimitExitCount,
    ]
    let inBackground: [WritableKeyPath<MetricPayload.BackgroundExitData, Int>] = [
      \.cumulativeNormalAppExitCount, \.cumulativeMemoryResourceLimitExitCount,
      \.cumulativeBadAccessExitCount,
      \.cumulativeAbnormalExitCount, \.cumulativeIllegalInstructionExitCount,
      \.cumulativeAppWatchdogExitCount,
      \.cumulativeCPUResourceLimitExitCount, \.cumulativeMemoryPressureExitCount,
      \.cumulativeSuspendedWithLockedFileExitCount, \.cumulativeBackgroundTaskAssertionTimeoutExitCount,
      \.cumulativeBackgroundURLSessionCompletionTimeoutExitCount,
      \.cumulativeBackgroundFetchCompletionTimeoutExitCount,
    ]
    for property in inForeground { foreground[keyPath: property] = maybe { $0.count() } ?? 0 }
    for property in inBackground { background[keyPath: property] = maybe { $0.count() } ?? 0 }
    payload.applicationExitMetrics = .init()
    payload.applicationExitMetrics?.foregroundExitData = foreground
    payload.applicationExitMetrics?.backgroundExitData = maybe { _ in background }
  }

  private mutating func signpost() -> MetricPayload.SignpostMetric {
    var metric = MetricPayload.SignpostMetric()
    metric.signpostName = text()
    metric.signpostCategory = text()
    metric.totalCount = count()
    metric.signpostIntervalData = maybe { pieces in
      var data = MetricPayload.SignpostIntervalData()
      data.histogrammedSignpostDuration = pieces.histogram(100)
      data.cumulativeCPUTime = pieces.milliseconds()
      data.averageMemory = pieces.kilobytes()
      data.cumulativeLogicalWrites = pieces.kilobytes()
      data.cumulativeHitchTimeRatio = pieces.symbol(.hitchTimeRatio)
      return data
    }
    return metric
  }

  // MARK: - Diagnostics

  private mutating func crash() -> CrashDetails {
    var details = CrashDetails()
    details.exceptionType = maybe { $0.count() }
    details.exceptionCode = maybe { -$0.count() }
    details.signal = maybe { $0.count() }
    details.terminationReason = text()
    details.virtualMemoryRegionInfo = text()
    details.exceptionReason = maybe { pieces in
      var reason = ExceptionReason()
      reason.composedMessage = pieces.text()
      reason.formatString = pieces.text()
      reason.arguments = (0..<3).compactMap { _ in pieces.text() }
      reason.exceptionType = pieces.text()
      reason.className = pieces.text()
      reason.exceptionName = pieces.text()
      return reason
    }
    return details
  }

  private mutating func diagnostic<Details>(_ details: Details) -> Diagnostic<Details> {
    var diagnostic = Diagnostic(details)
    diagnostic.version = text()
    diagnostic.applicationVersion = text()
    diagnostic.metaData = metaData()
    diagnostic.signpostData = maybe { pieces in (0..<2).map { _ in pieces.signpostOfDiagnostic() } }
    diagnostic.callStackTree = maybe { pieces in
      var tree = CallStackTree()
      tree.callStackPerThread = pieces.maybe { Bool.random(using: &$0.random) }
      tree.callStacks = (0..<2).map { _ in
        var stack = CallStack()
        stack.threadAttributed = pieces.maybe { Bool.random(using: &$0.random) }
        stack.callStackRootFrames = (0..<2).map { _ in
          pieces.frame(depth: Int.random(in: 0...4, using: &pieces.random))
        }
        return stack
      }
      return tree
    }
    return diagnostic
  }

  private mutating func signpostOfDiagnostic() -> DiagnosticSignpost {
    var signpost = DiagnosticSignpost()
    signpost.subsystem = text()
    signpost.category = text()
    signpost.name = text()
    signpost.beginTimeStamp = time()
    signpost.endTimeStamp = time()
    signpost.isInterval = maybe { Bool.random(using: &$0.random) }
    signpost.duration = maybe { pieces in
      Measurement(value: Double(Int.random(in: 1...9_999_999, using: &pieces.random)) / 1000, unit: .seconds)
    }
    return signpost
  }

  private mutating func frame(depth: Int) -> CallStackFrame {
    var frame = CallStackFrame()
    frame.binaryName = text()
    frame.binaryUUID = text()
    frame.address = maybe { UInt64.random(in: 0...(.max), using: &$0.random) }
    frame.offsetIntoBinaryTextSegment = maybe { UInt64.random(in: 0...(.max), using: &$0.random) >> 20 }
    frame.sampleCount = maybe { $0.count() }
    if depth > 0 { frame.subFrames = (0..<2).map { _ in self.frame(depth: depth - 1) } }
    return frame
  }

  // MARK: - Values

  private mutating func maybe<Value>(_ make: (inout Self) -> Value?) -> Value? {
    isWhole || Int.random(in: 0..<5, using: &random) > 0 ? make(&self) : nil
  }

  private mutating func text() -> String? {
    let texts = ["", "1.0", "a/b", "„Zitat“ \"\\", "line\nbreak\u{1}", "🐙", "com.example.App", "null", "0"]
    return maybe { texts[Int.random(in: 0..<texts.count, using: &$0.random)] }
  }

  /// - Parameter bits: Impossible times and sizes are not read again.
  private mutating func whole(bits: Int = 53) -> Double {
    Double(Int.random(in: 0...(1 << Int.random(in: 0...bits, using: &random)), using: &random))
  }

  private mutating func count() -> Int {
    Int.random(in: 1...(1 << Int.random(in: 0...62, using: &random)), using: &random)
  }

  private mutating func seconds() -> Measurement<UnitDuration>? {
    maybe { Measurement(value: $0.whole(bits: 34), unit: .seconds) }
  }

  private mutating func milliseconds() -> Measurement<UnitDuration>? {
    maybe { Measurement(value: $0.whole(bits: 44), unit: .milliseconds) }
  }

  private mutating func kilobytes() -> Measurement<UnitInformationStorage>? {
    maybe { Measurement(value: $0.whole(bits: 49), unit: .kilobytes) }
  }

  private mutating func symbol(_ unit: Unit) -> Measurement<Unit>? {
    maybe { Measurement(value: $0.whole(), unit: unit) }
  }

  private mutating func histogram(_ width: Int) -> TimeHistogram? {
    maybe { pieces in
      TimeHistogram(
        (0..<Int.random(in: 0...14, using: &pieces.random)).map { _ in
          let start = Int.random(in: 0...200, using: &pieces.random) * width
          return .init(start: Double(start), end: Double(start + width - 1), count: pieces.count())
        })
    }
  }

  private mutating func time() -> PayloadTime? {
    maybe { pieces in
      PayloadTime(
        year: Int.random(in: 2019...2030, using: &pieces.random),
        month: Int.random(in: 1...12, using: &pieces.random),
        day: Int.random(in: 1...28, using: &pieces.random),
        hour: Int.random(in: 0...23, using: &pieces.random),
        minute: 59, second: Int.random(in: 0...59, using: &pieces.random),
        nanosecond: [0, 0, 250_000_000].randomElement(using: &pieces.random) ?? 0,
        secondsFromGMT: [nil, 0, 7200, -12600].randomElement(using: &pieces.random) ?? nil)
    }
  }
}
