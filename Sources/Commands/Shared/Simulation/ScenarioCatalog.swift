import Dashboard
import Sync

/// The scenarios that can be run from the Sync screen, each under its name.
struct ScenarioCatalog: Sendable {
  private let scenarios: [Scenario]

  /// The scenarios in the program, after others that replace those of the same name.
  init(_ others: [Scenario]) throws(ScenarioLibrary.Problem) {
    let names = Set(others.map(\.name))
    scenarios = others + (try ScenarioLibrary.stories()).filter { !names.contains($0.name) }
  }

  /// The scenarios as a list shows them.
  var titles: [ScenarioTitle] {
    scenarios.map { ScenarioTitle(name: $0.name, title: $0.title, story: $0.story) }
  }

  /// The scenario of a name.
  func scenario(_ name: String) -> Scenario? {
    scenarios.first { $0.name == name }
  }
}
