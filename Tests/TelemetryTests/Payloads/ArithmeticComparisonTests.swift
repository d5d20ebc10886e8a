import Foundation
import Telemetry
import TestSupport
import Testing

@Suite("Comparison of versions")
struct ArithmeticComparisonTests {
  /// Verdicts by how often they came.
  private func verdicts(
    _ pairs: Range<UInt64>, _ pair: (inout SampleSource, UInt64) -> (TimeHistogram, TimeHistogram)
  ) -> [VersionComparison.Verdict: Int] {
    var found: [VersionComparison.Verdict: Int] = [:]
    for seed in pairs {
      var source = SampleSource(seed: seed &* 7919 &+ 1)
      let (before, after) = pair(&source, seed)
      found[VersionComparison(before, with: after).verdict, default: 0] += 1
    }
    return found
  }

  @Test(
    "of many pairs from one distribution, 20 to 5,000 samples, at least 95 % have no difference",
    arguments: SampleKind.allCases)
  func noise(kind: SampleKind) {
    let sizes = [20, 35, 50, 100, 200, 500, 1000, 5000]
    let pairs = trials(200, long: 1000)
    let found = verdicts(0..<UInt64(pairs)) { source, seed in
      let first = sizes[source.place(in: 8)]
      let second = seed % 4 == 0 ? sizes[source.place(in: 8)] : first
      let width = [0, 10, 100][Int(seed % 3)]
      let before = TimeHistogram(samples: source.draw(first, of: kind), width: width)
      return (before, TimeHistogram(samples: source.draw(second, of: kind), width: width))
    }
    #expect(found[.noDifference, default: 0] >= pairs * 95 / 100, "\(found)")
  }

  @Test(
    "a tail that makes the 95th percentile 30 % higher is named in at least 90 %, with 500 to 2,000 samples",
    arguments: [(SampleKind.logNormal, 10), (.exponential, 10), (.bimodal, 100)])
  func raisedTail(kind: SampleKind, width: Int) {
    var source = SampleSource(seed: 1)
    let known = source.draw(50_000, of: kind).sorted()
    let (bend, high) = (known[40_000], known[47_500])
    let found = verdicts(0..<100) { source, seed in
      let count = [500, 1000, 2000][Int(seed % 3)]
      let before = source.draw(count, of: kind)
      let after = source.draw(count, of: kind).map { sample in
        sample > bend ? bend + (sample - bend) * (1.3 * high - bend) / (high - bend) : sample
      }
      return (TimeHistogram(samples: before, width: width), TimeHistogram(samples: after, width: width))
    }
    #expect(found[.tailSlower, default: 0] >= 90, "\(found)")
  }

  @Test("a middle that moved is named, in either direction", arguments: SampleKind.allCases)
  func moved(kind: SampleKind) {
    var source = SampleSource(seed: 8)
    let before = source.draw(1500, of: kind)
    let after = source.draw(1500, of: kind).map { $0 * 1.25 }
    let (first, second) = (
      TimeHistogram(samples: before, width: 10), TimeHistogram(samples: after, width: 10)
    )
    let slower = VersionComparison(first, with: second)
    #expect(slower.verdict == .slower && slower.confidence > 0.99)
    #expect((slower.medianChange ?? 0) > 0.1 && slower.before.count == 1500)
    #expect(VersionComparison(second, with: first).verdict == .faster)
  }

  @Test("a part that went apart is a second peak, with its share; where it was before, it is none")
  func secondHump() throws {
    var source = SampleSource(seed: 3)
    let one = source.draw(2000, of: .logNormal)
    let other = source.draw(2000, of: .logNormal).map { sample in
      source.unit() < 0.2 ? sample * 8 : sample
    }
    let (before, after) = (TimeHistogram(samples: one, width: 10), TimeHistogram(samples: other, width: 10))
    let comparison = VersionComparison(before, with: after)
    #expect(comparison.verdict == .secondHump)
    let share = try #require(comparison.after.shareInSecondHump)
    #expect(abs(share - 0.2) < 0.04 && (comparison.before.shareInSecondHump ?? 1) < 0.02)
    #expect(VersionComparison(after, with: before).verdict != .secondHump)
    let shifted = TimeHistogram(samples: other.map { $0 * 1.3 }, width: 10)
    #expect(VersionComparison(after, with: shifted).verdict == .slower)
  }

  /// Device-days of which each has its own speed.
  private func days(_ count: Int, seed: UInt64, factor: Double = 1) -> [TimeHistogram] {
    var source = SampleSource(seed: seed)
    return (0..<count).map { _ in
      let device = factor * exp(0.5 * source.normal())
      let launches = 5 + Int(source.unit() * 40)
      return TimeHistogram(samples: source.draw(launches, of: .logNormal).map { $0 * device }, width: 10)
    }
  }

  @Test("launches of one device are alike, so device-days are compared and not launches")
  func deviceDays() {
    var (named, tooBold) = (0, 0)
    for seed in 0..<200 as Range<UInt64> {
      let (before, after) = (days(15, seed: 2 * seed), days(15, seed: 2 * seed + 1))
      let comparison = VersionComparison(days: before, with: after)
      #expect(comparison.unit == .deviceDay && comparison.before.units == 15)
      if comparison.verdict != .noDifference { named += 1 }
      guard seed < 20 else { continue }
      let samples = VersionComparison(.merging(before), with: .merging(after))
      if samples.verdict != .noDifference { tooBold += 1 }
    }
    #expect(named <= 10)
    #expect(tooBold >= 10)
    let slower = VersionComparison(days: days(100, seed: 7), with: days(100, seed: 8, factor: 1.5))
    #expect(slower.verdict == .slower && slower.unit == .deviceDay)
  }

  @Test("for too few samples or days there is no verdict; the numbers are there as far as they go")
  func tooFew() {
    let nineteen = TimeHistogram((100, 109, 19))
    let many = TimeHistogram((900, 909, 5000))
    let comparison = VersionComparison(nineteen, with: many)
    #expect(comparison.verdict == .tooFewSamples && comparison.confidence == 0)
    #expect(comparison.after.median?.value == 905 && comparison.before.ninetyFifthPercentile?.value == nil)
    #expect(comparison.tailChange == nil && comparison.medianChange != nil)
    #expect(VersionComparison(TimeHistogram(), with: many).verdict == .tooFewSamples)
    let four = [TimeHistogram](repeating: many, count: 4) + [TimeHistogram()]
    #expect(VersionComparison(days: four, with: days(50, seed: 1)).verdict == .tooFewSamples)
    #expect(VersionComparison(days: [], with: []).verdict == .tooFewSamples)
  }

  @Test("a change below 1 % is not named, however sure it is")
  func irrelevant() {
    let before = TimeHistogram((1000, 1009, 1_000_000), (1010, 1019, 1_000_000))
    let after = TimeHistogram((1000, 1009, 900_000), (1010, 1019, 1_100_000))
    let comparison = VersionComparison(before, with: after)
    #expect(comparison.verdict == .noDifference && comparison.confidence > 0.99)
  }

  @Test("the same input has the same result; another seed hardly another confidence")
  func deterministic() {
    var source = SampleSource(seed: 4)
    let before = TimeHistogram(samples: source.draw(300, of: .bimodal), width: 10)
    let after = TimeHistogram(samples: source.draw(400, of: .logNormal), width: 10)
    let comparison = VersionComparison(before, with: after)
    #expect(comparison == VersionComparison(before, with: after))
    let other = VersionComparison(before, with: after, seed: 5)
    #expect(other.verdict == comparison.verdict && abs(other.confidence - comparison.confidence) < 0.02)
  }
}
