import Aggregation
import Codecs
import Foundation
import Platform
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import HistogramScreen

/// Pairs of versions whose samples depend on each other, as real ones do, and what the screen says of them.
@Suite("Verdicts of samples that depend on each other")
struct DependenceTests {
  /// How many pairs of each kind are tried; more where somebody waits for it.
  private static let pairs = ProcessInfo.processInfo.environment["VERDICT_PAIRS"].flatMap(Int.init) ?? 30

  /// How samples come about.
  enum Kind: Sendable, CustomStringConvertible {
    case independent
    /// A part of each value is that of the one before.
    case memory(Double)
    /// The number of devices of a version, each with its own speed; one after the other, or all at once.
    case devices(Int)
    /// Devices with their own speeds and a memory.
    case mixed(Int, Double)

    var description: String {
      switch self {
      case .independent: "independent"
      case .memory(let part): "memory \(part)"
      case .devices(let count): "\(count) devices"
      case .mixed(let count, let part): "\(count) devices with memory \(part)"
      }
    }

    /// 1,000 samples of either version, the second one after the first, as logarithms with a deviation of about 0.4.
    func samples(_ random: inout SplitMix64, count: Int) -> [(value: Double, device: String?)] {
      switch self {
      case .independent: return (0..<count).map { _ in (0.4 * random.normal(), nil) }
      case .memory(let part):
        var value = 0.4 * random.normal()
        return (0..<count).map { _ in
          value = part * value + 0.4 * (1 - part * part).squareRoot() * random.normal()
          return (value, nil)
        }
      case .devices(let devices): return of(devices, 0, &random, count)
      case .mixed(let devices, let part): return of(devices, part, &random, count)
      }
    }

    private func of(_ devices: Int, _ part: Double, _ random: inout SplitMix64, _ count: Int) -> [(
      value: Double, device: String?
    )] {
      let name = random.next() % 100_000
      let speeds = (0..<devices).map { _ in 0.25 * random.normal() }
      var rests = speeds.map { _ in 0.3 * random.normal() }
      return (0..<count).map { _ in
        let device = Int(random.unit() * Double(devices))
        rests[device] =
          part * rests[device] + 0.3 * (1 - part * part).squareRoot() * random.normal()
        return (speeds[device] + rests[device], "\(name)-\(device)")
      }
    }
  }

  /// The screen's verdict on 2.1 against 2.0.
  private static func verdict(
    _ kind: Kind, seed: UInt64, count: Int = 1000, change: (Double, inout SplitMix64) -> Double
  ) -> ComparisonVerdict? {
    var random = SplitMix64(seed: seed)
    var cube = SampleCube(step: 2 * Double(count) / 256)
    for version in ["2.0", "2.1"] {
      for (index, sample) in kind.samples(&random, count: count).enumerated() {
        var labels = [SampleCube.Label("version", version)]
        if let device = sample.device { labels.append(.init("deviceID", device)) }
        let value = 200 * exp(version == "2.1" ? change(sample.value, &random) : sample.value)
        cube.record(value, at: Double(index + (version == "2.1" ? count : 0)), labels: labels)
      }
    }
    cube.settle()
    func side(_ version: String) -> HistogramMaker.Side {
      .init(name: version, choice: SampleCube.Choice(labels: ["version": .value(version)]))
    }
    let maker = HistogramMaker(
      source: .samples(cube, close: nil), options: HistogramOptions(), a: side("2.1"), b: side("2.0"),
      common: SampleCube.Choice(), unit: .milliseconds, words: ChangeWords(.milliseconds))
    return maker.content(on: nil, rows: 14, courseSize: (0, 0)).verdict?.comparison.verdict
  }

  private static func found(
    _ kind: Kind, change: @escaping @Sendable (Double, inout SplitMix64) -> Double = { value, _ in value }
  ) async -> Double {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let found = await withTaskGroup(of: Int.self) { group in
      for core in 0..<cores {
        group.addTask {
          stride(from: core, to: pairs, by: cores).count {
            verdict(kind, seed: UInt64($0) &* 7919 &+ 3, change: change)?.isDifference ?? false
          }
        }
      }
      return await group.reduce(0, +)
    }
    return Double(found) / Double(pairs)
  }

  @Test(
    "the same is called different in at most 5 % of the pairs, however samples depend on each other",
    arguments: [
      .independent, .memory(0.5), .memory(0.8), .memory(0.9), .devices(15), .devices(50), .mixed(15, 0.8),
    ] as [Kind])
  func falseClaims(_ kind: Kind) async {
    let rate = await Self.found(kind)
    if Self.pairs >= 500 { print("false claims, \(kind): \(rate * 100) %") }
    // Of few pairs chance makes more: three deviations.
    let allowed = 0.05 + (Self.pairs >= 1000 ? 0 : 3 * (0.05 * 0.95 / Double(Self.pairs)).squareRoot())
    #expect(rate <= allowed, "\(kind): \(rate)")
  }

  /// The verdicts found for pairs in which 2.1 is slower, the more the less there is to know: a third more for series
  /// with memory and few devices.
  @Test(
    "a change that the samples can tell is told, however they depend on each other",
    arguments: [
      (.independent, 1.2, 0.95), (.memory(0.5), 1.2, 0.9), (.memory(0.8), 1.35, 0.8),
      (.memory(0.9), 1.5, 0.7),
      (.devices(15), 1.5, 0.7), (.devices(50), 1.35, 0.8), (.mixed(15, 0.8), 1.6, 0.7),
    ] as [(Kind, Double, Double)])
  func power(_ kind: Kind, factor: Double, least: Double) async {
    let rate = await Self.found(kind) { value, _ in value + log(factor) }
    if Self.pairs >= 500 { print("found, \(kind), \(factor): \(rate * 100) %") }
    #expect(rate >= least - 0.15, "\(kind): \(rate)")
  }

  @Test("two devices against three are too few to conclude anything, and the sentence says so")
  func fewDevices() throws {
    var random = SplitMix64(seed: 4)
    var cube = SampleCube(step: 4)
    for index in 0..<1000 {
      let (version, device) = index < 500 ? ("2.0", index % 3) : ("2.1", 3 + index % 2)
      cube.record(
        200 * exp(0.1 * random.normal()) * (index < 500 ? 1 : 2), at: Double(index),
        labels: [.init("version", version), .init("device_id", "d\(device)")])
    }
    let content = HistogramMaker(
      source: .samples(cube, close: nil), options: HistogramOptions(),
      a: .init(name: "2.1", choice: .init(labels: ["version": "2.1"])),
      b: .init(name: "2.0", choice: .init(labels: ["version": "2.0"])), common: SampleCube.Choice(),
      unit: .milliseconds, words: ChangeWords(.milliseconds)
    ).content(on: nil, rows: 14, courseSize: (0, 0))
    #expect(
      content.verdict?.sentence
        == "Too few devices to compare: 2.1 has 2 and 2.0 3, each needs 5 devices")
  }
}
