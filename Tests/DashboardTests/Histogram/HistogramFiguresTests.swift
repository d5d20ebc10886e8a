import Aggregation
import Codecs
import Foundation
import TelemetryCore
import TestSupport
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("The figures of a histogram")
struct HistogramFiguresTests {
  private func samples(_ count: Int, seed: UInt64, _ change: (Double) -> Double = { $0 }) -> [Double] {
    var random = SeededGenerator(seed: seed)
    let unit = { Double(random.next() >> 11) * 0x1p-53 }
    return (0..<count).map { _ in
      // Whole numbers, which narrow bins tell apart exactly.
      change(300 * exp(0.4 * (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()))).rounded()
    }
  }

  private func side(_ name: String, _ values: [Double]) -> HistogramSide {
    var cube = SampleCube(step: 60)
    for value in values { cube.record(value, at: 0) }
    return HistogramSide(name: name, cube.selection())
  }

  /// The same samples as payloads have them: bins of 10 ms.
  private func days(_ values: [Double]) -> [TimeHistogram] {
    stride(from: 0, to: values.count, by: 50).map { first in
      var counts: [Int: Int] = [:]
      for value in values[first..<min(values.count, first + 50)] { counts[Int(value) / 10, default: 0] += 1 }
      return TimeHistogram(
        counts.map { .init(start: Double($0 * 10), end: Double($0 * 10 + 9), count: $1) })
    }
  }

  private let percentiles: [Double] = [50, 75, 90, 95, 99]

  @Test("counts, shares, averages and percentiles are those of the samples")
  func ofSamples() throws {
    let (valuesA, valuesB) = (samples(3000, seed: 1), samples(2000, seed: 2) { $0 * 0.8 })
    let (a, b) = (side("2.4.1", valuesA), side("2.4.0", valuesB))
    let grid = HistogramGrid(.linear, for: a.bins + b.bins, rows: 14)
    let figures = HistogramFigures(a, against: b, on: grid, percentiles: percentiles)
    var (upToA, upToB) = (0, 0)
    for (row, range) in zip(figures.rows, grid.rows) {
      let inA = valuesA.count { $0 >= range.lower && $0 < range.upper }
      let inB = valuesB.count { $0 >= range.lower && $0 < range.upper }
      upToA += inA
      upToB += inB
      #expect(row.a == .init(count: inA, uncertain: 0) && row.b == .init(count: inB, uncertain: 0))
      #expect(abs(row.difference - (Double(inA) / 3000 - Double(inB) / 2000)) < 1e-12)
      #expect(abs(row.upToA - Double(upToA) / 3000) < 1e-12 && abs(row.upToB - Double(upToB) / 2000) < 1e-12)
    }
    let sorted = valuesA.sorted()
    for percentile in figures.percentiles {
      let exact = sorted[Int((percentile.percentile / 100 * 3000).rounded(.up)) - 1]
      let found = try #require(percentile.a)
      #expect(found.lower <= exact && exact <= found.upper && found.upper - found.lower <= 1)
    }
    let mean = valuesA.reduce(0, +) / 3000
    #expect(abs((a.average()?.value ?? 0) - mean) < 1e-9 && a.maximum == sorted.last)
    #expect(figures.comparison?.verdict.finding == .middle(.up))
  }

  @Test("samples and the bins of the same samples agree within the bounds that are stated")
  func ofPayloads() throws {
    let values = samples(4000, seed: 3)
    let (raw, binned) = (side("raw", values), HistogramSide(name: "bins", days: days(values)))
    #expect(raw.count == binned.count)
    let (exact, estimate) = (try #require(raw.average()), try #require(binned.average()))
    #expect(abs(exact.value - estimate.value) <= estimate.doubt && estimate.doubt <= 5.0001)
    #expect(
      binned.average(.start).map { $0.value + $0.doubt >= exact.value && $0.value <= exact.value } == true)
    for (sharp, wide) in zip(raw.quantiles(percentiles), binned.quantiles(percentiles)) {
      #expect(wide.lower <= sharp.value && sharp.value <= wide.upper + 1e-9)
    }
    let deviations = try (#require(raw.standardDeviation), #require(binned.standardDeviation))
    #expect(abs(deviations.0 - deviations.1) < 5)
    let grid = HistogramGrid(.linear, for: raw.bins, rows: 14)
    let figures = HistogramFigures(raw, against: binned, on: grid, percentiles: percentiles)
    for row in figures.rows { #expect(abs(row.a.count - row.b.count) <= row.b.uncertain) }
    #expect(figures.comparison?.verdict.finding == .noDifference)
  }

  @Test("the range of a percentile of too few payloads is that of their samples, and not wider")
  func fewPayloads() throws {
    let binned = HistogramSide(name: "bins", days: days(samples(12, seed: 11)))
    let found = binned.quantiles([95, 99])
    let ranges = try [95.0, 99].map { try #require(binned.spread(ofPercentile: $0)) }
    #expect(ranges == found.map { $0.lower...$0.upper })
    #expect(ranges[0].lowerBound <= ranges[1].lowerBound && ranges[0].upperBound <= ranges[1].upperBound)
  }

  private static func verdict(_ a: HistogramSide, against b: HistogramSide) -> VerdictSentence? {
    let grid = HistogramGrid(.linear, for: a.bins + b.bins, rows: 14)
    let figures = HistogramFigures(a, against: b, on: grid, percentiles: HistogramOptions.usualPercentiles)
    return VerdictSentence(figures, unit: .milliseconds)
  }

  @Test(
    "the verdict is a sentence with the numbers that carry it",
    arguments: [
      (5.0, ComparisonVerdict.Finding.middle(.up), "2.4.1 is slower: p50 "),
      (0.5, .middle(.down), "2.4.1 is faster: p50 "), (1, .noDifference, "No difference beyond noise: p50 "),
    ])
  func sentence(factor: Double, finding: ComparisonVerdict.Finding, beginning: String) throws {
    let (a, b) = (side("2.4.1", samples(600, seed: 4) { $0 * factor }), side("2.4.0", samples(600, seed: 5)))
    let words = try #require(Self.verdict(a, against: b))
    #expect(words.comparison.verdict.finding == finding)
    #expect(words.sentence.hasPrefix(beginning) && words.sentence.hasSuffix(", n 600 and 600"))
  }

  @Test("a tail, a hump and too few samples have sentences of their own")
  func otherSentences() {
    let before = side("B", samples(2000, seed: 6))
    let tail = side("A", samples(2000, seed: 7) { $0 > 420 ? 420 + ($0 - 420) * 2.2 : $0 })
    let hump = side("A", samples(2000, seed: 8) { Int($0) % 5 == 0 ? $0 * 8 : $0 })
    let few = side("A", samples(12, seed: 9))
    let sentences = [tail, hump, few].map { Self.verdict($0, against: before)?.sentence ?? "" }
    #expect(sentences[0].hasPrefix("A is slower in the tail only: p50 "))
    #expect(sentences[1].hasPrefix("A has a second peak with ") && sentences[1].contains("% of its samples"))
    #expect(sentences[2] == "Too few to compare: A has 12 and B 2 000, each needs 20 samples")
  }
}
