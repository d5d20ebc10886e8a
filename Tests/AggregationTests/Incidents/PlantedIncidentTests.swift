import Aggregation
import Foundation
import TestSupport
import Testing

@Suite("Incidents that were planted")
struct PlantedIncidentTests {
  /// The fate of the plants of some files.
  private struct Score {
    var planted = 0
    var found = 0
    var wrong = 0
    var misses: [String] = []
  }

  /// An incident is found when it begins within one interval of its plant.
  private static func judge(_ file: PlantedIncidents, seed: UInt64, _ score: inout Score) {
    let entries = IncidentLog(file.samples, metrics: PlantedIncidents.metrics).entries
    score.planted += file.plants.count
    var wrong = Set(entries)
    for plant in file.plants {
      let own = entries.filter { $0.series == .planted(plant.metric) }
      let kinds: [Incident.Kind] =
        switch plant.kind {
        case .peak, .step: [.above, .below, .outlier, .drift]
        case .silence: [.silent]
        case .outcomes: [.outcome]
        }
      let hit = own.contains {
        kinds.contains($0.incident.kind) && abs($0.incident.start - plant.onset) <= 1.05 * plant.interval
      }
      if hit {
        score.found += 1
      } else {
        score.misses.append(
          "seed \(seed) metric \(plant.metric) \(plant.kind) at \(plant.onset): \(own.map { ($0.incident.kind, $0.incident.start) })"
        )
      }
      // A plant's later effects on its metric, such as the way back, are part of it.
      let times = plant.times.lowerBound - 2 * plant.interval...plant.times.upperBound + 120
      wrong = wrong.filter { $0.series != .planted(plant.metric) || !times.contains($0.incident.start) }
    }
    // Every eighth metric has isolated peaks: a first one is an outlier.
    let peaks = Set(stride(from: 7, to: PlantedIncidents.metrics, by: 8).map(SeriesIdentity.planted))
    wrong = wrong.filter { $0.incident.kind != .outlier || !peaks.contains($0.series) }
    score.wrong += wrong.count
  }

  /// Files that are judged; `PLANTED_FILES` takes more than the 24 of each run.
  private static let files =
    ProcessInfo.processInfo.environment["PLANTED_FILES"].flatMap { UInt64($0) }.map { max(1, $0) }
    ?? UInt64(trials(8, long: 24))

  @Test("at least 95 % begin where they were planted, with five wrong ones in four hours at most")
  func planted() {
    var score = Score()
    for seed in 1...Self.files { Self.judge(PlantedIncidents(seed: seed), seed: seed, &score) }
    print("\(score.found) of \(score.planted) found, \(score.wrong) wrong in \(Self.files) files")
    #expect(
      Double(score.found) >= 0.95 * Double(score.planted),
      "\(score.found) of \(score.planted): \(score.misses)")
    #expect(score.wrong * 4 <= Int(Self.files) * 5, "\(score.wrong)")
  }
}
