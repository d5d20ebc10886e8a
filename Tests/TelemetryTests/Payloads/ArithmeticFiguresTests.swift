import Telemetry
import Testing

@Suite("Rates and sums of payloads")
struct ArithmeticFiguresTests {
  @Test("the hang rate of what iOS 13.1.3 simulates, to three decimals")
  func goldenHangRate() throws {
    let rate = try #require(HangRate(.simulatedHangs, foreground: 700))
    #expect([rate.lower, rate.value, rate.upper].map { rounded($0) } == [92.571, 174.857, 257.143])
  }

  @Test("cut at 250 ms, the part of a bin above it counts, with bounds for where its samples are")
  func cutHangRate() throws {
    let rate = try #require(
      HangRate(.simulatedHangs, foreground: 3600, countingFrom: HangRate.shortestHang))
    // 100 to 400: half of 60 samples of 325 ms; 400 to 700: 30 of 550 ms.
    #expect(rounded(rate.value) == 26.25)
    #expect(rounded(rate.lower) == 12 && rounded(rate.upper) == 45)
    let real = TimeHistogram((250, 259, 4), (1000, 1009, 2))
    #expect(HangRate(real, foreground: 60, countingFrom: 250) == HangRate(real, foreground: 60))
    #expect(HangRate(TimeHistogram((0, 100, 9)), foreground: 60, countingFrom: 250)?.upper == 0)
  }

  @Test("no time in the foreground, no rate", arguments: [nil, 0, -1, .nan, .infinity] as [Double?])
  func noForeground(foreground: Double?) {
    #expect(HangRate(.simulatedHangs, foreground: foreground) == nil)
    #expect(HangRates([HangRates.Day(hangs: .simulatedHangs, foreground: foreground)]) == nil)
    let scalar = ScalarFigures([ScalarFigures.Day(value: 3, foreground: foreground)])
    #expect(scalar?.total == 3 && scalar?.perForegroundHour == nil)
    let exits = ExitFigures([(reason: "a", count: 1)], foreground: foreground)
    #expect(exits.figures.first?.perForegroundHour == nil)
  }

  @Test("one device that hangs all day is most of the pooled rate and little of the median")
  func hangRates() throws {
    let usual = HangRates.Day(hangs: TimeHistogram((1000, 1000, 1)), foreground: 3600)
    let bad = HangRates.Day(hangs: TimeHistogram((1000, 1000, 100)), foreground: 3600)
    let idle = HangRates.Day(hangs: TimeHistogram((1000, 1000, 1)), foreground: 0)
    let calm = HangRates.Day(hangs: TimeHistogram(), foreground: 3600)
    let rates = try #require(
      HangRates([bad, idle, calm] + [HangRates.Day](repeating: usual, count: 8)))
    #expect(rates.days == 10 && rates.daysWithoutRate == 1)
    #expect(
      rounded(rates.pooled.value) == 10.8 && rates.median.value == 1 && rates.ninetiethPercentile.value == 1)
  }

  @Test("hitches are graded by Apple's limits")
  func hitches() {
    let grades = [0, 4.99, 5, 10, 10.01, .infinity].map { HitchGrade(ratio: $0) }
    #expect(grades == [.good, .good, .fair, .fair, .poor, .poor])
    #expect(HitchGrade(ratio: -1) == nil && HitchGrade(ratio: .nan) == nil)
  }

  @Test("exits have a share and a rate, the most frequent first")
  func exits() {
    let counts = [("normal", 2), ("watchdog", 5), ("memory", 0), ("normal", 1), ("signal", -4), ("other", 2)]
    let exits = ExitFigures(counts.map { (reason: $0.0, count: $0.1) }, foreground: 7200)
    #expect(exits.count == 10 && exits.figures.map(\.reason) == ["watchdog", "normal", "other"])
    #expect(exits.figures.map(\.share) == [0.5, 0.3, 0.2])
    #expect(exits.figures.map(\.perForegroundHour) == [2.5, 1.5, 1])
    #expect(ExitFigures([(reason: "normal", count: 0)], foreground: 1).figures.isEmpty)
  }

  @Test("a sum is given whole, for each device-day and for each hour of use")
  func scalars() throws {
    let days: [(Double?, Double?)] = [(10, 1800), (30, 5400), (nil, 3600), (20, nil), (.nan, 1)]
    let figures = try #require(
      ScalarFigures(days.map { ScalarFigures.Day(value: $0.0, foreground: $0.1) }))
    #expect(figures.total == 60 && figures.days == 3 && figures.perDay == 20)
    #expect(figures.perForegroundHour == 20)
    #expect(ScalarFigures([ScalarFigures.Day(value: nil, foreground: 5)]) == nil)
  }

  @Test("averages are joined as if all samples were at hand")
  func combining() throws {
    // 1, 3 and 2, 4, 6, 8: means 2 and 5, variances 1 and 5; all: mean 4, variance (9+1+4+0+4+16)/6 = 34/6.
    let first = try #require(SampledAverage(mean: 2, standardDeviation: 1, count: 2))
    let second = try #require(SampledAverage(mean: 5, standardDeviation: 5.0.squareRoot(), count: 4))
    let all = try #require(SampledAverage.combining([first, second]))
    #expect(all.mean == 4 && all.count == 6)
    #expect(abs((all.standardDeviation ?? 0) - (34.0 / 6).squareRoot()) < 1e-12)
    let unknown = try #require(SampledAverage(mean: 4, standardDeviation: -1, count: 6))
    #expect(unknown.standardDeviation == nil)
    #expect(
      SampledAverage.combining([first, unknown])
        == SampledAverage(mean: 3.5, standardDeviation: nil, count: 8))
    #expect(SampledAverage(mean: 0, standardDeviation: -1, count: 0) == nil)
    #expect(SampledAverage.combining([]) == nil && SampledAverage.combining([first]) == first)
  }
}
