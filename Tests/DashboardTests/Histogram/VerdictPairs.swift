import Aggregation
import Codecs
import Foundation

@testable import DashboardCore
@testable import HistogramScreen

/// Seeded pairs of versions whose samples depend on each other, as real ones do, and the screen's verdict on them.
struct VerdictPairs {
  /// The dependence of samples.
  enum Kind: Sendable, CustomStringConvertible {
    case independent
    /// A part of each value is that of the one before.
    case memory(Double)
    /// The number of devices of a version, each with its own speed, in random order.
    case devices(Int)
    /// Devices with their own speeds and a memory.
    case mixed(Int, Double)
    /// The same devices on both sides, some of them far busier on one.
    case shared(Int)
    /// Seven days with a daily course.
    case daily
    /// Independent, with a Pareto tail of exponent 1.3.
    case pareto
    /// Several equal samples at a time.
    case bursts
    /// A random walk, numbers only.
    case walk

    /// Number of samples on each side, for which time they stand is irrelevant but for the daily course.
    var duration: Double { if case .daily = self { 7 * 86_400 } else { 2000 } }

    var description: String {
      switch self {
      case .independent: "independent"
      case .memory(let part): "memory \(part)"
      case .devices(let count): "\(count) devices"
      case .mixed(let count, let part): "\(count) devices with memory \(part)"
      case .shared(let count): "the same \(count) devices, unequally busy"
      case .daily: "daily course"
      case .pareto: "Pareto 1.3"
      case .bursts: "bursts"
      case .walk: "random walk"
      }
    }
  }

  /// The type of the samples.
  enum Subject: Sendable { case numbers, bools, texts }

  var kind = Kind.independent
  var subject = Subject.numbers
  /// Number of samples on each side.
  var count = 1000
  /// Standard deviation of the logarithms of independent samples.
  var noise = 0.4
  /// Factor of the numbers of the second side.
  var factor = 1.0
  /// The share of failures on each side, for bools and texts.
  var failures = (before: 0.05, after: 0.05)

  /// A sample: its number as a logarithm, the share of all samples below it, and its device.
  private typealias Sample = (value: Double, rank: Double, device: String?)

  /// The screen's content for 2.1 against 2.0.
  func content(seed: UInt64) -> HistogramContent {
    var random = SplitMix64(seed: seed)
    var cube = SampleCube(step: kind.duration / 256)
    var last = 0.0
    for version in ["2.0", "2.1"] {
      for (index, sample) in samples(isSecond: version == "2.1", &random, &last).enumerated() {
        var labels = [SampleCube.Label("version", version)]
        if let device = sample.device { labels.append(.init("deviceID", device)) }
        let place = Double(index + (version == "2.1" ? count : 0)) / Double(2 * count)
        var value = 0.0
        if subject == .numbers {
          value = 200 * exp(sample.value) * (version == "2.1" ? factor : 1)
        } else {
          let share = version == "2.1" ? failures.after : failures.before
          labels.append(.init(SampleCube.valueDimension, word(sample.rank, share, &random)))
        }
        cube.record(value, at: place * kind.duration, labels: labels)
      }
    }
    cube.settle()
    func side(_ version: String) -> HistogramMaker.Side {
      .init(name: version, choice: SampleCube.Choice(labels: ["version": .value(version)]))
    }
    let maker = HistogramMaker(
      source: subject == .numbers ? .samples(cube, close: nil) : .texts(cube, close: nil),
      options: HistogramOptions(), a: side("2.1"), b: side("2.0"), common: SampleCube.Choice(),
      unit: .milliseconds, words: ChangeWords(.milliseconds), name: "failed")
    return maker.content(on: nil, rows: 14, courseSize: (0, 0))
  }

  private func word(_ rank: Double, _ share: Double, _ random: inout SplitMix64) -> String {
    let isFailure = rank > 1 - share
    if subject == .bools { return "\(isFailure)" }
    return isFailure ? "fail" : rank > 0.8 - share ? "retry" : "ok"
  }

  // MARK: Samples

  /// The samples of one version, as logarithms with a deviation of about 0.4.
  private func samples(isSecond: Bool, _ random: inout SplitMix64, _ last: inout Double) -> [Sample] {
    switch kind {
    case .independent: return (0..<count).map { _ in Self.normal(noise * random.normal(), noise) }
    case .memory(let part):
      var value = noise * random.normal()
      return (0..<count).map { _ in
        value = part * value + noise * (1 - part * part).squareRoot() * random.normal()
        return Self.normal(value, noise)
      }
    case .devices(let devices): return samples(of: devices, 0, &random)
    case .mixed(let devices, let part): return samples(of: devices, part, &random)
    case .shared(let devices):
      // The speeds are those of the devices' names.
      return (0..<count).map { _ in
        let place = pow(random.unit(), isSecond ? 1.5 : 1) * Double(devices)
        var own = SplitMix64(seed: UInt64(place) &+ UInt64(devices))
        let value = 0.25 * own.normal() + 0.3 * random.normal()
        return (value, Self.share(below: value, 0.39), "\(Int(place))")
      }
    case .daily:
      return (0..<count).map { index in
        let day = 3.5 * Double(index + (isSecond ? count : 0)) / Double(count)
        let value = 0.5 * sin(2 * .pi * day) + noise * random.normal()
        return Self.normal(value, 0.53)
      }
    case .pareto:
      return (0..<count).map { _ in
        let rank = random.unit()
        return (-log(1 - rank) / 1.3, rank, nil)
      }
    case .bursts:
      var (value, left) = (0.0, 0)
      return (0..<count).map { _ in
        if left == 0 { (value, left) = (noise * random.normal(), 1 + Int(random.unit() * 8)) }
        left -= 1
        return Self.normal(value + 0.05 * random.normal(), 0.4)
      }
    case .walk:
      return (0..<count).map { _ in
        last += 0.02 * random.normal()
        return Self.normal(last + 0.2 * random.normal(), 0.7)
      }
    }
  }

  private func samples(of devices: Int, _ part: Double, _ random: inout SplitMix64) -> [Sample] {
    let name = random.next() % 100_000
    let speeds = (0..<devices).map { _ in 0.25 * random.normal() }
    var rests = speeds.map { _ in 0.3 * random.normal() }
    return (0..<count).map { _ in
      let device = Int(random.unit() * Double(devices))
      rests[device] = part * rests[device] + 0.3 * (1 - part * part).squareRoot() * random.normal()
      let value = speeds[device] + rests[device]
      return (value, Self.share(below: value, 0.39), "\(name)-\(device)")
    }
  }

  private static func normal(_ value: Double, _ deviation: Double) -> Sample {
    (value, share(below: value, deviation), nil)
  }

  private static func share(below value: Double, _ deviation: Double) -> Double {
    0.5 * erfc(-value / deviation / 2.0.squareRoot())
  }

  // MARK: Many pairs

  /// The contents of many pairs, computed on all cores, that fulfil a condition, as a share.
  func share(
    of pairs: Int, from first: UInt64 = 3, where isCounted: @escaping @Sendable (HistogramContent) -> Bool
  ) async -> Double {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let counted = await withTaskGroup(of: Int.self) { group in
      for core in 0..<cores {
        group.addTask {
          stride(from: core, to: pairs, by: cores).count {
            isCounted(content(seed: UInt64($0) &* 7919 &+ first))
          }
        }
      }
      return await group.reduce(0, +)
    }
    return Double(counted) / Double(pairs)
  }
}
