import DeliverySimulation
import MisterMetricsCore
import SimulationKit
import TerminalUI

extension SimulateCommand {
  /// Runs a scenario of the delivery client, and compares what it decides with what is expected of it.
  func run(_ scenario: DeliveryScenario) async -> ExitCode {
    let simulation = DeliverySimulation(scenario, seed: request.seed)
    var course = DecisionFormatter()
    var decisions: [String] = []
    func lines(_ entries: [MetricEntry]) throws -> [String] {
      let lines = try entries.compactMap { try course.line($0) }
      decisions += lines.filter(scenario.isExpected).map(\.text)
      return lines.map(\.text)
    }
    return await keep(print: { entries in
      let lines = try lines(entries)
      if !request.isCheck { write(lines) }
    }) { keep in
      try await advance(simulation) { entries in
        if request.output != nil { _ = try lines(entries) }
        try await keep(entries)
      }
      if request.until == nil, request.steps == nil, let end = scenario.duration {
        simulation.advance(to: end)
      }
      decisions.append(DecisionFormatter.end(of: simulation.world))
      if request.output == nil, !request.isCheck { write(decisions.suffix(1)) }
      return judge(decisions, of: scenario)
    }
  }

  /// Compares a whole course under the scenario's own seed; of a part of one, or of another, nothing is expected.
  private func judge(_ decisions: [String], of scenario: DeliveryScenario) -> ExitCode {
    guard request.until == nil, request.steps == nil, request.seed.map({ $0 == scenario.seed }) ?? true,
      !scenario.expected.isEmpty, let difference = scenario.differences(of: decisions).first
    else { return .success }
    return complain(difference)
  }
}
