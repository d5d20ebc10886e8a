import Sync
import SyncSimulation

/// `mistertop diagram NAME`: prints a diagram of the documentation, or of a scenario.
package enum DiagramCommand: Command {
  package static let name = "diagram"
  package static let operands = Diagram.allCases.map(\.rawValue).joined(separator: "|") + "|SCENARIO"
  package static let summary =
    "Prints a diagram of an engine for Mermaid, made from its transition table or from a simulation: of a scenario of the "
    + "sync engine, by its name or file, who says what to whom."

  /// The subject of the drawing.
  package enum Request: Sendable, Equatable {
    case diagram(Diagram)
    /// The name of a scenario, or the path of its file.
    case scenario(String)
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands(after: 1)
    let names = Arguments.list(Diagram.allCases.map(\.rawValue))
    guard let name = arguments.operands.first else { throw .missingOperand("the diagram: \(names)") }
    return Diagram(rawValue: name).map(Request.diagram) ?? .scenario(name)
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    do {
      switch request {
      case .diagram(let diagram): context.console.write(try diagram.mermaid())
      case .scenario(let name):
        let scenario: Scenario
        do throws(ScenarioLibrary.Problem) { scenario = try ScenarioLibrary.scenario(name) } catch {
          context.console.writeError("mistertop diagram: \(error.message)")
          return .wrongUsage
        }
        context.console.write(try Diagram.sequence(of: scenario))
      }
      return .success
    } catch Simulation.Failure.unavailable {
      context.console.writeError("mistertop diagram: simulations need macOS 15 or later")
    } catch {
      context.console.writeError("mistertop diagram: \(error)")
    }
    return .failed
  }
}
