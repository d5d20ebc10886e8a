import Aggregation
import Foundation
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("The figures of a histogram are those of an independent computation")
struct HistogramExactTests {
  private let fixture: FiguresFixture

  init() throws {
    fixture = try FiguresFixture.read()
  }

  /// The same to the nine digits that are written.
  private func isSame(_ figure: Double?, _ expected: Double) -> Bool {
    figure.map { abs($0 - expected) <= 5.1e-9 * max(abs($0), abs(expected)) } ?? false
  }

  private func side(_ cube: SampleCube, _ answer: FiguresFixture.Answer) -> HistogramSide {
    HistogramSide(name: "", cube.selection(.init(labels: answer.labels, window: answer.window)))
  }

  @Test("count, average, deviation and the largest of any choice of labels and time are exact")
  func moments() throws {
    for fixture in fixture.cubes {
      let cube = fixture.cube
      for answer in fixture.answers {
        let (side, figures) = (side(cube, answer), answer.figures)
        let average = try #require(side.average())
        #expect(side.count == figures.count && side.maximum == figures.most, "\(fixture.name)")
        #expect(isSame(average.value, figures.mean) && isSame(side.standardDeviation, figures.deviation))
      }
    }
  }

  @Test(
    "percentiles by nearest rank lie in the bounds that are given: 0.025 % of all time, more of a stretch of it"
  )
  func percentiles() throws {
    for fixture in fixture.cubes {
      let cube = fixture.cube
      for answer in fixture.answers {
        let width = answer.window == nil ? 1.0 / 4096 : 0.25
        let found = side(cube, answer).quantiles(self.fixture.percentiles)
        #expect(found.count == self.fixture.percentiles.count)
        for (quantile, exact) in zip(found, answer.figures.percentiles) {
          #expect(quantile.lower <= exact && exact <= quantile.upper, "\(fixture.name): \(exact)")
          #expect(quantile.lower <= quantile.value && quantile.value <= quantile.upper)
          #expect(quantile.upper - quantile.lower <= width * max(abs(quantile.lower), abs(quantile.upper)))
        }
      }
    }
  }

  @Test("counts, shares and sums of rows are exact, but for samples in bins that reach over an edge")
  func rows() throws {
    for fixture in fixture.cubes {
      let (cube, grid) = (fixture.cube, fixture.grid)
      for (answer, other) in zip(fixture.answers, fixture.answers.dropFirst() + fixture.answers.prefix(1)) {
        let figures = HistogramFigures(
          side(cube, answer), against: side(cube, other), on: grid, percentiles: self.fixture.percentiles)
        #expect(figures.rows.count == answer.rows.count)
        #expect(figures.rows.reduce(0) { $0 + $1.a.count } == answer.figures.count)
        for (row, (a, b)) in zip(figures.rows, zip(answer.rows, other.rows)) {
          #expect(
            abs(row.a.count - Int(a[0])) <= row.a.uncertain && abs(row.b.count - Int(b[0])) <= row.b.uncertain
          )
          guard figures.rows.allSatisfy({ $0.a.uncertain == 0 && $0.b.uncertain == 0 }) else { continue }
          #expect(isSame(row.shareA, a[1]) && isSame(row.shareB, b[1]))
          #expect(isSame(row.upToA, a[2]) && isSame(row.upToB, b[2]))
          #expect(abs(row.difference - (a[1] - b[1])) < 2e-9)
        }
      }
    }
  }

  @Test("no row of whole numbers is uncertain, unless a stretch of time was chosen")
  func certain() {
    for fixture in fixture.cubes
    where fixture.name == "launches in ms" || fixture.name == "few values, many times" {
      let (cube, grid) = (fixture.cube, fixture.grid)
      for answer in fixture.answers where answer.window == nil {
        let counts = grid.counts(side(cube, answer).bins)
        #expect(counts.map { Double($0.count) } == answer.rows.map { $0[0] })
        #expect(counts.allSatisfy { $0.uncertain == 0 })
      }
    }
  }

  @Test(
    "what is said to change is the quotient of the percentiles of both sides, where both have enough samples")
  func changes() throws {
    for fixture in fixture.cubes where fixture.name != "below zero and above" {
      let (cube, a, b) = (fixture.cube, fixture.answers[3], fixture.answers[2])
      let figures = HistogramFigures(
        side(cube, a), against: side(cube, b), on: fixture.grid, percentiles: self.fixture.percentiles)
      for (place, found) in figures.percentiles.enumerated() {
        let (exactA, exactB) = (a.figures.percentiles[place], b.figures.percentiles[place])
        let needed = max(5, 100 / min(found.percentile, 100 - found.percentile))
        #expect(found.isStatedA == (Double(a.figures.count) >= needed - 1e-9))
        #expect(found.isStatedB == (Double(b.figures.count) >= needed - 1e-9))
        guard found.isStatedA, found.isStatedB, exactB > 0 else { continue }
        #expect(
          abs(try #require(found.a?.value) / #require(found.b?.value) - 1 - (exactA / exactB - 1)) < 0.001,
          "\(fixture.name)")
      }
    }
  }

  // MARK: Payloads

  private func side(_ payloads: FiguresFixture.Payloads) -> HistogramSide {
    HistogramSide(name: "", days: payloads.days.map { TimeHistogram(samples: $0, width: payloads.width) })
  }

  @Test("averages of payloads by each method, with their bounds, and the deviation of their bins are exact")
  func payloadAverages() throws {
    for payloads in fixture.payloads {
      let side = side(payloads)
      #expect(side.bins.map(\.count) == payloads.bins.map { $0[2] })
      #expect(side.bins.map(\.lower) == payloads.bins.map { Double($0[0]) })
      #expect(isSame(side.standardDeviation, payloads.deviation))
      for method in AverageMethod.allCases {
        let (found, expected) = (
          try #require(side.average(method)), try #require(payloads.averages[method.rawValue])
        )
        #expect(isSame(found.value, expected[0]), "\(payloads.name) \(method)")
        #expect(isSame(found.doubt, max(expected[2] - expected[0], expected[0] - expected[1])))
      }
    }
  }

  @Test("percentiles of payloads are the guess in their bin, with the bin as bounds")
  func payloadPercentiles() {
    for payloads in fixture.payloads {
      for (found, expected) in zip(side(payloads).quantiles(fixture.percentiles), payloads.percentiles) {
        #expect(found.lower <= expected[1] && found.upper >= expected[2])
        guard found.lower == expected[1], found.upper == expected[2] else { continue }
        #expect(isSame(found.value, expected[0]))
      }
    }
  }

  @Test("payloads and samples of the same data agree within the bounds that are stated")
  func agree() throws {
    for payloads in fixture.payloads {
      let (side, half) = (side(payloads), Double(payloads.width) / 2)
      let samples = HistogramSide(name: "", samples: payloads.days.flatMap { $0 })
      let (binned, exact) = (try #require(side.average()), try #require(samples.average()))
      #expect(isSame(exact.value, payloads.figures.mean) && abs(binned.value - exact.value) <= binned.doubt)
      #expect(abs(binned.doubt - half) < 1e-9)
      let means = payloads.days.map { $0.reduce(0, +) / Double($0.count) }
      let published = try #require(side.average(.published))
      #expect(abs(published.value - means.reduce(0, +) / Double(means.count)) <= published.doubt)
      let deviations = (try #require(side.standardDeviation), try #require(samples.standardDeviation))
      #expect(abs(deviations.0 - deviations.1) <= half)
      for (found, exact) in zip(side.quantiles(fixture.percentiles), payloads.figures.percentiles) {
        #expect(found.lower <= exact && exact <= found.upper)
      }
      try agree(samples, side, width: payloads.width)
    }
  }

  /// Rows of both differ by no more than what lies in bins over their edges; on the payloads' own grid by nothing.
  private func agree(_ samples: HistogramSide, _ binned: HistogramSide, width: Int) throws {
    let percentiles = fixture.percentiles
    let rows = HistogramFigures(
      samples, against: binned, on: HistogramGrid(.linear, for: samples.bins, rows: 30),
      percentiles: percentiles
    ).rows
    for row in rows { #expect(abs(row.a.count - row.b.count) <= row.a.uncertain + row.b.uncertain) }
    let own = HistogramGrid(
      scale: .recorded,
      rows: (0..<40).map { .init(lower: Double($0 * 10 * width), upper: Double(($0 + 1) * 10 * width)) })
    let exact = HistogramFigures(samples, against: binned, on: own, percentiles: percentiles)
    #expect(exact.rows.allSatisfy { $0.a == $0.b && $0.b.uncertain == 0 && $0.difference == 0 })
    #expect(exact.comparison?.verdict.finding == .noDifference)
  }
}
