import TestSupport
import Testing

@testable import Aggregation

@Suite("The cause of a cascade")
struct CascadeTests {
  @Test("the metric that changed first is named first, in one story with those that follow")
  func cause() {
    let seeds = UInt64(trials(20, long: 100))
    var (first, together) = (0, 0)
    for seed in 1...seeds {
      let file = PlantedCascade(seed: seed)
      let log = IncidentLog(file.samples, metrics: PlantedCascade.metrics)
      let story = IncidentGroup.groups(of: log.entries).first {
        abs($0.start - file.onset) < 60
      }
      let names = story?.ranked.map(\.series) ?? []
      if names.first == SeriesIdentity.planted(PlantedCascade.cause) { first += 1 }
      if PlantedCascade.followers.allSatisfy({ names.contains(SeriesIdentity.planted($0)) }) { together += 1 }
    }
    print("the cause is first in \(first), all are together in \(together) of \(seeds)")
    #expect(Double(first) >= 0.9 * Double(seeds))
    #expect(Double(together) >= 0.9 * Double(seeds))
  }

  private struct Change {
    var kind = Incident.Kind.above
    var start: Double
    var margin = 1.0
    var score = 10.0
    var end = Incident.End.none
  }

  private static func entry(_ change: Change, _ place: Int) -> IncidentLog.Entry {
    var incident = Incident(kind: change.kind, start: change.start, peak: 4, usual: 1)
    (incident.startMargin, incident.score, incident.end) = (change.margin, change.score, change.end)
    return IncidentLog.Entry(series: .planted(place), incident: incident)
  }

  private static func stories(_ changes: [Change]) -> [[Int]] {
    let entries = changes.enumerated().map { entry($1, $0) }
    let names = entries.map(\.series)
    return IncidentGroup.groups(of: entries.sorted { $0.precedes($1) }).map { group in
      group.ranked.compactMap { entry in names.firstIndex(of: entry.series) }
    }
  }

  @Test("of changes that may have come first, the largest in its own spread heads")
  func ties() {
    #expect(Self.stories([Change(start: 100), Change(start: 100.5, score: 12)])[0][0] == 1)
    #expect(Self.stories([Change(start: 100), Change(start: 102, score: 90)])[0][0] == 0)
    #expect(Self.stories([Change(start: 100), Change(start: 102, margin: 3, score: 90)])[0][0] == 1)
  }

  @Test("texts and silences head only where no number changed")
  func numbers() {
    let changes = [Change(kind: .outcome, start: 100), Change(kind: .silent, start: 101), Change(start: 110)]
    #expect(Self.stories(changes) == [[2, 0, 1]])
    #expect(Self.stories([Change(kind: .outcome, start: 100), Change(kind: .silent, start: 110)])[0][0] == 0)
  }

  @Test("a change that lasts heads those that are over, and the story ends with its head")
  func ends() throws {
    let over = Change(start: 100, score: 90, end: .returned(160))
    #expect(Self.stories([over, Change(start: 101)]) == [[1, 0]])
    #expect(Self.stories([over, Change(start: 110, end: .returned(400))]) == [[0, 1]])
    let entries = [over, Change(start: 110, end: .returned(400))].enumerated().map { Self.entry($1, $0) }
    #expect(IncidentGroup.groups(of: entries)[0].end == 160)
  }

  @Test("changes far apart are stories of their own, unless their starts are uncertain")
  func apart() {
    #expect(Self.stories([Change(start: 100), Change(start: 130)]) == [[0], [1]])
    #expect(Self.stories([Change(start: 100), Change(start: 130, margin: 15)]).count == 1)
    #expect(Self.stories([Change(start: 100), Change(kind: .drift, start: 300, margin: 900)]).count == 2)
  }

  @Test(
    "the start is within its margin",
    arguments: [1.5, 2, 3, 0.5])
  func margins(factor: Double) {
    let seeds = UInt64(trials(20, long: 100))
    var (found, inside) = (0, 0)
    for seed in 1...seeds {
      var recipe = SeriesRecipe()
      recipe.change = .level(factor, seconds: .infinity)
      let series = PlantedSeries(recipe, seed: seed)
      var log = IncidentLog { _ in [.values, .silences] }
      let number = log.number(of: SeriesIdentity.planted(0)) ?? -1
      for sample in series.samples { log.record(.number(sample.value), at: sample.time, of: number) }
      let hit = log.entries.first {
        $0.incident.found >= series.start && $0.incident.start > series.start - 300
      }
      guard let hit else { continue }
      found += 1
      if abs(hit.incident.start - series.start) <= hit.incident.startMargin { inside += 1 }
    }
    #expect(Double(inside) >= 0.85 * Double(found), "\(inside) of \(found)")
  }
}
