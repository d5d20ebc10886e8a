import Sync
import SyncSimulation

/// `mistertop diagram NAME`: prints a diagram of the documentation.
package enum DiagramCommand: Command {
  package static let name = "diagram"
  package static let operands = Diagram.allCases.map(\.rawValue).joined(separator: "|")
  package static let summary =
    "Prints a diagram of an engine for Mermaid, made from its transition table or from a simulation."

  package static func request(from arguments: Arguments) throws(UsageError) -> Diagram {
    try arguments.rejectOperands(after: 1)
    let names = Arguments.list(Diagram.allCases.map(\.rawValue))
    guard let name = arguments.operands.first else { throw .missingOperand("the diagram: \(names)") }
    guard let diagram = Diagram(rawValue: name) else {
      throw .invalidValue(name, for: "the diagram", expected: names)
    }
    return diagram
  }

  package static func run(_ diagram: Diagram, in context: CommandContext) -> ExitCode {
    do {
      context.console.write(try diagram.mermaid())
      return .success
    } catch Simulation.Failure.unavailable {
      context.console.writeError("mistertop diagram: simulations need macOS 15 or later")
    } catch {
      context.console.writeError("mistertop diagram: \(error)")
    }
    return .failed
  }
}
