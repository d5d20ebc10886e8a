import Foundation
import Telemetry
import TestSupport
import Testing

@testable import TelemetryCore

// Quantities of the core beside the measurements that apps see.

@Suite("Quantities count as measurements do")
struct QuantityTests {
  private static let durations: [UnitDuration] = [
    .milliseconds, .seconds, .minutes, .hours, .microseconds, .nanoseconds,
    UnitDuration(symbol: "day", converter: UnitConverterLinear(coefficient: 86_400)),
  ]
  private static let information: [UnitInformationStorage] = [
    .bytes, .kilobytes, .megabytes, .gigabytes, .bits, .kibibytes, .mebibytes,
  ]
  private static let odd = [
    0, -0.0, .infinity, -.infinity, 1e308, Double.leastNonzeroMagnitude, 1.0 / 3, 4_294_967_296.5,
  ]

  @Test("durations", arguments: durations)
  func durationsConvert(unit: UnitDuration) throws {
    var random = SeededGenerator(seed: 47)
    for other in Self.durations {
      for value in Self.odd + (0..<200).map({ _ in Double.random(in: -1e6...1e6, using: &random) }) {
        let (first, second) = (Measurement(value: value, unit: unit), Measurement(value: value, unit: other))
        var (section, beside) = (MetricPayload.CPUMetric(), MetricPayload.CPUMetric())
        (section.cumulativeCPUTime, beside.cumulativeCPUTime) = (first, second.converted(to: unit))
        let quantity = try #require(section.cumulativeCPUTimeQuantity)
        beside.cumulativeCPUTime = second
        let target = try #require(beside.cumulativeCPUTimeQuantity?.unit)
        let converted = unit == other ? value : first.converted(to: other).value
        #expect(quantity.value(in: target).bitPattern == converted.bitPattern)
        #expect((section == beside) == (first == second))
        beside.cumulativeCPUTime = first.converted(to: other)
        #expect((section == beside) == (first == first.converted(to: other)))
        #expect(quantity.hashValue == first.hashValue)
        #expect(section.cumulativeCPUTime?.unit == unit && section.cumulativeCPUTime?.value == value)
      }
    }
  }

  @Test("amounts of bytes", arguments: information)
  func informationConverts(unit: UnitInformationStorage) throws {
    var random = SeededGenerator(seed: 48)
    for value in Self.odd + (0..<500).map({ _ in Double.random(in: 0...1e12, using: &random) }) {
      let amount = Measurement(value: value, unit: unit)
      var section = MetricPayload.MemoryMetric()
      section.peakMemoryUsage = amount
      let quantity = try #require(section.peakMemoryUsageQuantity)
      let kilobytes = unit == .kilobytes ? value : amount.converted(to: .kilobytes).value
      #expect(quantity.value(in: .kilobytes).bitPattern == kilobytes.bitPattern)
      #expect(section.peakMemoryUsage?.unit == unit && section.peakMemoryUsage?.value == value)
      #expect(quantity.hashValue == amount.hashValue)
    }
  }

  @Test("a mean keeps its unit, its deviation and its number")
  func averages() {
    var section = MetricPayload.MemoryMetric()
    let average = MetricAverage(
      averageMeasurement: Measurement(value: 3, unit: UnitInformationStorage.mebibytes), standardDeviation: 2,
      sampleCount: 5)
    section.averageSuspendedMemory = average
    #expect(section.averageSuspendedMemory == average)
    #expect(section.averageSuspendedMemory?.averageMeasurement.unit == .mebibytes)
    #expect(
      String(decoding: MetricPayload(memory: section).jsonRepresentation(), as: UTF8.self).contains("3146 kB")
    )
    section.averageSuspendedMemory = nil
    #expect(section == MetricPayload.MemoryMetric())
  }

  @Test("a unit that converts by code of the app counts in the base unit")
  func codedUnit() {
    final class Squares: UnitConverter, @unchecked Sendable {
      override func baseUnitValue(fromValue value: Double) -> Double { value * value }
      override func value(fromBaseUnitValue value: Double) -> Double { value.squareRoot() }
    }
    let unit = UnitDuration(symbol: "square", converter: Squares())
    var hang = HangDetails()
    hang.hangDuration = Measurement(value: 3, unit: unit)
    #expect(hang.hangDuration == Measurement(value: 9, unit: .seconds))
    #expect(hang.hangDuration == Measurement(value: 3, unit: unit))
  }

  @Test("a section is set along a key path as before")
  func keyPaths() {
    let time: WritableKeyPath<MetricPayload.CPUMetric, Measurement<UnitDuration>?> = \.cumulativeCPUTime
    var payload = MetricPayload()
    payload.cpuMetrics = .init()
    payload.cpuMetrics?[keyPath: time] = Measurement(value: 2, unit: .minutes)
    #expect(payload[keyPath: \.cpuMetrics?.cumulativeCPUTime]?.converted(to: .seconds).value == 120)
    var hang = HangDiagnostic(HangDetails())
    hang.hangDuration = Measurement(value: 2, unit: .seconds)
    #expect(hang.details.hangDurationQuantity == Quantity(value: 2000, unit: .milliseconds))
  }
}

extension MetricPayload {
  fileprivate init(memory: MemoryMetric) {
    self.init()
    memoryMetrics = memory
  }
}
