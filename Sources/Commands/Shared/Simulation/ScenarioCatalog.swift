import DashboardCore
import SimulationKit

/// The scenarios of one engine that the dashboard can run, by name.
struct ScenarioCatalog<World: SimulationWorld>: Sendable {
  private let scenarios: [DrivenScenario<World>]

  /// The given scenarios, followed by built-in ones with other names.
  init(_ others: [DrivenScenario<World>], stories: [DrivenScenario<World>]) {
    let names = Set(others.map(\.name))
    scenarios = others + stories.filter { !names.contains($0.name) }
  }

  /// The scenarios as displayed in a list.
  var titles: [ScenarioTitle] {
    scenarios.map { ScenarioTitle(name: $0.name, title: $0.title, story: $0.story) }
  }

  /// The scenario with a given name.
  func scenario(_ name: String) -> DrivenScenario<World>? {
    scenarios.first { $0.name == name }
  }
}
