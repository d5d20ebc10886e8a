import Foundation
import History
import Platform
import Telemetry
import TestSupport

@testable import DashboardCore
@testable import EngineScreens

/// Made-up device-days of two versions, as the library measures them and as they are read back from a store.
enum PayloadFixture {
  typealias Bin = TimeHistogram.Bin

  static let launches = "applicationLaunchMetrics.histogrammedTimeToFirstDraw"
  static let hangs = "applicationResponsivenessMetrics.histogrammedApplicationHangTime"

  /// An archive's view of recorded payloads.
  static func archive(_ payloads: [MetricPayload]) -> PayloadArchive {
    var archive = PayloadArchive()
    var places: [PayloadArchive.Figure: Int] = [:]
    for (number, payload) in payloads.enumerated() {
      var read = PayloadArchive.Payload()
      read.version = payload.latestApplicationVersion ?? ""
      (read.isMixed, read.isSimulated) = (payload.includesMultipleApplicationVersions, payload.isSimulated)
      read.source = "day-\(number).json#\(number)"
      read.time = Timestamp(800_000_000 + Double(number) * 86_400)
      read.facts = ["kind": "metric", "device": number % 2 == 0 ? "iPhone9,1" : "iPhone11,8"]
      for figure in payload.figures {
        let named = PayloadArchive.Figure(name: figure.name, unit: figure.unit)
        let place = places[named] ?? archive.figures.count
        if place == archive.figures.count {
          archive.figures.append(named)
          places[named] = place
        }
        switch figure.value {
        case .number(let number): read.values.append((place, .number(number)))
        case .bins(let bins):
          read.values.append(
            (place, .bins(bins.map { .init(start: $0.start, end: $0.end, count: $0.count) })))
        }
      }
      archive.payloads.append(read)
    }
    return archive
  }

  /// Days of version 2.4.1, whose launches and hangs are slower, and of 2.4.0.
  static func days(_ count: Int, seed: UInt64 = 1) -> [MetricPayload] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let isNew = number % 2 == 0
      return day(isNew ? "2.4.1" : "2.4.0", slower: isNew ? 1.5 : 1, &random)
    }
  }

  static func day(_ version: String, slower: Double, _ random: inout SeededGenerator) -> MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = version
    payload.timeStampEnd = nil
    let hours = Double.random(in: 0.5...3, using: &random)
    payload.applicationTimeMetrics = .init()
    payload.applicationTimeMetrics?.cumulativeForegroundTime = .init(
      value: (hours * 3600).rounded(), unit: .seconds)
    payload.applicationLaunchMetrics = .init()
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = times(12, around: 800 * slower, &random)
    payload.applicationLaunchMetrics?.histogrammedApplicationResumeTime = times(20, around: 250, &random)
    if Bool.random(using: &random) {
      payload.applicationResponsivenessMetrics = .init()
      payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime = times(
        6, around: 500 * slower, &random)
    }
    addResources(to: &payload, slower, &random)
    addSignpost(to: &payload, &random)
    return payload
  }

  private static func addResources(
    to payload: inout MetricPayload, _ slower: Double, _ random: inout SeededGenerator
  ) {
    payload.memoryMetrics = .init()
    let peak = Double(Int.random(in: 180_000...240_000, using: &random))
    payload.memoryMetrics?.peakMemoryUsage = .init(value: peak, unit: .kilobytes)
    let samples = Int.random(in: 1...9, using: &random)
    payload.memoryMetrics?.averageSuspendedMemory = MetricAverage(
      averageMeasurement: .init(value: peak / 2, unit: .kilobytes), standardDeviation: 900,
      sampleCount: samples)
    payload.cpuMetrics = .init()
    payload.cpuMetrics?.cumulativeCPUTime = .init(
      value: Double(Int.random(in: 90...120, using: &random)) * slower, unit: .seconds)
    payload.diskIOMetrics = .init()
    payload.diskIOMetrics?.cumulativeLogicalWrites = .init(
      value: Double(Int.random(in: 9000...12_000, using: &random)), unit: .kilobytes)
    if Int.random(in: 0..<3, using: &random) > 0 {
      payload.animationMetrics = .init()
      payload.animationMetrics?.scrollHitchTimeRatio = .init(
        value: Double(Int.random(in: 1...9, using: &random)), unit: Unit(symbol: "ms per s"))
    }
    payload.applicationExitMetrics = .init()
    payload.applicationExitMetrics?.foregroundExitData = .init()
    payload.applicationExitMetrics?.backgroundExitData = .init()
    payload.applicationExitMetrics?.foregroundExitData?[.badAccess] = Int.random(in: 0...1, using: &random)
    payload.applicationExitMetrics?.backgroundExitData?[.memoryPressure] = Int.random(
      in: 1...4, using: &random)
  }

  private static func addSignpost(to payload: inout MetricPayload, _ random: inout SeededGenerator) {
    var signpost = MetricPayload.SignpostMetric()
    (signpost.signpostCategory, signpost.signpostName, signpost.totalCount) = ("com.app.sync", "Up/Down", 30)
    signpost.signpostIntervalData = .init()
    signpost.signpostIntervalData?.histogrammedSignpostDuration = TimeHistogram([
      Bin(start: 100, end: 199, count: 20), Bin(start: 300, end: 399, count: 10),
    ])
    payload.signpostMetrics = [signpost]
  }

  private static func times(_ count: Int, around middle: Double, _ random: inout SeededGenerator)
    -> TimeHistogram
  {
    TimeHistogram(
      (0..<count).map { _ in
        let start = (middle * Double.random(in: 0.7...1.4, using: &random) / 10).rounded(.down) * 10
        return Bin(start: start, end: start + 9, count: 1)
      })
  }
}
