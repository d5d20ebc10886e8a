import Foundation
import MisterMetricsCore
import Telemetry
import Testing

@Suite("Payloads as entries")
struct PayloadEntryTests {
  private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func payload(_ text: String) throws -> Payload {
    var reader = PayloadReader()
    return try #require(reader.read(Data(text.utf8)).payloads.first)
  }

  private func figures(_ text: String) throws -> [String: String] {
    let figures = try payload(text).figures.map { figure in
      let value =
        switch figure.value {
        case .number(let number): "\(number)"
        case .bins(let bins): bins.map { "\($0.start)-\($0.end):\($0.count)" }.joined(separator: " ")
        }
      return (figure.name, "\(value) \(figure.unit)")
    }
    return Dictionary(figures) { first, _ in first }
  }

  @Test("every field that is there is a figure under its Swift name, in Apple's unit")
  func names() throws {
    let chinese = try figures(PayloadSamples.chinese)
    #expect(chinese["cpuMetrics.cumulativeCPUTime"] == "2717.0 sec")
    #expect(chinese["cpuMetrics.cumulativeCPUInstructions"] == "7160000.0 kiloinstructions")
    #expect(chinese["memoryMetrics.peakMemoryUsage"] == "1106818.0 kB")
    #expect(chinese["displayMetrics.averagePixelLuminance"] == "38.0 apl")
    #expect(chinese["displayMetrics.averagePixelLuminance.sampleCount"] == "4021.0 count")
    #expect(chinese["displayMetrics.averagePixelLuminance.standardDeviation"] == nil)
    #expect(chinese["animationMetrics.scrollHitchTimeRatio"] == "11.0 ms per s")
    #expect(
      chinese["applicationLaunchMetrics.histogrammedApplicationResumeTime"]
        == "820.0-829.0:2 830.0-839.0:3 1190070.0-1190079.0:1 ms")
    let simulated = try figures(PayloadSamples.simulated)
    #expect(simulated["memoryMetrics.averageSuspendedMemory.standardDeviation"] == "0.0 kB")
    #expect(
      simulated["cellularConditionMetrics.histogrammedCellularConditionTime"]
        == "1.0-1.0:20 2.0-2.0:30 3.0-3.0:50 bars")
    let signpost = "signpostMetrics.TestSignpostCategory1/TestSignpostName1."
    #expect(simulated[signpost + "totalCount"] == "30.0 count")
    #expect(simulated[signpost + "histogrammedSignpostDuration"] == "0.0-100.0:50 ms")
    #expect(simulated[signpost + "cumulativeCPUTime"] == "30000.0 ms")
    #expect(simulated[signpost + "averageMemory"] == "100000.0 kB")
    #expect(try figures(PayloadSamples.modern)["diskSpaceUsageMetrics.totalBinaryFileCount"] == "312.0 count")
  }

  @Test(
    "signposts of different categories and names have different names, whatever dots and slashes are in them")
  func signpostNames() throws {
    func metric(_ category: String?, _ name: String?) -> String {
      let parts = [("signpostCategory", category), ("signpostName", name)].compactMap { key, value in
        value.map { text in #""\#(key)":"\#(text)","# }
      }
      return "{\(parts.joined())\"totalSignpostCount\":1}"
    }
    let metrics = [
      metric("a.b", "c"), metric("a", "b.c"), metric("com.app.sync", "Decode"), metric("x/y", "z"),
      metric("x", "y/z"), metric("x%2Fy", "z"), metric("", ""), metric(nil, nil),
    ]
    let payload = try payload(#"{"appVersion":"1","signpostMetrics":[\#(metrics.joined(separator: ","))]}"#)
    #expect(
      payload.figures.map(\.name)
        == [
          "a.b/c", "a/b.c", "com.app.sync/Decode", "x%2Fy/z", "x/y%2Fz", "x%252Fy/z", "/", "-/-",
        ].map { "signpostMetrics.\($0).totalCount" })
  }

  @Test("what stands twice under one category and name is one figure")
  func repeatedSignposts() throws {
    func metric(_ count: Int, _ bins: String, _ figures: String) -> String {
      let histogram =
        #""histogrammedSignpostDurations":{"histogramNumBuckets":1,"histogramValue":{\#(bins)}}"#
      return #"{"signpostCategory":"a","signpostName":"b","totalSignpostCount":\#(count),"#
        + #""signpostIntervalData":{\#(histogram)\#(figures)}}"#
    }
    let first = metric(
      1, #""0":{"bucketStart":"0 ms","bucketEnd":"9 ms","bucketCount":1}"#,
      #","signpostCumulativeCPUTime":"30 ms","signpostAverageMemory":"100 kB","signpostCumulativeHitchTimeRatio":"8 ms per s""#
    )
    let second = metric(
      3, #""0":{"bucketStart":"0 ms","bucketEnd":"9 ms","bucketCount":3}"#,
      #","signpostCumulativeCPUTime":"2 sec","signpostAverageMemory":"200 kB","signpostCumulativeHitchTimeRatio":"4 ms per s","#
        + #""signpostCumulativeLogicalWrites":"7 kB""#)
    let other = #"{"signpostCategory":"a","signpostName":"c","totalSignpostCount":5}"#
    let text = #"{"appVersion":"1","signpostMetrics":[\#(first),\#(other),\#(second)]}"#
    #expect(
      try figures(text) == [
        "signpostMetrics.a/b.totalCount": "4.0 count", "signpostMetrics.a/c.totalCount": "5.0 count",
        "signpostMetrics.a/b.histogrammedSignpostDuration": "0.0-9.0:4 ms",
        "signpostMetrics.a/b.cumulativeCPUTime": "2030.0 ms", "signpostMetrics.a/b.averageMemory": "175.0 kB",
        "signpostMetrics.a/b.cumulativeLogicalWrites": "7.0 kB",
        "signpostMetrics.a/b.cumulativeHitchTimeRatio": "5.0 ms per s",
      ])
    #expect(try payload(text).figures.count == 7)
  }

  @Test("exits that are left out are none, but only where their section is there")
  func exits() throws {
    let exits = try figures(PayloadSamples.chinese).filter { $0.key.hasPrefix("applicationExitMetrics.") }
    #expect(exits.count == 7 + 12)
    #expect(exits["applicationExitMetrics.foregroundExitData.cumulativeNormalAppExitCount"] == "0.0 count")
    #expect(
      exits["applicationExitMetrics.backgroundExitData.cumulativeMemoryPressureExitCount"] == "12.0 count")
    #expect(try figures(PayloadSamples.modern).keys.allSatisfy { !$0.contains("Exit") })
  }

  @Test("an average of no sample is no figure, and an absent section has none")
  func absent() throws {
    let text = """
      {"appVersion":"1","displayMetrics":{"averagePixelLuminance":{"averageValue":"0 apl","standardDeviation":-1,\
      "sampleCount":0}}}
      """
    #expect(try payload(text).figures.isEmpty)
  }

  @Test("diagnostics are counted by kind and version, and tell their durations")
  func diagnostics() throws {
    let figures = try payload(PayloadSamples.diagnostics).figures
    let texts = figures.map { figure in
      guard case .number(let number) = figure.value else { return "a histogram" }
      return "\(figure.applicationVersion ?? "-") \(figure.name) \(number) \(figure.unit)"
    }
    #expect(
      texts == [
        "9.0.1 crashDiagnostics 1.0 count", "9.0.1 hangDiagnostics 1.0 count",
        "- cpuExceptionDiagnostics 1.0 count", "- diskWriteExceptionDiagnostics 1.0 count",
        "- appLaunchDiagnostics 1.0 count", "9.0.1 hangDiagnostics.hangDuration 20.0 sec",
        "- cpuExceptionDiagnostics.totalCPUTime 20.0 sec",
        "- cpuExceptionDiagnostics.totalSampledTime 21.0 sec",
        "- diskWriteExceptionDiagnostics.totalWritesCaused 2000.0 byte",
        "- appLaunchDiagnostics.launchDuration 20000.0 ms",
      ])
  }

  @Test("figures are byte for byte what a store writes for their values", arguments: 0..<50)
  func encoding(seed: UInt64) throws {
    var random = RandomPayloads(seed: seed)
    for payload in [Payload.metric(random.metricPayload()), .diagnostic(random.diagnosticPayload())] {
      let source = RecordedSource(name: "a/\"b\" 🐙#.json", contentHash: payload.contentHash)
      let entries = payload.entries(at: .distantPast, source: source)
      #expect(entries.count > payload.figures.count)
      for entry in entries.dropFirst().prefix(payload.figures.count) {
        let again =
          entry.metric.valueTypeString == "PayloadHistogram"
          ? MetricEntry(
            timestamp: .distantPast, metric: PayloadMetrics.histogram(entry.metric.name),
            value: try entry.decode(PayloadHistogram.self))
          : MetricEntry(
            timestamp: .distantPast, metric: PayloadMetrics.scalar(entry.metric.name),
            value: try entry.decode(PayloadScalar.self))
        #expect(entry == again)
      }
    }
  }

  @Test("histograms come back from a store as they were in the payloads")
  func back() async throws {
    let store = MetricMemoryStore()
    var payloads: [MetricPayload] = []
    for seed in 0..<20 {
      var random = RandomPayloads(seed: UInt64(seed))
      var payload = random.metricPayload()
      payload.latestApplicationVersion = seed % 2 == 0 ? "1" : nil
      payloads.append(payload)
      let wrapped = Payload.metric(payload)
      let entries = wrapped.entries(
        at: .now, source: RecordedSource(name: "x", contentHash: wrapped.contentHash))
      // In any order, as after an import that was completed.
      try await store.append(seed % 3 == 0 ? entries.reversed() : entries)
    }
    let found = try await store.payloadHistograms(
      of: "applicationLaunchMetrics.histogrammedTimeToFirstDraw")
    let expected = payloads.compactMap { payload in
      payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw.map {
        VersionedHistogram(
          version: payload.latestApplicationVersion,
          includesOtherVersions: payload.includesMultipleApplicationVersions, histogram: $0)
      }
    }
    #expect(found == expected)
    #expect(
      try await store.payloadHistograms(of: "cellularConditionMetrics.histogrammedCellularConditionTime")
        .isEmpty)
  }

  @Test("an entry has the time of the payload's end in the zone of the device, unless a zone is written")
  func time() throws {
    let modern = try payload(PayloadSamples.modern)
    #expect(modern.recordingTime(in: berlin) == (try Date("2025-03-30T22:00:00Z", strategy: .iso8601)))
    #expect(modern.recordingTime(in: .gmt) == (try Date("2025-03-31T00:00:00Z", strategy: .iso8601)))
    let chinese = try payload(PayloadSamples.chinese)
    #expect(chinese.recordingTime(in: berlin) == (try Date("2020-11-03T15:59:00Z", strategy: .iso8601)))
    #expect(try payload(PayloadSamples.sampledTree).recordingTime(in: berlin) == nil)
  }

  @Test("a source is read as it is written")
  func source() throws {
    let hash = try payload(PayloadSamples.modern).contentHash
    for name in ["", "day.json", "a#b#.json", "#"] {
      let source = RecordedSource(name: name, contentHash: hash)
      #expect(RecordedSource(source.description) == source)
      #expect(source.reference.utf8.count == 17)
      for text in [source.description, source.reference] {
        #expect(RecordedSource.reference(ofSource: text) == source.reference)
      }
    }
    for text in ["", "day.json", "day.json#12", "day.json#" + String(repeating: "G", count: 32)] {
      #expect(RecordedSource(text) == nil)
    }
    for text in ["", "day.json", "day.json#12"] { #expect(RecordedSource.reference(ofSource: text) == nil) }
  }

  @Test("a kB is 1,024 bytes as the system counts, but 1,000 of disk space")
  func bytes() throws {
    let peak = Measurement(value: 200_000, unit: UnitInformationStorage.kilobytes)
    #expect(ByteReading.stored.bytes(of: peak) == 204_800_000)
    #expect(ByteReading.labelled.bytes(of: peak) == 200_000_000)
    #expect(ByteReading.stored.bytes(of: Measurement(value: 2, unit: .megabytes)) == 2_000_000)
    let units = try payload(PayloadSamples.modern).figures.map {
      ByteReading.stored.bytesPerUnit(of: $0).map { Int($0) }
    }
    #expect(units.compactMap { $0 } == [1024, 1024, 1000])
  }
}
