import Dashboard
import Sync

/// The scenarios that can be played for a person, each under its name.
struct Repertoire: Sendable {
  private let scenarios: [Scenario]

  /// The stories in the program, and others before them.
  init(_ others: [Scenario]) throws(ScenarioShelf.Problem) {
    let names = Set(others.map(\.name))
    scenarios = others + (try ScenarioShelf.stories()).filter { !names.contains($0.name) }
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
