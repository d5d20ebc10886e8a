import Aggregation
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

/// Scenarios of the delivery client as a dashboard learns of them: as the lines of a file, read as any other.
enum DeliveryFixture {
  static let stories = Scenarios.deliveryStories.map(\.name)

  static func scenario(_ name: String) throws -> DeliveryScenario {
    let file = try #require(Scenarios.deliveryStories.first { $0.name == name })
    return try DeliveryScenario(json5: Data(file.bytes))
  }

  /// Everything that a scenario records, in the order of the file.
  static func entries(_ name: String) throws -> [MetricEntry] { try entries(of: scenario(name)) }

  static func entries(of scenario: DeliveryScenario) -> [MetricEntry] {
    let simulation = DeliverySimulation(scenario)
    while simulation.step() {}
    return simulation.takeEntries()
  }

  /// The state of a client after some entries.
  static func state(_ entries: some Sequence<MetricEntry>) throws -> ClientState {
    var log = EngineLog<ClientState>()
    log.append(try SyncFixture.feed(entries).engines.delivery.after(0))
    #expect(log.unreadable == 0)
    return log.state()
  }

  /// The Delivery screen over a feed, at the time of its newest entry.
  static func model(
    _ width: Int, _ height: Int, depth: ColorDepth = .none, glyphs: GlyphTier = .braille, feed: FeedSnapshot
  ) -> Model {
    let newest = feed.store.allSeries.map { feed.store.tally(of: $0).end }.max() ?? LiveFixture.now
    var model = LiveFixture.model(width, height, depth: depth, glyphs: glyphs, now: newest, feed: feed)
    _ = update(&model, .input(.key(KeyPress("5"))))
    return model
  }

  /// The screen of a scenario's file that ends so many seconds after the start.
  static func model(
    _ width: Int, _ height: Int, _ name: String, after seconds: Double, depth: ColorDepth = .none,
    glyphs: GlyphTier = .braille, isDriven: Bool = false
  ) throws -> Model {
    let scenario = try scenario(name)
    let entries = entries(of: scenario).filter {
      $0.timestamp <= scenario.start.addingTimeInterval(seconds)
    }
    var model = model(width, height, depth: depth, glyphs: glyphs, feed: try SyncFixture.feed(entries))
    if isDriven { try drive(&model) }
    return model
  }

  /// Lets this program play the simulation.
  static func drive(_ model: inout Model) throws {
    model.session.scenarios[.delivery] = try stories.map { name in
      let scenario = try scenario(name)
      return ScenarioTitle(name: scenario.name, title: scenario.title, story: scenario.story)
    }
    _ = update(&model, [])
  }
}

extension Model {
  var delivery: DeliveryScreenState {
    get { self[DeliveryScreen.self] }
    set { self[DeliveryScreen.self] = newValue }
  }
}

extension Effect {
  /// An order to the simulation of the delivery client.
  static func toClient(_ order: SimulationOrder<DeliverySimulated>) -> Effect { .simulate(.delivery(order)) }
}
