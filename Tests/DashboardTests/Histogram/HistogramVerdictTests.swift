import Aggregation
import Codecs
import Foundation
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import HistogramScreen

/// Generated cases whose answer is known, and what the screen says of them.
@Suite("The verdict over seeded cases")
struct HistogramVerdictTests {
  /// The verdict on A against B, once the sentence is found to say it.
  private static func said(_ a: HistogramSide, against b: HistogramSide) -> ComparisonVerdict.Finding? {
    let grid = HistogramGrid(.linear, for: a.bins + b.bins, rows: 14)
    let figures = HistogramFigures(a, against: b, on: grid, percentiles: [50, 75, 90, 95, 99])
    guard let verdict = figures.comparison?.verdict,
      let words = VerdictSentence(figures, unit: .milliseconds)?.sentence
    else { return nil }
    let beginning =
      switch verdict.finding {
      case .noDifference: "No difference beyond noise: p50 "
      case .tooFew: "Too few to compare: "
      case .middle(.down): "A is faster: p50 "
      case .middle(.up): "A is slower: p50 "
      case .tail(.down): "A is faster\(place(.down, verdict.middle)): p50 "
      case .tail(.up): "A is slower\(place(.up, verdict.middle)): p50 "
      case .secondHump: "A has a second peak with "
      }
    // The averages alone are apart.
    let isUncertain = verdict.finding == .noDifference && words.hasPrefix("No certain difference: average ")
    return words.hasPrefix(beginning) || isUncertain ? verdict.finding : nil
  }

  private static func place(_ tail: ComparisonVerdict.Move, _ middle: ComparisonVerdict.Move?) -> String {
    guard let middle else { return " in the tail only" }
    if middle == tail { return ", most of all in the tail" }
    return " in the tail, but \(middle == .up ? "slower" : "faster") in the middle"
  }

  /// How often each verdict came, and what was wrong by what the case was; cases are shared among the cores.
  private struct Tally: Sendable {
    var verdicts: [ComparisonVerdict.Finding: Int] = [:]
    var wrong: [String: Int] = [:]
    var count = 0
    var right: Int { count - wrong.values.reduce(0, +) }

    mutating func merge(_ other: Tally) {
      count += other.count
      verdicts.merge(other.verdicts, uniquingKeysWith: +)
      wrong.merge(other.wrong, uniquingKeysWith: +)
    }
  }

  /// A case: both sides, what is right to say, and its name.
  private struct Case {
    let a: HistogramSide
    let b: HistogramSide
    let expected: ComparisonVerdict.Finding
    let name: String
  }

  private func tally(_ count: Int, _ make: @escaping @Sendable (Int, inout SplitMix64) -> Case) async -> Tally
  {
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    return await withTaskGroup(of: Tally.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var tally = Tally()
          for number in stride(from: worker, to: count, by: workers) {
            var random = SplitMix64(seed: UInt64(number) &* 0x9E37_79B9 &+ 17)
            let made = make(number, &random)
            let verdict = Self.said(made.a, against: made.b)
            tally.count += 1
            if let verdict { tally.verdicts[verdict, default: 0] += 1 }
            if verdict != made.expected { tally.wrong[made.name, default: 0] += 1 }
          }
          return tally
        }
      }
      return await group.reduce(into: Tally()) { $0.merge($1) }
    }
  }

  private static func sides(_ a: [Double], _ b: [Double]) -> (HistogramSide, HistogramSide) {
    (HistogramSide(name: "A", samples: a), HistogramSide(name: "B", samples: b))
  }

  // MARK: No difference

  /// Device-days of devices that each have their own speed, as payloads tell them.
  private static func days(_ name: String, _ count: Int, _ random: inout SplitMix64) -> HistogramSide {
    let days = (0..<count).map { _ in
      let speed = exp(0.3 * random.normal())
      return TimeHistogram(
        samples: SampleShape.logNormal.draw(5 + Int(random.unit() * 30), &random).map { $0 * speed },
        width: 10)
    }
    return HistogramSide(name: name, days: days)
  }

  /// Twelve shapes, 20 to 2,000 samples of each side (as many, or one of four a different number), and 6 to 40 device-days.
  @Test("of 600 cases without a difference at least 95 % are told as such, and none as a hump")
  func noDifference() async {
    let sizes = [20, 35, 60, 100, 200, 500, 1000, 2000]
    let tally = await tally(600) { number, random in
      if number % 8 == 7 {
        let count = 6 + Int(random.unit() * 35)
        let (a, b) = (Self.days("A", count, &random), Self.days("B", count, &random))
        return Case(a: a, b: b, expected: .noDifference, name: "device-days")
      }
      let shape = SampleShape.allCases[number % SampleShape.allCases.count]
      let first = sizes[Int(random.unit() * 8)]
      let second = random.unit() < 0.25 ? sizes[Int(random.unit() * 8)] : first
      let (a, b) = Self.sides(shape.draw(first, &random), shape.draw(second, &random))
      return Case(a: a, b: b, expected: .noDifference, name: shape.rawValue)
    }
    #expect(tally.right >= 570 && tally.count == 600, "\(tally)")
    #expect(tally.verdicts[.secondHump, default: 0] == 0 && tally.verdicts[.tooFew] == nil, "\(tally)")
  }

  // MARK: A 95th percentile that is 30 % higher

  /// How a 95th percentile was raised.
  private enum Raise: String, CaseIterable {
    /// All above the 80th percentile is stretched.
    case stretchedTail
    /// All above the 90th percentile takes 30 % longer.
    case longerTail
    /// All takes 30 % longer.
    case all

    var expected: ComparisonVerdict.Finding { self == .all ? .middle(.up) : .tail(.up) }

    func raised(_ sample: Double, _ shape: SampleShape) -> Double {
      let (bend, tail, high) = Self.percentiles[shape] ?? (0, 0, 0)
      return switch self {
      case .stretchedTail:
        sample > bend ? bend + (sample - bend) * (1.3 * high - bend) / (high - bend) : sample
      case .longerTail: sample > tail ? sample * 1.3 : sample
      case .all: sample * 1.3
      }
    }

    /// The 80th, 90th and 95th percentile of what the samples are drawn from.
    private static let percentiles: [SampleShape: (Double, Double, Double)] = Dictionary(
      uniqueKeysWithValues: SampleShape.allCases.map { shape in
        var random = SplitMix64(seed: 1)
        let known = shape.draw(20_000, &random).sorted()
        return (shape, (known[16_000], known[18_000], known[19_000]))
      })
  }

  /// Nine shapes with one hump, in turn; three ways, in turn; a size by chance: so many are told as what they are, that is
  /// a slower tail or, where all takes longer, slower. Of 150 cases each, how many percent were, in the order of ``Raise``:
  ///
  /// | samples of each side | logNormal, seconds | wide | exponential | waiting | normal, uniform |
  /// |---|---|---|---|---|---|
  /// | 500 | 95, 95, 100 | 59, 46, 99 | 86, 81, 100 | 74, 61, 75 | 100 |
  /// | 1,000 | 100 | 95, 85, 100 | 99, 98, 100 | 97, 93, 97 | 100 |
  /// | 2,000 and more | 100 | 100 | 100 | 100 | 100 |
  ///
  /// So the nine of ten are of the mix: wide shapes need 1,000 samples.
  @Test(
    "of 240 cases with a 95th percentile 30 % higher, 500 to 5,000 samples, at least 90 % are told, none as a hump"
  )
  func raisedTail() async {
    let shapes: [SampleShape] = [
      .logNormal, .wide, .exponential, .waiting, .normal, .uniform, .twoWaits, .pareto, .seconds,
    ]
    let sizes = [500, 700, 1000, 2000, 5000]
    let tally = await tally(240) { number, random in
      let (shape, raise) = (shapes[number % shapes.count], Raise.allCases[number / shapes.count % 3])
      let size = sizes[Int(random.unit() * 5)]
      let b = shape.draw(size, &random)
      let sides = Self.sides(shape.draw(size, &random).map { raise.raised($0, shape) }, b)
      return Case(a: sides.0, b: sides.1, expected: raise.expected, name: "\(shape) \(raise) \(size)")
    }
    #expect(tally.right >= 216 && tally.count == 240, "\(tally)")
    #expect(tally.verdicts[.secondHump, default: 0] == 0, "\(tally)")
  }

  // MARK: Humps

  /// A tenth to three tenths of the samples form a hump six to ten of its deviations away; in ms, seconds or bytes.
  ///
  /// Of broad humps near each other fewer are told: of those that are ``SampleShape/logNormal`` or
  /// ``SampleShape/exponential`` and 4 to 8 times as far, about half; the others are a slower tail.
  @Test("of 100 cases in which a part went apart at least 95 % are told as a second peak")
  func humps() async {
    let tally = await tally(100) { number, random in
      let (size, centre) = ([500, 1000, 2000][number % 3], [250, 0.25, 2.5e9][number / 3 % 3])
      let (share, spread) = (0.1 + 0.2 * random.unit(), 0.15 + 0.15 * random.unit())
      let factor = exp((6 + 4 * random.unit()) * spread)
      let draw = { (random: inout SplitMix64) in centre * exp(spread * random.normal()) }
      let b = (0..<size).map { _ in draw(&random) }
      let a = (0..<size).map { _ in random.unit() < share ? draw(&random) * factor : draw(&random) }
      let sides = Self.sides(a, b)
      return Case(a: sides.0, b: sides.1, expected: .secondHump, name: "\(centre) \(size) \(share)")
    }
    #expect(tally.right >= 95, "\(tally)")
  }

  @Test(
    "two humps that both sides have are no second hump of one of them, whether they moved or not",
    arguments: [1, 1.3, 3])
  func knownHumps(factor: Double) async {
    let tally = await tally(20) { number, random in
      let draw = { (random: inout SplitMix64) in
        (random.unit() < 0.7 ? 250 : 1000) * exp(0.2 * random.normal())
      }
      let b = (0..<800).map { _ in draw(&random) }
      let sides = Self.sides((0..<800).map { _ in draw(&random) * factor }, b)
      return Case(a: sides.0, b: sides.1, expected: factor == 1 ? .noDifference : .middle(.up), name: "")
    }
    #expect(tally.right >= 19 && tally.verdicts[.secondHump] == nil, "\(tally)")
  }

  @Test(
    "one hump that moved is no second one: below zero, in whole numbers as small as one, and in multiples")
  func movedHump() async {
    let changes: [@Sendable (inout SplitMix64) -> (Double, Double)] = [
      { (SampleShape.signed.draw(&$0) + 40, SampleShape.signed.draw(&$0) - 20) },
      {
        (
          (SampleShape.waiting.draw(&$0) / 100).rounded(.down),
          (SampleShape.waiting.draw(&$0) / 800).rounded(.down)
        )
      },
      { (SampleShape.frames.draw(&$0) + 32, SampleShape.frames.draw(&$0)) },
      { (SampleShape.waiting.draw(&$0) * 4, SampleShape.waiting.draw(&$0)) },
      { (SampleShape.normal.draw(&$0) * 3, SampleShape.normal.draw(&$0)) },
    ]
    let tally = await tally(60) { number, random in
      let pairs = (0..<600).map { _ in changes[number % changes.count](&random) }
      let sides = Self.sides(pairs.map(\.0), pairs.map(\.1))
      return Case(a: sides.0, b: sides.1, expected: .middle(.up), name: "\(number % changes.count)")
    }
    #expect(tally.right == tally.count, "\(tally)")
  }

  // MARK: Stretches of time

  @Test("stretches of time, whose bins are not as fine as each other's, are told as alike where they are")
  func stretches() async {
    let tally = await tally(12) { number, random in
      var cube = SampleCube(step: 100)
      for time in 0..<6000 {
        // The least of the second half are far from each other, so that its bins are wide.
        let least = 0.001 * exp(time < 3000 ? 0 : -30 * random.unit())
        cube.record(random.unit() < 0.15 ? least : SampleShape.frames.draw(&random), at: Double(time))
      }
      let (a, b) = (cube.selection(.init(window: 3000..<6000)), cube.selection(.init(window: 0..<3000)))
      return Case(
        a: HistogramSide(name: "A", a), b: HistogramSide(name: "B", b), expected: .noDifference,
        name: "frames")
    }
    #expect(tally.right >= 11, "\(tally)")
  }
}
