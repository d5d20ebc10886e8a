import Foundation
import Telemetry
import Testing

@Suite("Reports of iOS 27")
struct ReportTests {
  private func figures(_ text: String) throws -> [String: PayloadFigure] {
    var reader = PayloadReader()
    let reading = reader.read(Data(text.utf8))
    #expect(reading.errors.isEmpty)
    let payload = try #require(reading.payloads.first)
    return Dictionary(payload.figures.map { ($0.name, $0) }) { first, _ in first }
  }

  private func entry(_ seconds: Int, cpu: Int, states: String = "[]") -> String {
    """
    {"duration":{"value":\(seconds),"unit":"s"},"states":\(states),"values":[
      {"cpuTimeMetric":{"value":{"value":\(cpu),"unit":"s"}}},
      {"peakMemoryMetric":{"value":{"value":62.5,"unit":"MB"}}},
      {"suspendedMemoryMetric":{"value":{"average":{"value":19.5,"unit":"MB"},"count":15,"standardDeviation":7.5}}},
      {"hangTimeMetric":{"histogram":{"buckets":[
        {"lowerBound":{"value":490,"unit":"ms"},"upperBound":{"value":499,"unit":"ms"},"count":2}]}}},
      {"foregroundTerminationMetric":{"normalTerminationCount":3,"memoryLimitTerminationCount":1}}]}
    """
  }

  private func report(_ entries: [String], states: String = "[]", environment: String = "") -> String {
    """
    {"version":"2.0.0","timeRange":{"begin":812844000,"end":812930400},\(environment)
     "intervalEntries":[\(entries.joined(separator: ","))],"stateEntries":\(states)}
    """
  }

  private let environment = """
    "environment":{"latestApplicationVersion":"2.4","applicationBuildVersion":"57","deviceType":"iPhone15,2",
    "osVersion":{"platform":"iPhone OS","number":"27.0","buildNumber":"24A435"},"isTestFlightApp":true},
    """

  @Test("the longest interval is the day, and its parts are not added to it", arguments: [86_400, 86_340])
  func day(length: Int) throws {
    let text = report([entry(10_800, cpu: 300), entry(length, cpu: 811), entry(10_800, cpu: 511)])
    let figures = try figures(text)
    #expect(figures["cpuMetrics.cumulativeCPUTime"]?.value == .number(811))
    var reader = PayloadReader()
    guard case .metric(let payload) = reader.read(Data(text.utf8)).payloads.first else { return }
    let parts = payload.course.map {
      $0.sections.figures.first { $0.name == "cpuMetrics.cumulativeCPUTime" }?.value
    }
    #expect(parts == [.number(300), .number(511)])
  }

  @Test("the longest interval is the day in whatever unit, and metadata of a diagnostic in it comes first")
  func units() throws {
    let day = entry(24, cpu: 811).replacing(
      #"{"duration":{"value":24,"unit":"s"}"#, with: #"{"duration":{"value":24,"unit":"hr"}"#)
    let figures = try figures(report([entry(10_800, cpu: 300), day]))
    #expect(figures["cpuMetrics.cumulativeCPUTime"]?.value == .number(811))
    var reader = PayloadReader()
    let text =
      #"{"diskWriteExceptionDiagnostic":[{"diagnosticMetaData":{"appVersion":"2","deviceType":"iPhone15,2"}}]}"#
    guard case .diagnostic(let payload) = reader.read(Data(text.utf8)).payloads.first else {
      Issue.record("no payload")
      return
    }
    let first = payload.diskWriteExceptionDiagnostics?.first
    #expect(first?.applicationVersion == "2" && first?.metaData.deviceType == "iPhone15,2")
  }

  @Test("what is left out is told by its place in the report, and so is a size without end")
  func places() {
    var reader = PayloadReader()
    for value in [#"{"value":1,"unit":"s"}"#, #"{"value":1e308,"unit":"MB"}"#] {
      let text = report([entry(86_400, cpu: 1).replacing(#"{"value":62.5,"unit":"MB"}"#, with: value)])
      let leftOut = reader.read(Data(text.utf8)).leftOut
      #expect(leftOut.map { "\($0.place)" } == ["intervalEntries.0.values.1.peakMemoryMetric"])
    }
  }

  @Test("names that only these reports use are no names of others")
  func aliases() {
    var reader = PayloadReader()
    let text = """
      {"environment":{"latestApplicationVersion":"2"},"timeRange":{"begin":812844000,"end":812930400},
       "crashDiagnostic":{"exceptionReason":{"className":"NSException"},"callStackTree":{"callStackThreads":[]}}}
      """
    let notes = reader.read(Data(text.utf8)).notes.map(\.text)
    #expect(!notes.contains { $0.hasPrefix("Apple writes this as") })
  }

  @Test("figures have the names and units of earlier systems")
  func names() throws {
    let new = try figures(report([entry(86_400, cpu: 811)], environment: environment))
    let old = try figures(
      """
      {"appVersion":"2.4","memoryMetrics":{"peakMemoryUsage":"62500 kB","averageSuspendedMemory":{
       "averageValue":"19500 kB","standardDeviation":7500,"sampleCount":15}},
       "cpuMetrics":{"cumulativeCPUTime":"811 sec"},
       "applicationResponsivenessMetrics":{"histogrammedAppHangTime":{"histogramNumBuckets":1,"histogramValue":
        {"0":{"bucketStart":"490 ms","bucketEnd":"499 ms","bucketCount":2}}}},
       "applicationExitMetrics":{"foregroundExitData":
        {"cumulativeNormalAppExitCount":3,"cumulativeMemoryResourceLimitExitCount":1}}}
      """)
    #expect(new == old)
  }

  @Test("the origin is that of a payload, and numbers are times since 2001 or 1970")
  func origin() throws {
    for (begin, end) in [(812_844_000, 812_930_400), (1_791_151_200, 1_791_237_600)] {
      let text = report([entry(86_400, cpu: 1)], environment: environment)
        .replacing("812844000", with: "\(begin)").replacing("812930400", with: "\(end)")
      var reader = PayloadReader()
      guard case .metric(let payload) = reader.read(Data(text.utf8)).payloads.first else {
        Issue.record("no payload")
        return
      }
      #expect(payload.latestApplicationVersion == "2.4")
      #expect(payload.metaData?.osVersion == "iPhone OS 27.0 (24A435)")
      #expect(payload.metaData?.isTestFlightApp == true && payload.metaData?.applicationBuildVersion == "57")
      #expect(payload.timeStampBegin?.description == "2026-10-04 22:00:00 +0000")
      #expect(payload.timeStampEnd?.description == "2026-10-05 22:00:00 +0000")
    }
  }

  @Test("time and figures of a state have the name of the state", arguments: [true, false])
  func states(isArray: Bool) throws {
    let state = """
      {"state":{"domain":"app.screen","label":"home/1","duration":{"value":120,"unit":"s"},
       "stableMetadata":{"tier":{"string":"premium"}}},
       "values":[{"totalForegroundTimeMetric":{"value":{"value":45,"unit":"s"}}}]}
      """
    let states = isArray ? "[\(state)]" : "{\"app.screen\":[\(state)]}"
    let figures = try figures(report([], states: states, environment: environment))
    let place = "stateMetrics.app.screen/home%2F1 (tier: premium)."
    #expect(figures[place + "duration"]?.value == .number(120))
    #expect(figures[place + "applicationTimeMetrics.cumulativeForegroundTime"]?.value == .number(45))
    #expect(figures["applicationTimeMetrics.cumulativeForegroundTime"] == nil)
    #expect(figures[place + "duration"]?.applicationVersion == "2.4")
  }

  @Test("disk space is counted in thousands, frame rates by layer")
  func others() throws {
    let figures = try figures(
      report([
        """
        {"duration":{"value":0,"unit":"s"},"values":[
         {"totalFileCountMetric":{"dataFileCount":43,"binaryFileCount":20}},
         {"totalFileSizeMetric":{"cacheFolderSize":{"value":0.094208,"unit":"MB"}}},
         {"metalFrameRateMetric":{"layerName":"map","framesPerSecond":{"value":58.5,"unit":"Hz"},"frameCount":900,
          "activeDrawingDuration":{"value":15,"unit":"s"}}},
         {"signpostIntervalMetric":{"signpostName":"Decode","signpostCategory":"img","totalCount":2,
          "averageMemory":{"average":{"value":2,"unit":"MB"},"count":2}}}]}
        """
      ]))
    #expect(figures["diskSpaceUsageMetrics.totalCacheFolderSize"]?.value == .number(94.208))
    #expect(figures["diskSpaceUsageMetrics.totalDataFileCount"]?.value == .number(43))
    #expect(figures["frameRateMetrics.map.framesPerSecond"]?.value == .number(58.5))
    #expect(figures["frameRateMetrics.map.frameCount"]?.value == .number(900))
    #expect(figures["signpostMetrics.img/Decode.averageMemory"]?.value == .number(2_000))
  }

  @Test("a diagnostic has its kind, its origin and the names of its programs")
  func diagnostic() throws {
    var reader = PayloadReader()
    let reading = reader.read(
      Data(
        """
        {"version":"2.0.0","timeRange":{"begin":812844000,"end":812844000},"environment":{"applicationVersion":"2.4",
         "deviceType":"iPhone15,2","states":[{"domain":"app.screen","label":"cart"}],
         "signpostData":[{"subsystem":"a","category":"b","name":"c","interval":{"begin":812843990,"end":812843995}}]},
         "crashDiagnostic":{"signal":9,"exceptionType":10,"terminationReason":"domain:10 code:0x8BADF00D explanation:late",
         "callStackTree":{"callStackPerThread":true,"binaryInfo":[{"uuid":"AA","name":"Shop"}],"callStackThreads":[
          {"threadAttributed":true,"rootFrames":[{"binaryUUID":"AA","offsetIntoBinaryTextSegment":10,"subFrames":[
           {"binaryUUID":"AA","offsetIntoBinaryTextSegment":20}]}]},{"rootFrames":[]},
          {"rootFrames":[{"binaryUUID":"AA"},{"binaryUUID":"BB"}]}]}}}
        """.utf8))
    guard case .diagnostic(let payload) = reading.payloads.first, let crash = payload.crashDiagnostics?.first
    else {
      Issue.record("no crash")
      return
    }
    #expect(crash.applicationVersion == "2.4" && crash.metaData.deviceType == "iPhone15,2")
    #expect(crash.signal == 9 && crash.states?.first?.label == "cart")
    #expect(crash.signpostData?.first?.endTimeStamp?.description == "2026-10-04 21:59:55 +0000")
    let stacks = try #require(crash.callStackTree?.callStacks)
    #expect(stacks.count == 3 && stacks[0].threadAttributed == true)
    #expect(stacks[0].callStackRootFrames[0].subFrames[0].binaryName == "Shop")
    #expect(stacks[2].callStackRootFrames.map(\.binaryName) == ["Shop", nil])
    #expect(payload.timeStampBegin?.description == "2026-10-04 22:00:00 +0000")
  }

  @Test("written data of iOS 27 counts whole blocks, a memory exception is one, a list is read")
  func kinds() throws {
    let figures = try figures(
      """
      {"timeRange":{"begin":812844000,"end":812844000},
       "diskWriteExceptionDiagnostic":[{"totalBytesWritten":{"value":4,"unit":"MB"}}],
       "memoryExceptionDiagnostic":{"callStackTree":{"callStackThreads":[]}}}
      """)
    #expect(
      figures["diskWriteExceptionDiagnostics.totalWritesCaused"]?.value == .number(4 * 1_024_000))
    #expect(figures["memoryExceptionDiagnostics"]?.value == .number(1))
  }
}
