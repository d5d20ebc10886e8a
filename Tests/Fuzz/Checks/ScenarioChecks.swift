import Foundation

@testable import Sync
@testable import SyncSimulation

/// Checks of the reader of scenarios.
enum ScenarioChecks {
  /// So much is played of what can be read.
  private static let steps = 60
  /// More changes than that would only take time.
  private static let changes = 200

  /// A text is refused with a reason, or can be played; one seed gives one course.
  static func scenario(_ input: UnsafeRawBufferPointer) -> String? {
    let scenario: Scenario
    do throws(ScenarioError) {
      scenario = try Scenario(json5: Data(input))
    } catch {
      return error.text.isEmpty ? "refused without words" : nil
    }
    guard zip(scenario.acts, scenario.acts.dropFirst()).allSatisfy({ $0.at <= $1.at }) else {
      return "the acts are not in order"
    }
    guard let again = try? Scenario(json5: Data(scenario.json5.utf8)) else {
      return "what was written cannot be read"
    }
    guard withoutConstants(again) == withoutConstants(scenario) else {
      return "what was written is not what was read"
    }
    guard weight(of: scenario) <= changes else { return nil }
    do {
      let first = try Simulation(scenario)
      let second = try Simulation(scenario)
      first.run(steps: steps)
      second.run(steps: steps)
      return first.takeEntries() == second.takeEntries() ? nil : "one seed gives two courses"
    } catch {
      return "cannot be played: \(error)"
    }
  }

  /// The scenario without the engine's constants, whose fractions of seconds may lose their last digit.
  private static func withoutConstants(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.configuration = SyncConfiguration()
    scenario.acts.removeAll { if case .configure = $0.act { true } else { false } }
    return scenario
  }

  private static func weight(of scenario: Scenario) -> Int {
    scenario.content.reduce(0) { $0 + $1.count }
      + scenario.acts.reduce(0) { sum, timed in
        switch timed.act {
        case .change(let change), .remoteChange(let change): sum + change.count
        default: sum
        }
      }
  }
}
