import DashboardCore
import SimulationKit

/// The scenarios of one engine that can be run from the dashboard, each under its name.
struct ScenarioCatalog<World: SimulationWorld>: Sendable {
  private let scenarios: [DrivenScenario<World>]

  /// The scenarios in the program, after others that replace those of the same name.
  init(_ others: [DrivenScenario<World>], stories: [DrivenScenario<World>]) {
    let names = Set(others.map(\.name))
    scenarios = others + stories.filter { !names.contains($0.name) }
  }

  /// The scenarios as a list shows them.
  var titles: [ScenarioTitle] {
    scenarios.map { ScenarioTitle(name: $0.name, title: $0.title, story: $0.story) }
  }

  /// The scenario of a name.
  func scenario(_ name: String) -> DrivenScenario<World>? {
    scenarios.first { $0.name == name }
  }
}
