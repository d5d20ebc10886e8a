import Testing

@testable import Codecs

@Suite("Round numbers of a logarithmic axis")
struct LogScaleTests {
  @Test(
    "the range ends on 1, 2 or 5 times a power of ten",
    arguments: [
      (3...70, 2...100), (1...1, 0.5...2), (5...5, 2...10), (0.0021...0.9, 0.002...1), (1...1000, 1...1000),
      (0.3...0.3, 0.2...0.5), (-7...30, Double.leastNonzeroMagnitude...50),
    ] as [(ClosedRange<Double>, ClosedRange<Double>)])
  func ranges(values: ClosedRange<Double>, range: ClosedRange<Double>) {
    #expect(LogScale.range(values) == range)
  }

  @Test(
    "ticks are 1-2-5, powers of ten, or every few of those",
    arguments: [
      (1...10, 4, [1, 2, 5, 10]), (1...1000, 4, [1, 10, 100, 1000]), (1...1000, 3, [1, 100]),
      (20...500, 4, [20, 500]), (2...2000, 4, [10, 100, 1000]),
      (
        0.01...5, 11,
        [
          0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5,
        ]
      ), (1e-300...1e300, 4, [1e-200, 1, 1e200]), (1...10, 1, [10]),
    ] as [(ClosedRange<Double>, Int, [Double])])
  func ticks(range: ClosedRange<Double>, limit: Int, ticks: [Double]) {
    #expect(LogScale.ticks(range, limit: limit) == ticks)
  }

  @Test("any two numbers have a range that holds them and ticks inside of it")
  func extremes() {
    let numbers = [
      Double.leastNonzeroMagnitude, 1e-308, 1e-300, 1e-7, 0.1, 1, 1.0000001, 9.99999, 10, 1e15, 1e300,
      Double.greatestFiniteMagnitude,
    ]
    for low in numbers {
      for high in numbers where high >= low {
        let range = LogScale.range(low...high)
        #expect(range.lowerBound <= low && range.upperBound >= high && range.upperBound.isFinite)
        for limit in 1...12 {
          let ticks = LogScale.ticks(range, limit: limit)
          #expect(!ticks.isEmpty && ticks.count <= max(2, limit))
          #expect(ticks.allSatisfy { range.contains($0) } && ticks == ticks.sorted())
        }
      }
    }
  }
}
