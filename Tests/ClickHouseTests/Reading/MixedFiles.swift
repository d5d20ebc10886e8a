import Essentials
import MisterMetricsCore
import TestSupport

/// Files with metrics of all kinds, as an app writes them.
struct MixedFiles {
  private struct Result: MetricValue {
    let cold: Bool
    let ms: Double
    let route: String
    let size: Int
  }

  static let start = 811_000_000.0
  static let length = 9_000.0

  private let shop = Bucket("shop")
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The texts of files, from oldest to newest.
  mutating func texts(_ count: Int, samples: Int) throws -> [String] {
    try (0..<count).map { _ in try text(samples) }
  }

  private mutating func text(_ samples: Int) throws -> String {
    var lines: [UInt8] = []
    var time = Self.start + .random(in: 0..<100, using: &random)
    for _ in 0..<samples {
      // Most follow quickly; some come with the same time, or after a long pause.
      switch random.next() % 20 {
      case 0: break
      case 1: time += .random(in: 0..<Self.length / 60, using: &random)
      default: time += .random(in: 0..<Self.length / Double(samples), using: &random)
      }
      let stamp = random.next() % 3 == 0 ? time : (time * 1e6).rounded() / 1e6
      try LineEncoder.append(entry(at: Date(timeIntervalSinceReferenceDate: stamp)), to: &lines)
    }
    return String(decoding: lines, as: UTF8.self)
  }

  private mutating func entry(at time: Date) throws -> MetricEntry {
    let roll = random.next()
    switch roll % 12 {
    case 0, 1, 2: return try entry("latency", spread(), at: time)
    case 3: return try entry("delta", spread() - spread(), at: time)
    case 4: return try entry("count", Int(roll >> 8 % 4000) % 2000 - 5, at: time)
    case 5:
      return try entry(
        "state",
        ["idle", "läuft / schnell", "\"stop\"\n", String(repeating: "Wörter ", count: 30)][
          Int(roll >> 8 % 4)], at: time)
    case 6: return try entry("page", "page \(roll >> 8 % 50)", at: time)
    case 7: return try entry("ready", roll >> 8 & 3 != 0, at: time)
    case 8: return try entry("next", roll >> 8 & 1 == 0 ? nil : Int(roll >> 16 & 0xFF), at: time)
    case 9: return try entry("wide", UInt64.max - (roll >> 8 & 0xFFFF), at: time)
    case 10: return try entry("list", [1, Int(roll >> 8 & 3)], at: time)
    default:
      let result = Result(
        cold: roll >> 8 & 1 == 0, ms: spread(), route: ["/", "/a", "/b/c"][Int(roll >> 9 % 3)],
        size: Int(roll >> 16 & 0xFFF))
      return try entry("result", result, at: time)
    }
  }

  private mutating func spread() -> Double {
    let parts = (0..<4).map { _ in Double.random(in: 0..<1, using: &random) }
    return 20 * parts.reduce(1, *) * (random.next() % 50 == 0 ? 100 : 1)
  }

  private func entry<Value: MetricValue>(_ name: String, _ value: Value, at time: Date) throws -> MetricEntry
  {
    try MetricEntry(timestamp: time, metric: Metric<Value>(name: name, in: shop), encoding: value)
  }
}
