import Aggregation
import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import Scenarios
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

/// Scenarios as a dashboard learns of them: as the lines of a file, read as any other.
enum SyncFixture {
  static let stories = Scenarios.stories.map(\.name)

  /// Everything that a scenario records, in the order of the file.
  static func entries(_ name: String) throws -> [MetricEntry] {
    let file = try #require(Scenarios.stories.first { $0.name == name })
    let simulation = try Simulation(try Scenario(json5: Data(file.bytes)))
    while simulation.step() {}
    return simulation.takeEntries()
  }

  /// A feed's state after the lines of these entries.
  static func feed(_ entries: some Sequence<MetricEntry>) throws -> FeedSnapshot {
    var lines: [UInt8] = []
    for entry in entries { try LineEncoder.append(entry, to: &lines) }
    var state = IngestState(limits: SeriesStore.Limits())
    var intake = MemberIntake(member: TailMember(index: 0, path: "engine.jsonl"))
    lines.withUnsafeBytes { intake.take($0, at: 0) }
    let now = entries.reduce(Timestamp(0)) { max($0, Timestamp($1.timestamp)) }
    state.take(&intake, at: now)
    _ = state.caughtUp()
    var status = state.status(sources: ["engine.jsonl"], at: now)
    (status.lag, status.linesPerSecond) = (nil, 0)
    return FeedSnapshot(store: state.store, status: status, engines: state.engines)
  }

  /// The Sync screen over a feed, at the time of its newest entry.
  static func model(
    _ width: Int, _ height: Int, depth: ColorDepth = .none, glyphs: GlyphTier = .braille, feed: FeedSnapshot
  ) -> Model {
    let newest = feed.store.allSeries.map { feed.store.tally(of: $0).end }.max() ?? LiveFixture.now
    var model = LiveFixture.model(width, height, depth: depth, glyphs: glyphs, now: newest, feed: feed)
    _ = update(&model, .input(.key(KeyPress("4"))))
    return model
  }

  /// The Sync screen over a simulation that this program plays.
  static func driven(_ width: Int, _ height: Int, entries: [MetricEntry]) throws -> Model {
    var model = model(width, height, feed: try feed(entries))
    model.session.scenarios[.sync] = try Scenarios.stories.map { file in
      let scenario = try Scenario(json5: Data(file.bytes))
      return ScenarioTitle(name: scenario.name, title: scenario.title, story: scenario.story)
    }
    _ = update(&model, [])
    return model
  }

  /// A moment of a scenario: just after the n-th decision that led to a state.
  static func moment(_ state: SyncState.Kind, in entries: [MetricEntry], number: Int = 0) throws -> Timestamp
  {
    let decisions = try entries.filter { $0.metric == AnyMetric(SyncMetric.transition) }
      .map { ($0.timestamp, try $0.decode(SyncTransition.self)) }
    let fitting = decisions.filter { $0.1.to == state.rawValue && $0.1.from != $0.1.to }
    let place = try #require(fitting.indices.contains(number) ? fitting[number] : nil)
    return Timestamp(place.0)
  }
}

extension Effect {
  /// An order to the simulation of the sync engine.
  static func order(_ order: SimulationOrder<SyncSimulated>) -> Effect { .simulate(.sync(order)) }
}
