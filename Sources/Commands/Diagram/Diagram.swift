import Essentials
import Scenarios
import Sync
import SyncSimulation

/// Drawings that `diagram` can make.
package enum Diagram: String, CaseIterable, Sendable {
  case state, create, cycle, bootstrap
  case rateLimit = "rate-limit"
  case failures, di, delivery

  /// The diagram in Mermaid's language.
  ///
  /// - Throws: ``ScenarioLibrary/Problem`` or ``Simulation/Failure``.
  package func mermaid() throws -> String {
    switch self {
    case .state: return StateDiagram(rules: SyncRule.table).mermaid
    case .di: return ClassDiagram.sync.mermaid
    case .delivery: return DeliveryDiagram().mermaid
    case .create, .cycle, .bootstrap, .rateLimit, .failures:
      guard let file = Scenarios.diagrams.first(where: { $0.name == rawValue }) else {
        throw ScenarioLibrary.Problem.unknown(rawValue, choices: Scenarios.diagrams.map(\.name))
      }
      return try Self.sequence(of: try ScenarioLibrary.read(Data(file.bytes), from: file.name))
    }
  }

  /// The messages between app, engine, store and server in a scenario, in Mermaid's language.
  ///
  /// - Throws: ``Simulation/Failure``.
  static func sequence(of scenario: Scenario) throws(Simulation.Failure) -> String {
    let trace = SimulationTrace()
    let simulation = try Simulation(scenario, trace: trace)
    simulation.run()
    return SequenceDiagram(trace.messages, simulation.takeEntries()).mermaid
  }
}
