import Aggregation
import Foundation
import TestSupport
import Testing

@Suite("What is detected under noise")
struct DetectionTableTests {
  /// A planted change and the criteria for detecting it.
  struct Cell: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let recipe: SeriesRecipe
    let kinds: Set<Incident.Kind>
    /// Maximum seconds from the start to the detection.
    let within: Double
    /// Minimum share of series in which the change is found.
    let recall: Double

    init(
      _ name: String, _ change: SeriesRecipe.Change, _ kinds: Set<Incident.Kind>, within: Double,
      recall: Double,
      _ edit: (inout SeriesRecipe) -> Void = { _ in }
    ) {
      var recipe = SeriesRecipe()
      recipe.change = change
      edit(&recipe)
      (testDescription, self.recipe, self.kinds) = (name, recipe, kinds)
      (self.within, self.recall) = (within, recall)
    }
  }

  static let cells = [
    Cell("× 1.5", .level(1.5, seconds: .infinity), [.above, .drift], within: 120, recall: 0.8),
    Cell("× 2", .level(2, seconds: .infinity), [.above], within: 60, recall: 0.95),
    Cell("× 2 for 2 minutes", .level(2, seconds: 120), [.above], within: 60, recall: 0.95),
    Cell("× 3 for a minute", .level(3, seconds: 60), [.above], within: 60, recall: 0.95),
    Cell("× 0.5", .level(0.5, seconds: .infinity), [.below], within: 60, recall: 0.95),
    Cell("zero for 30 s", .level(0, seconds: 30), [.below], within: 60, recall: 0.95),
    Cell("leak to × 2", .leak(2, seconds: 1200), [.above, .drift], within: 2100, recall: 0.9) {
      $0.length = 3600
    },
    Cell("one sample × 40", .outlier(40), [.outlier], within: 60, recall: 0.95),
    Cell("three times the rate", .rate(3, seconds: 120), [.rate], within: 120, recall: 0.95),
    Cell("silence of 20 gaps", .silence(gaps: 20), [.silent], within: 60, recall: 0.95),
    // Three minutes hold 11 failures, about as many as a limit of one false line in a thousand hours requires.
    Cell("failures from 1 to 5 %", .failures(0.01, 0.05), [.outcome], within: 900, recall: 0.9) {
      $0.failures = 0.01
    },
  ]

  private static func incidents(of series: PlantedSeries, _ recipe: SeriesRecipe) -> [Incident] {
    var detector = SeriesDetector()
    var found: [Incident] = []
    for sample in series.samples {
      let value: SeriesValue = recipe.failures == nil ? .number(sample.value) : .bool(sample.value > 0)
      detector.record(value, at: sample.time) { found.append($0) }
    }
    return found + detector.open(at: recipe.length)
  }

  private static let seeds = UInt64(trials(20, long: 100))

  @Test("a change is found in time, with its factor within its margin", arguments: cells)
  func recall(cell: Cell) {
    var (found, covered, told) = (0, 0, 0)
    for seed in 1...Self.seeds {
      let series = PlantedSeries(cell.recipe, seed: seed)
      let hit = Self.incidents(of: series, cell.recipe).first {
        cell.kinds.contains($0.kind) && $0.start >= series.start - 900
          && $0.found - series.start <= cell.within + 1
      }
      guard let hit else { continue }
      found += 1
      guard case .level(let factor, _) = cell.recipe.change, factor > 0, hit.kind != .drift else { continue }
      told += 1
      if abs(log(hit.median / hit.usual / factor)) <= log(hit.margin) { covered += 1 }
    }
    #expect(Double(found) >= cell.recall * Double(Self.seeds), "\(found) of \(Self.seeds)")
    #expect(Double(covered) >= 0.9 * Double(told), "\(covered) of \(told)")
  }

  static let innocents: [(String, @Sendable (inout SeriesRecipe) -> Void)] = [
    ("constant", { ($0.noise, $0.arrivals) = (.none, .regular) }),
    ("sine", { $0.course = .sine(0.2, period: 1860) }),
    ("day", { ($0.course, $0.length) = (.day(0.6), 7200) }),
    ("random walk", { ($0.course, $0.noise) = (.walk(0.005), .normal(0.05)) }),
    ("bursts", { $0.arrivals = .bursts }),
    ("heavy tail", { $0.noise = .pareto(2.2) }),
    ("restarts", { $0.course = .restarts }),
    ("a job every minute", { $0.course = .cron(5) }),
  ]

  @Test("innocent series of eight kinds cause almost no line")
  func innocence() {
    var lines: [String] = []
    var hours = 0.0
    for (name, edit) in Self.innocents {
      var recipe = SeriesRecipe()
      (recipe.course, recipe.length) = (.flat, 3600)
      edit(&recipe)
      for seed in 1...Self.seeds {
        hours += recipe.length / 3600
        let found = Self.incidents(of: PlantedSeries(recipe, seed: seed &+ 100_000), recipe)
        lines += found.map { "\(name) \(seed): \($0.kind)" }
      }
    }
    print("\(lines.count) lines in \(Int(hours)) hours of innocent series")
    #expect(Double(lines.count) <= max(1, hours / 200), "\(lines)")
  }
}
