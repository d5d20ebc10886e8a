import Testing

@testable import Aggregation

@Suite("The bulk of samples over time")
struct TimeDensityTests {
  private static let day = 86_400.0
  /// January 1 of year 1, and December 31 of 9999, in seconds since 2001.
  private static let (yearOne, yearLast) = (-63_113_904_000.0, 252_423_993_599.0)

  private static func bulk(_ times: [Double]) -> (range: ClosedRange<Double>, beyond: [TimeDensity.Outliers])?
  {
    var density = TimeDensity()
    for time in times { density.record(time: time) }
    return density.bulk
  }

  private static func run(_ count: Int, from start: Double = 8e8, every step: Double = 1) -> [Double] {
    (0..<count).map { start + Double($0) * step }
  }

  @Test("leaves out what lies far from all others, on both sides", arguments: [19, 1000, 100_000])
  func outliers(count: Int) throws {
    let bulk = try #require(Self.bulk([Self.yearOne] + Self.run(count) + [Self.yearLast]))
    #expect(bulk.range.lowerBound > 7.9e8 && bulk.range.upperBound < 8.1e8)
    #expect(bulk.range.contains(8e8) && bulk.range.contains(8e8 + Double(count - 1)))
    #expect(bulk.beyond.map(\.count) == [1, 1])
    let (early, late) = (try #require(bulk.beyond.first), try #require(bulk.beyond.last))
    #expect(early.first < -6e10 && late.first > 2e11)
  }

  static let undivided: [[Double]] = [
    run(20), [1, 2], [yearOne, 8e8], [yearOne, 8e8, 8e8 + 1], run(10, every: 40 * day),
    // A year's pause in the middle, a fifth of the samples before it.
    run(2000, from: 7e8) + run(8000), run(20) + [8e8 + 20 * day],
    // Few samples, but no farther away than the others are from each other.
    [8e8 - 40 * day] + run(100, every: day),
  ]

  @Test("is all of them otherwise", arguments: undivided)
  func whole(times: [Double]) throws {
    let bulk = try #require(Self.bulk(times))
    #expect(bulk.beyond.isEmpty)
    #expect(times.allSatisfy { bulk.range.contains($0) })
  }

  @Test("is nothing without samples")
  func empty() { #expect(TimeDensity().bulk == nil) }
}

@Suite("Series whose times are shifted as they are read")
struct ShiftedSeriesTests {
  @Test("all figures of a window are as if the samples had the shifted times")
  func shifted() {
    var (plain, moved) = (SeriesStore(), SeriesStore())
    let identity = SeriesIdentity(bucket: "b", name: "n", typeName: "Double")
    let (id, other) = (plain.series(for: identity), moved.series(for: identity))
    for index in 0..<3000 {
      let (time, value) = (1000 + Double(index) / 4, SeriesValue.number(Double(index % 100)))
      plain.record(id, time: time, value: value)
      moved.record(other, time: time + 64, value: value)
    }
    moved.shifts = [other: -64]
    for (from, to) in [(1000.0, 1750.0), (1200, 1201), (1700, 1800), (1800, 1900)] {
      let both = [plain, moved].map { store in
        (
          store.summary(of: id, from: from, to: to, percentiles: [50, 95]),
          store.columns(of: id, from: from, to: to, count: 7),
          store.samples(of: id, from: from, to: to, limit: 9),
          store.binCounts(of: id, from: from, to: to, over: 0...100, bins: 5)
        )
      }
      #expect(both[0].0.quantiles == both[1].0.quantiles && both[0].0.count == both[1].0.count)
      #expect(both[0].0.firstTime == both[1].0.firstTime && both[0].0.lastTime == both[1].0.lastTime)
      #expect(both[0].1.map { $0?.lastTime } == both[1].1.map { $0?.lastTime })
      #expect(both[0].1.map { $0?.mean } == both[1].1.map { $0?.mean })
      #expect(both[0].2 == both[1].2 && both[0].3 == both[1].3)
    }
    #expect(plain.tally(of: id) == moved.tally(of: id) && plain.timeRange == moved.timeRange)
    let version = moved.version(of: id)
    moved.shifts = [:]
    #expect(moved.version(of: id) != version && moved.tally(of: id).firstTime == 1064)
  }
}
