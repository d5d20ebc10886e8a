import Foundation

@testable import DeliveryCore
@testable import DeliverySimulation

/// Checks of the reader of scenarios of the delivery client.
enum DeliveryScenarioChecks {
  /// So much is played of what can be read.
  private static let steps = 60
  /// More events than that would only take time.
  private static let events = 500

  /// A text is refused with a reason, or can be written, read and played; one seed gives one course.
  static func scenario(_ input: UnsafeRawBufferPointer) -> String? {
    let scenario: DeliveryScenario
    do throws(ScenarioError) {
      scenario = try DeliveryScenario(json5: Data(input))
    } catch {
      return error.text.isEmpty ? "refused without words" : nil
    }
    guard zip(scenario.acts, scenario.acts.dropFirst()).allSatisfy({ $0.at <= $1.at }) else {
      return "the acts are not in order"
    }
    guard let again = try? DeliveryScenario(json5: Data(scenario.json5.utf8)) else {
      return "what was written cannot be read"
    }
    guard again == scenario else { return "what was written is not what was read" }
    guard weight(of: scenario) <= events else { return nil }
    let first = DeliverySimulation(scenario)
    let second = DeliverySimulation(scenario)
    for simulation in [first, second] {
      for _ in 0..<steps where !simulation.step() { break }
    }
    guard first.takeEntries() == second.takeEntries() else { return "one seed gives two courses" }
    let known = Set(first.world.endpoint.taken)
    return known.count == first.world.endpoint.taken.count ? nil : "an event was taken twice"
  }

  private static func weight(of scenario: DeliveryScenario) -> Int {
    scenario.acts.reduce(0) { sum, timed in
      if case .event(let event) = timed.act { sum + event.count } else { sum }
    }
  }
}
