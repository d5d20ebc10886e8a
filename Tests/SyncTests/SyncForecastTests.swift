import Foundation
import MisterMetricsCore
import Scenarios
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("What will collide")
struct SyncForecastTests {
  /// A record as its reader sees it.
  private struct Reader {
    var state = SyncState.Kind.idle
    var phase: SyncStateMachine.ActiveRun.Phase?
    var openUntil: Double?
    var simulation: SyncSimulationRecord?

    mutating func read(_ entries: [MetricEntry]) throws {
      for entry in entries { try read(entry) }
    }

    private mutating func read(_ entry: MetricEntry) throws {
      switch entry.metric.name {
      case SyncMetric.transition.name: read(try entry.decode(SyncTransition.self))
      case SyncMetric.run.name: phase = nil
      case SyncMetric.breaker.name:
        let breaker = try entry.decode(SyncBreaker.self)
        openUntil = breaker.state == "open" ? breaker.until : nil
      case SyncMetric.simulation.name: simulation = try entry.decode(SyncSimulationRecord.self)
      default: break
      }
    }

    private mutating func read(_ transition: SyncTransition) {
      state = SyncState.Kind(rawValue: transition.to) ?? state
      guard !transition.refused else { return }
      switch SyncEvent.Kind(rawValue: transition.event) {
      case .syncRequested: phase = .probing
      case .probeSucceeded: phase = .pushing
      case .pushFinished: phase = .pulling
      default: break
      }
    }

    var forecast: SyncForecast? {
      SyncForecast(
        state: state, phase: phase, openUntil: openUntil, next: simulation?.next, nextAt: simulation?.nextAt)
    }
  }

  /// How many moments were looked at, and of how many a refusal was said.
  private struct Tally {
    var moments = 0
    var refusals = 0
  }

  @Test func `At many moments, what is said of the next request is what becomes of it`() throws {
    var tally = Tally()
    for file in Scenarios.stories {
      let story = try Scenario(json5: Data(file.bytes))
      for seed in 0..<UInt64(trials(1, long: 5)) { try Self.play(story, seed: seed, &tally) }
    }
    for seed in 0..<UInt64(trials(12, long: 60)) { try Self.play(.busy(seed: seed), seed: seed, &tally) }
    #expect(tally.moments >= trials(200, long: 1_000) && tally.refusals >= trials(20, long: 100), "\(tally)")
  }

  private static func play(_ scenario: Scenario, seed: UInt64, _ tally: inout Tally) throws {
    let simulation = try Simulation(scenario, seed: scenario.seed &+ seed)
    var person = RandomPerson(seed: seed)
    var reader = Reader()
    simulation.run(until: .seconds(person.number(Int((scenario.duration ?? .seconds(60)) / .seconds(1)))))
    try reader.read(simulation.takeEntries())
    for _ in 0..<16 {
      try look(simulation, &reader, &tally, "\(scenario.name), seed \(seed), \(simulation.now)")
      person.play(simulation, rounds: 1 + person.number(3))
      try reader.read(simulation.takeEntries())
    }
  }

  /// Plays on to what comes next from outside and compares with what was said.
  private static func look(
    _ simulation: Simulation, _ reader: inout Reader, _ tally: inout Tally, _ place: String
  ) throws {
    let forecast = reader.forecast
    let (openUntil, nextAt) = (reader.openUntil, reader.simulation?.nextAt)
    while let next = simulation.world.earliest, simulation.next != nil {
      simulation.step()
      let entries = simulation.takeEntries()
      try reader.read(entries)
      guard case .outside = next, let nextAt else { continue }
      let requests = try entries.filter { $0.metric == AnyMetric(SyncMetric.transition) }
        .map { try $0.decode(SyncTransition.self) }.filter { $0.event == "syncRequested" }
      let isRefused =
        requests.first?.refused == true && requests[0].reason?.hasPrefix("the breaker is open") == true
      tally.moments += 1
      tally.refusals += forecast == nil ? 0 : 1
      if let forecast {
        #expect(isRefused && forecast.at == nextAt && forecast.until == openUntil, "\(place): \(forecast)")
        #expect(requests.first?.reason?.hasPrefix(forecast.reason) == true, "\(place)")
        let at = simulation.scenario.start.timeIntervalSinceReferenceDate + requests[0].engineTime
        #expect(abs(at - nextAt) < 1e-5, "\(place)")
      } else if isRefused {
        // Only what opened in between was not known.
        #expect(openUntil == nil || openUntil != reader.openUntil, "\(place): nobody said it")
      }
      return
    }
    #expect(forecast == nil, "\(place): \(String(describing: forecast)) did not come")
  }

  @Test func `Nothing is said while a run is active, when the breaker lets it through, or of other things`() {
    func forecast(
      _ phase: SyncStateMachine.ActiveRun.Phase? = nil, until: Double? = 10, _ next: String? = "sync",
      at: Double? = 5
    ) -> SyncForecast? {
      SyncForecast(state: .rateLimited, phase: phase, openUntil: until, next: next, nextAt: at)
    }
    let sure = forecast()
    #expect(sure?.what == "sync" && sure?.at == 5 && sure?.until == 10)
    #expect(sure?.reason == "the breaker is open")
    for words in ["the app asks for a run", "full resync", "a change, then a sync"] {
      #expect(forecast(nil, words)?.what == words)
    }
    #expect(forecast(.probing) == nil && forecast(until: nil) == nil && forecast(until: 5) == nil)
    for words in ["a change", "half-open probe", "reset the breaker", "synchronous", ""] {
      #expect(forecast(nil, words) == nil)
    }
    #expect(forecast(nil, nil) == nil && forecast(at: nil) == nil)
    #expect(forecast(until: .infinity, at: -1e300)?.until == .infinity)
  }
}
