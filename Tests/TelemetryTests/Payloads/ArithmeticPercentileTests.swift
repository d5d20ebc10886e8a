import Telemetry
import Testing

@Suite("Percentiles of payloads")
struct ArithmeticPercentileTests {
  @Test(
    "percentiles of what iOS 13.1.3 simulates, to three decimals, with the bin that they lie in",
    arguments: [
      (
        TimeHistogram.simulatedLaunches, [2003.333, 3005.333, 3009.533], [2000.0, 3000, 3000],
        [2010.0, 3010, 3010]
      ),
      (TimeHistogram.simulatedResumes, [306.429, 507.375, 509.738], [300, 500, 500], [310, 510, 510]),
      (TimeHistogram.simulatedHangs, [200, 560, 686], [100, 400, 400], [400, 700, 700]),
    ])
  func golden(histogram: TimeHistogram, expected: [Double], lower: [Double], upper: [Double]) {
    let found = histogram.values(atPercentiles: [50, 90, 99])
    #expect(found.map { rounded($0.value) } == expected)
    #expect(found.map(\.lower) == lower && found.map(\.upper) == upper)
  }

  /// Python's results for samples ⌊3000·u³⌋, u from the same generator: mean, mean of the bins' middles, percentiles
  /// 50, 90 and 99 by interpolation, and the samples of their ranks.
  struct Row: Sendable {
    let seed: UInt64
    let samples: Int
    let width: Int
    let mean: Double
    let middle: Double
    let percentiles: [Double]
    let ranked: [Double]

    static let all = [
      Row(
        seed: 1, samples: 37, width: 10, mean: 684.0, middle: 685.0, percentiles: [425.0, 2023.0, 2976.3],
        ranked: [429, 2025, 2979]),
      Row(
        seed: 2, samples: 400, width: 10, mean: 693.4875, middle: 694.225,
        percentiles: [290.0, 2065.0, 2845.0],
        ranked: [289, 2065, 2845]),
      Row(
        seed: 3, samples: 5000, width: 10, mean: 738.719, middle: 739.608,
        percentiles: [379.4444, 2150.0, 2896.6667], ranked: [378, 2148, 2891]),
      Row(
        seed: 4, samples: 120, width: 100, mean: 765.8583333333333, middle: 778.3333333333334,
        percentiles: [412.5, 2200.0, 2840.0], ranked: [434, 2132, 2808]),
      Row(
        seed: 5, samples: 2500, width: 100, mean: 756.2156, middle: 765.28,
        percentiles: [365.8333, 2245.4545, 2894.8718], ranked: [368, 2256, 2896]),
    ]
  }

  @Test("Python finds the same on generated data; the true values lie within the bounds", arguments: Row.all)
  func python(row: Row) throws {
    var source = SampleSource(seed: row.seed)
    let samples = (0..<row.samples).map { _ -> Double in
      let unit = source.unit()
      return (unit * unit * unit * 3000).rounded(.down)
    }
    let histogram = TimeHistogram(samples: samples, width: row.width)
    let average = try #require(histogram.average(method: .pooled))
    #expect(abs(average.value - row.middle) < 1e-9)
    #expect(average.lower <= row.mean && row.mean <= average.upper)
    #expect(abs(average.upper - average.lower - Double(row.width)) < 1e-9)
    for (found, expected) in zip(
      histogram.values(atPercentiles: [50, 90, 99]), zip(row.percentiles, row.ranked))
    {
      #expect(found.lower <= expected.1 && expected.1 <= found.upper)
      guard let value = found.value else {
        #expect(row.samples == 37 && found.percentile == 99)
        continue
      }
      #expect(abs(value - expected.0) < 1e-4 && found.upper - found.lower == Double(row.width))
    }
  }

  @Test(
    "averages and percentiles of generated samples are always within their bounds",
    arguments: SampleKind.allCases)
  func bounds(kind: SampleKind) throws {
    for seed in 0..<60 as Range<UInt64> {
      var source = SampleSource(seed: seed)
      let samples = source.draw(1 + Int(source.unit() * 400), of: kind).map { $0.rounded(.down) }.sorted()
      let histogram = TimeHistogram(samples: samples, width: [0, 10, 100][Int(seed % 3)])
      let mean = samples.reduce(0, +) / Double(samples.count)
      let average = try #require(histogram.average(method: .pooled))
      #expect(average.lower - 1e-6 <= mean && mean <= average.upper + 1e-6)
      for percentile in [0, 1, 25, 50, 75, 90, 95, 99, 100] as [Double] {
        let found = try #require(histogram.value(atPercentile: percentile))
        let rank = max(1, Int((percentile * Double(samples.count) / 100).rounded(.up)))
        #expect(found.lower <= samples[rank - 1] && samples[rank - 1] <= found.upper)
        if let value = found.value { #expect(found.lower <= value && value <= found.upper) }
      }
    }
  }

  @Test("where bins overlap, the bounds are those that every placing of the samples allows")
  func overlapping() throws {
    let histogram = TimeHistogram((0, 400, 10), (50, 59, 10), (1000, 1009, 1))
    let median = try #require(histogram.value(atPercentile: 50))
    // The eleventh smallest: not below 50, and all ten of the wide bin may lie at 400.
    #expect(median.lower == 50 && median.upper == 400)
  }

  @Test("a percentile needs so many samples that one is expected beyond it")
  func needed() {
    let needed = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 100].map(
      TimePercentile.samplesNeeded(forPercentile:))
    #expect(needed == [1, 100, 20, 10, 5, 5, 5, 10, 20, 100, 1000, 1])
  }

  @Test("for too few samples there is a range instead of a number")
  func fewSamples() throws {
    let nineteen = TimeHistogram((100, 109, 18), (500, 509, 1))
    let range = try #require(nineteen.value(atPercentile: 95))
    #expect(range.value == nil && range.lower == 100 && range.upper == 510 && range.count == 19)
    #expect(nineteen.merged(with: TimeHistogram((100, 109, 1))).value(atPercentile: 95)?.value != nil)
    let one = try #require(TimeHistogram((700, 709, 1)).value(atPercentile: 50))
    #expect(one.value == nil && one.lower == 700 && one.upper == 710)
    #expect(TimeHistogram((700, 709, 1)).value(atPercentile: 100)?.value == 710)
    #expect(TimeHistogram().value(atPercentile: 50) == nil)
  }

  @Test("the range for few samples holds the true percentile 19 times of 20, unless it is beyond the samples")
  func fewSamplesCoverage() throws {
    // The 90th percentile of 1000·u is 900; nine samples are too few for it.
    var inside = 0
    for seed in 0..<400 as Range<UInt64> {
      var source = SampleSource(seed: seed)
      let samples = (0..<9).map { _ in source.unit() * 1000 }
      let range = try #require(TimeHistogram(samples: samples, width: 10).value(atPercentile: 90))
      #expect(range.value == nil)
      if range.lower <= 900, 900 <= range.upper || range.upper >= (samples.max() ?? 0) { inside += 1 }
    }
    #expect(inside >= 380)
  }
}
