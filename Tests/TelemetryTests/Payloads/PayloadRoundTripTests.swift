import Foundation
import Telemetry
import TestSupport
import Testing

@Suite("Payloads are written and read again")
struct PayloadRoundTripTests {
  @Test("every generated metric payload is itself again", arguments: 0..<4)
  func metric(_ seed: Int) throws {
    var pieces = RandomPayloads(seed: UInt64(seed))
    for round in 0..<100 {
      let payload = pieces.metricPayload()
      let again = try read(payload.jsonRepresentation())
      #expect(again == .metric(payload), "round \(round)")
      #expect(again.contentHash == payload.contentHash)
    }
  }

  @Test("every generated diagnostic payload is itself again", arguments: 0..<4)
  func diagnostic(_ seed: Int) throws {
    var pieces = RandomPayloads(seed: UInt64(100 + seed))
    for round in 0..<15 {
      let payload = pieces.diagnosticPayload()
      let again = try read(payload.jsonRepresentation())
      #expect(again == .diagnostic(payload), "round \(round)")
      #expect(again.contentHash == payload.contentHash)
    }
  }

  @Test("every sample is itself again, with nothing odd but what it says", arguments: PayloadSamples.all)
  func samples(_ sample: PayloadSample) throws {
    let payload = try read(Data(sample.text.utf8))
    let again = try read(payload.jsonRepresentation())
    #expect(again == payload)
    #expect(again.contentHash == payload.contentHash)
  }

  @Test("what is rounded when it is written has the hash of what is read again")
  func rounding() throws {
    var payload = MetricPayload()
    payload.cpuMetrics = .init()
    payload.cpuMetrics?.cumulativeCPUTime = Measurement(value: 1.61, unit: .minutes)
    payload.memoryMetrics = .init()
    payload.memoryMetrics?.peakMemoryUsage = Measurement(value: 2.0006, unit: .megabytes)
    payload.applicationLaunchMetrics = .init()
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = TimeHistogram([
      .init(start: 820.2, end: 829.4, count: 4), .init(start: 820, end: 829.2, count: 5),
    ])
    #expect(try read(payload.jsonRepresentation()).contentHash == payload.contentHash)
  }

  private static let asApple = """
    {
      "appVersion" : "2.0",
      "applicationExitMetrics" : {
        "foregroundExitData" : {

        }
      },
      "applicationLaunchMetrics" : {
        "histogrammedTimeToFirstDrawKey" : {
          "histogramNumBuckets" : 1,
          "histogramValue" : {
            "0" : {
              "bucketCount" : 4,
              "bucketEnd" : "829 ms",
              "bucketStart" : "820 ms"
            }
          }
        }
      },
      "cpuMetrics" : {
        "cumulativeCPUTime" : "96 sec"
      },
      "memoryMetrics" : {
        "averageSuspendedMemory" : {
          "averageValue" : "100000 kB",
          "sampleCount" : 3,
          "standardDeviation" : -1
        }
      },
      "multipleAppVersions" : "1",
      "signpostMetrics" : [

      ],
      "timeStampBegin" : "2025-03-30 00:00:00"
    }
    """

  @Test("a payload as Apple writes it, key for key")
  func golden() {
    var payload = MetricPayload()
    payload.latestApplicationVersion = "2.0"
    payload.includesMultipleApplicationVersions = true
    payload.timeStampBegin = PayloadTime(year: 2025, month: 3, day: 30)
    payload.applicationLaunchMetrics = .init()
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = TimeHistogram([
      .init(start: 820, end: 829, count: 4)
    ])
    payload.applicationExitMetrics = .init()
    payload.applicationExitMetrics?.foregroundExitData = .init()
    payload.cpuMetrics = .init()
    payload.cpuMetrics?.cumulativeCPUTime = Measurement(value: 1.6, unit: .minutes)
    payload.memoryMetrics = .init()
    payload.memoryMetrics?.averageSuspendedMemory = MetricAverage(
      averageMeasurement: Measurement(value: 100_000.5, unit: .kilobytes), standardDeviation: -1,
      sampleCount: 3)
    payload.signpostMetrics = []
    #expect(String(decoding: payload.jsonRepresentation(), as: UTF8.self) == Self.asApple)
  }

  private func read(_ data: Data) throws -> Payload {
    var reader = PayloadReader()
    let reading = reader.read(data)
    #expect(reading.errors.isEmpty && reading.items.count == 1)
    return try #require(reading.payloads.first)
  }
}
