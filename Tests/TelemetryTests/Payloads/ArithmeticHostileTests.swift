import Telemetry
import Testing

@Suite("Hostile histograms")
struct ArithmeticHostileTests {
  private static let bounds: [Double] = [
    0, -0.0, -1, 1, 9, 99, 1e-300, 1e15, 1e18, 1e300, -1e300, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude,
    .nan, .infinity,
  ]
  private static let counts = [0, 1, -1, 25, 1 << 53, .max, .max - 1, .min]

  private func histogram(_ source: inout SampleSource) -> TimeHistogram {
    var bins: [TimeHistogram.Bin] = []
    for _ in 0..<source.place(in: 12) {
      let first = Self.bounds[source.place(in: Self.bounds.count)]
      let second = Self.bounds[source.place(in: Self.bounds.count)]
      let count = Self.counts[source.place(in: Self.counts.count)]
      bins.append(.init(start: min(first, second), end: max(first, second), count: count))
    }
    return TimeHistogram(bins)
  }

  @Test(
    "counts up to 2⁶³ and bounds of any size trap nowhere, and what is computed is a number within its bounds"
  )
  func extremes() {
    for seed in 0..<300 as Range<UInt64> {
      var source = SampleSource(seed: seed)
      let (first, second) = (histogram(&source), histogram(&source))
      let merged = first.merged(with: second)
      #expect(merged.count >= max(first.count, second.count))
      for method in AverageMethod.allCases {
        let payloads = [first, second].map { VersionedHistogram(version: "1", histogram: $0) }
        let average = payloads.average(applicationVersion: "1", method: method)
        if let average { #expect(average.lower <= average.value && average.value <= average.upper) }
      }
      for found in merged.values(atPercentiles: [-1, 0, 1e-300, 50, 99.9999, 100, 1e9, .nan, .infinity]) {
        #expect(found.lower <= found.upper)
        if let value = found.value { #expect(found.lower <= value && value <= found.upper) }
      }
      _ = HangRates([first, second].map { HangRates.Day(hangs: $0, foreground: 1e-300) }, countingFrom: 250)
      let comparison = VersionComparison(first, with: second)
      #expect((0...1).contains(comparison.confidence))
      let days = VersionComparison(
        days: [TimeHistogram](repeating: first, count: 6), with: [TimeHistogram](repeating: second, count: 7))
      #expect((0...1).contains(days.confidence))
    }
  }

  @Test("sums and averages of extremes are numbers or none")
  func sums() throws {
    let most = Double.greatestFiniteMagnitude
    let first = try #require(SampledAverage(mean: most, standardDeviation: most, count: .max))
    let second = try #require(SampledAverage(mean: -most, standardDeviation: 0, count: .max))
    let all = try #require(SampledAverage.combining([first, second]))
    #expect(all.count == .max && all.mean.isFinite && all.standardDeviation?.isNaN != true)
    let exits = ExitFigures(
      [(reason: 1, count: Int.max), (reason: 1, count: .max), (reason: 2, count: .max)], foreground: 1e-300)
    #expect(exits.count == .max && exits.figures.map(\.share) == [0.5, 0.5])
    let sum = ScalarFigures([ScalarFigures.Day](repeating: .init(value: most, foreground: 1e-300), count: 3))
    #expect(sum?.perDay == most && sum?.perForegroundHour == nil)
  }

  @Test("10,000 bins on each side are compared, with equal and with very unequal counts")
  func manyBins() {
    let bins = { (count: Int, factor: Int) in
      TimeHistogram(
        (0..<10_000).map { place in
          .init(start: Double(place * 10), end: Double(place * 10 + 9), count: place % 7 * count * factor)
        })
    }
    #expect(VersionComparison(bins(1, 1), with: bins(1, 1_000_000)).verdict == .noDifference)
    #expect(VersionComparison(bins(1, 3), with: bins(1, 3)).verdict == .noDifference)
  }
}
