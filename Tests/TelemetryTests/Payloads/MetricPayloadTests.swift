import Codecs
import Foundation
import Telemetry
import Testing

@Suite("Metric payloads")
struct MetricPayloadTests {
  @Test("the golden figures of simulated launches, resumes and hangs")
  func golden() throws {
    let payload = try metric(PayloadSamples.simulated)
    let launches = payload.applicationLaunchMetrics
    let draw = try #require(launches?.histogrammedTimeToFirstDraw)
    let resume = try #require(launches?.histogrammedApplicationResumeTime)
    let hang = try #require(payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime)
    #expect(draw.count == 140 && resume.count == 210 && hang.count == 140)
    #expect(figures(draw) == "1857.143 1862.143 1867.143; 2003.333 3005.333 3009.533")
    #expect(figures(resume) == "347.619 352.619 357.619; 306.429 507.375 509.738")
    #expect(figures(hang) == "128.571 242.857 357.143; 200.000 560.000 686.000")
    #expect(payload.isSimulated && !payload.isPointWindow)
    let foreground = payload.applicationTimeMetrics?.cumulativeForegroundTime?.converted(to: .seconds).value
    let rate = try #require(HangRate(hang, foreground: foreground))
    #expect([rate.lower, rate.value, rate.upper].map(threeDecimals) == ["92.571", "174.857", "257.143"])
  }

  /// The averages by start, middle and end; the 50th, 90th and 99th percentile.
  private func figures(_ histogram: TimeHistogram) -> String {
    let averages = [AverageMethod.start, .pooled, .end].compactMap { histogram.average(method: $0)?.value }
    let percentiles = [50, 90, 99].compactMap { histogram.value(atPercentile: $0)?.value }
    return [averages, percentiles].map { $0.map(threeDecimals).joined(separator: " ") }.joined(
      separator: "; ")
  }

  private func threeDecimals(_ value: Double) -> String { String(format: "%.3f", value) }

  @Test(
    "a time or size below zero, or beyond all reason, is left out with its place and is no form of a region",
    arguments: [
      ("cpuMetrics", "cumulativeCPUTime", "\"-5 sec\"", "“-5 sec” where a time of zero or more was expected"),
      ("cpuMetrics", "cumulativeCPUTime", "\"−5 sec\"", "“−5 sec” where a time of zero or more was expected"),
      (
        "cpuMetrics", "cumulativeCPUTime", "{\"value\":-5,\"unit\":\"s\"}",
        "an object where a time of zero or more was expected"
      ),
      (
        "cpuMetrics", "cumulativeCPUTime", "\"99,999,999,999,999 sec\"",
        "“99,999,999,999,999 sec” where a possible time was expected"
      ),
      (
        "cpuMetrics", "cumulativeCPUInstructions", "\"-5 kiloinstructions\"",
        "“-5 kiloinstructions” where kiloinstructions of zero or more was expected"
      ),
      ("memoryMetrics", "peakMemoryUsage", "\"-5 kB\"", "“-5 kB” where a size of zero or more was expected"),
      (
        "memoryMetrics", "peakMemoryUsage", "\"999,999,999,999,999,999,999,999 kB\"",
        "“999,999,999,999,999,999,999,999 kB” where a possible size was expected"
      ),
    ])
  func impossible(section: String, member: String, value: String, note: String) throws {
    let text = "{\"appVersion\":\"1\",\"\(section)\":{\"\(member)\":\(value)}}"
    var reader = PayloadReader()
    let reading = reader.read(Array(text.utf8))
    let item = try #require(reading.items.first)
    #expect(item.payload.figures.isEmpty && !item.isLocalized)
    #expect(reading.notes.map { "\($0.place): \($0.text)" } == ["\(section).\(member): \(note)"])
  }

  @Test("a payload in the words of a region")
  func chinese() throws {
    let payload = try metric(PayloadSamples.chinese)
    #expect(payload.cpuMetrics?.cumulativeCPUTime == Measurement(value: 2717, unit: .seconds))
    let instructions = try #require(payload.cpuMetrics?.cumulativeCPUInstructions)
    #expect(instructions.value == 7_160_000 && instructions.unit == .kiloinstructions)
    let peak = try #require(payload.memoryMetrics?.peakMemoryUsage)
    #expect(peak.value == 1_106_818 && peak.unit == .kilobytes)
    let luminance = try #require(payload.displayMetrics?.averagePixelLuminance)
    #expect(
      luminance.averageMeasurement.value == 38 && luminance.knownDeviation == nil && !luminance.isMissing)
    let resumes = payload.applicationLaunchMetrics?.histogrammedApplicationResumeTime
    #expect(
      resumes?.bins == [
        .init(start: 820, end: 829, count: 2), .init(start: 830, end: 839, count: 3),
        .init(start: 1_190_070, end: 1_190_079, count: 1),
      ])
    let exits = payload.applicationExitMetrics
    #expect(exits?.foregroundExitData == MetricPayload.ForegroundExitData())
    #expect(exits?.backgroundExitData?.cumulativeMemoryPressureExitCount == 12)
    #expect(exits?.backgroundExitData?.cumulativeNormalAppExitCount == 0)
    #expect(payload.signpostMetrics == [] && !payload.isSimulated)
    #expect(payload.animationMetrics?.scrollHitchTimeRatio?.value == 11)
    #expect(
      notes(PayloadSamples.chinese) == [
        "applicationLaunchMetrics.histogrammedResumeTime.histogramValue.3: an empty bin, left out",
        "line 1: quantities in the form of a region: “2,717秒”",
      ])
  }

  @Test("a payload of a new system, with keys nobody knows")
  func modern() throws {
    let payload = try metric(PayloadSamples.modern)
    #expect(payload.includesMultipleApplicationVersions && payload.latestApplicationVersion == "9.0.1")
    #expect(
      payload.timeStampBegin?.isZoneUnknown == true && payload.timeStampBegin?.calendarDay == "2025-03-30")
    let data = try #require(payload.metaData)
    #expect(data.pid == -1 && data.isTestFlightApp == true && data.lowPowerModeEnabled == false)
    #expect(data.system == SystemVersion("iPhone OS 26.0 (23A100)") && data.system?.version == "26.0")
    #expect(data.otherFields == ["colour": .string("red")])
    #expect(
      payload.otherFields == [
        "futureMetrics": .object(["depth": .array([.integer(1), .number(2.5), .string("three"), .null])])
      ])
    #expect(payload.applicationLaunchMetrics?.histogrammedOptimizedTimeToFirstDraw?.bins == [])
    #expect(payload.applicationLaunchMetrics?.histogrammedExtendedLaunch?.count == 3)
    #expect(payload.diskSpaceUsageMetrics?.totalBinaryFileCount == 312)
    #expect(payload.signpostMetrics?.first?.signpostIntervalData?.cumulativeHitchTimeRatio?.value == 50)
    #expect(
      notes(PayloadSamples.modern) == [
        "metaData.colour: an unknown key, kept as it is",
        "applicationLaunchMetrics.histogrammedExtendedLaunch.histogramValue: an array where an object was expected",
        "futureMetrics: an unknown key, kept as it is",
        "line 1: figures of several versions of the app",
      ])
  }

  @Test("the keys that people guess are read too, and told")
  func aliases() throws {
    let text = """
      { "latestApplicationVersion" : "1", "includesMultipleApplicationVersions" : true,
        "cellularConditionMetrics" : { "cellularConditionTime" : { "histogramValue" : { "0" : {
          "bucketCount" : 100, "bucketStart" : "2 bars", "bucketEnd" : "2 bars" } } } },
        "applicationLaunchMetrics" : {
          "histogrammedTimeToFirstDraw" : { "histogramValue" : { } },
          "histogrammedApplicationResumeTimeKey" : { "histogramValue" : { } } },
        "applicationResponsivenessMetrics" : { "histogrammedApplicationHangTime" : { "histogramValue" : { } } },
        "signpostMetrics" : [ { "totalCount" : 3, "signpostIntervalData" : {
          "cumulativeCPUTime" : "3 ms" } } ] }
      """
    let payload = try metric(text)
    #expect(payload.latestApplicationVersion == "1" && payload.includesMultipleApplicationVersions)
    #expect(payload.cellularConditionMetrics?.histogrammedCellularConditionTime?.averageBars == 2)
    #expect(payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw != nil)
    #expect(payload.applicationLaunchMetrics?.histogrammedApplicationResumeTime != nil)
    #expect(payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime != nil)
    #expect(payload.signpostMetrics?.first?.totalCount == 3)
    #expect(payload.signpostMetrics?.first?.signpostIntervalData?.cumulativeCPUTime?.value == 3)
    #expect(notes(text).count { $0.contains("Apple writes this as") } == 8)
  }

  @Test(
    "several versions are told in many ways",
    arguments: [
      ("\"1\"", true), ("1", true), ("true", true), ("\"true\"", true), ("\"YES\"", true), ("0", false),
      ("\"NO\"", false),
    ])
  func flags(_ json: String, _ value: Bool) throws {
    let payload = try metric("{\"appVersion\":\"1\",\"multipleAppVersions\":\(json)}")
    #expect(payload.includesMultipleApplicationVersions == value)
  }

  @Test(
    "what is odd is told with its place, and kept",
    arguments: [
      (
        #"{"cpuMetrics":{"cumulativeCPUTime":"5 furlongs"}}"#,
        "cpuMetrics.cumulativeCPUTime: “5 furlongs” where sec, not furlongs, was expected"
      ),
      (
        #"{"cpuMetrics":{"cumulativeCPUTime":"soon"}}"#,
        "cpuMetrics.cumulativeCPUTime: “soon” where a quantity was expected"
      ),
      (
        #"{"cpuMetrics":{"cumulativeCPUTime":5}}"#,
        "cpuMetrics.cumulativeCPUTime: a number without a unit, taken as sec"
      ),
      (
        #"{"cpuMetrics":{"cumulativeCPUTime":"3000 ms"}}"#,
        "cpuMetrics.cumulativeCPUTime: “3000 ms”, where Apple writes sec"
      ),
      (
        #"{"cpuMetrics":{"cumulativeCPUTime":"20 secs."}}"#,
        "line 1: quantities in the form of a region: “20 secs.”"
      ),
      (#"{"cpuMetrics":{},"gpuMetrics":7}"#, "gpuMetrics: a number where an object was expected"),
      (#"{"timeStampBegin":"yesterday"}"#, "timeStampBegin: “yesterday” where a moment was expected"),
      (
        #"{"timeStampBegin":"2025-01-02 00:00:00","timeStampEnd":"2025-01-01 00:00:00"}"#,
        "line 1: ends before it begins"
      ),
      (
        #"{"timeStampBegin":"2025-01-02 00:00:00","timeStampEnd":"2025-01-02 00:00:00"}"#,
        "line 1: begins and ends at the same moment"
      ),
      (
        #"{"signpostMetrics":[{"totalSignpostCount":600},{"totalSignpostCount":400}]}"#,
        "signpostMetrics: may be cut: the system counts no more than a thousand signposts of an app"
      ),
      (
        #"{"cellularConditionMetrics":{"cellConditionTime":{"histogramNumBuckets":2,"histogramValue":{"0":{"bucketCount":100,"bucketStart":"1 bars","bucketEnd":"1 bars"}}}}}"#,
        "cellularConditionMetrics.cellConditionTime.histogramNumBuckets: differs from the number of bins: 1"
      ),
    ])
  func oddities(_ text: String, _ note: String) throws {
    #expect(notes(text) == [note])
    let payload = try metric(text)
    #expect(try metric(String(decoding: payload.jsonRepresentation(), as: UTF8.self)) == payload)
  }

  @Test(
    "bins that make no sense are left out and told",
    arguments: [
      (
        #"{"bucketCount":1,"bucketStart":"soon","bucketEnd":"9 ms"}"#,
        "3.bucketStart: “soon” where a quantity was expected"
      ),
      (
        #"{"bucketCount":1.5,"bucketStart":"0 ms","bucketEnd":"9 ms"}"#,
        "3.bucketCount: a number where a whole number was expected"
      ),
      (#"{"bucketCount":-1,"bucketStart":"0 ms","bucketEnd":"9 ms"}"#, "3: a count below zero, left out"),
      (
        #"{"bucketCount":1,"bucketStart":"9 ms","bucketEnd":"0 ms"}"#,
        "3: a bin that ends before it starts, left out"
      ),
      (#"{"bucketCount":1}"#, "3: a bin without bounds or without a count, left out"),
      ("[]", "3: an array where a bin was expected"),
    ])
  func bins(_ bin: String, _ note: String) throws {
    let text =
      #"{"applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":{"histogramNumBuckets":1,"histogramValue":{"3":\#(bin)}}}}"#
    #expect(notes(text) == ["applicationLaunchMetrics.histogrammedTimeToFirstDrawKey.histogramValue." + note])
    #expect(try metric(text).applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.bins == [])
  }

  private func metric(_ text: String) throws -> MetricPayload {
    var reader = PayloadReader()
    guard case .metric(let payload) = try #require(reader.read(Data(text.utf8)).payloads.first) else {
      throw CancellationError()
    }
    return payload
  }

  private func notes(_ text: String) -> [String] {
    var reader = PayloadReader()
    return reader.read(Data(text.utf8)).notes.map { "\($0.place): \($0.text)" }
  }
}
