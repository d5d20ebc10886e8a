import Foundation
import Scenarios
import Sync

/// What `diagram` draws.
package enum Diagram: String, CaseIterable, Sendable {
  case state, create, cycle, bootstrap
  case rateLimit = "rate-limit"
  case failures, di

  /// The diagram in Mermaid's language.
  ///
  /// - Throws: ``ScenarioShelf/Problem`` or ``Simulation/Failure``.
  package func mermaid() throws -> String {
    switch self {
    case .state: return StateDiagram(rules: SyncRule.table).mermaid
    case .di: return ClassDiagram.sync.mermaid
    case .create, .cycle, .bootstrap, .rateLimit, .failures:
      guard let file = Scenarios.diagrams.first(where: { $0.name == rawValue }) else {
        throw ScenarioShelf.Problem.unknown(rawValue)
      }
      let scenario = try ScenarioShelf.read(Data(file.bytes), from: file.name)
      let trace = SimulationTrace()
      let simulation = try Simulation(scenario, trace: trace)
      simulation.run()
      return SequenceDiagram(trace.messages, simulation.takeEntries()).mermaid
    }
  }
}

/// `mistertop diagram NAME`: prints a diagram of the documents.
package struct DiagramCommand: Sendable {
  private let diagram: Diagram
  private let console: Console

  package init(diagram: Diagram, console: Console) {
    self.diagram = diagram
    self.console = console
  }

  /// Runs the command.
  package func run() -> ExitCode {
    do {
      console.write(try diagram.mermaid())
      return .fine
    } catch Simulation.Failure.unavailable {
      console.complain("mistertop diagram: simulations need macOS 15 or later")
    } catch {
      console.complain("mistertop diagram: \(error)")
    }
    return .failed
  }
}
