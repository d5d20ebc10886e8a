import DeliveryCore
import Foundation
import Sync
import SyncSimulation

/// Draws the diagrams of the documents that are named, between `<!-- diagram NAME -->` and `<!-- end of diagram -->`.
@main
enum DocumentDiagrams {
  static func main() throws {
    for path in CommandLine.arguments.dropFirst() {
      let page = try String(contentsOfFile: path, encoding: .utf8)
      try redrawn(page).write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  /// A page with its diagrams as the engines are today.
  static func redrawn(_ page: String) throws -> String {
    var lines: [Substring] = []
    var isOld = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end of diagram -->" { isOld = false }
      if !isOld { lines.append(line) }
      guard let name = line.wholeMatch(of: /<!-- diagram ([a-z-]+) -->/)?.1 else { continue }
      lines += try ["```mermaid"] + drawing(String(name)).map { $0[...] } + ["```"]
      isOld = true
    }
    return lines.joined(separator: "\n")
  }

  /// The lines of a drawing in Mermaid's language: of the states of an engine, or of who says what in a scenario.
  static func drawing(_ name: String) throws -> [String] {
    switch name {
    case "state": return states(StateDiagram(SyncRule.table).lines)
    case "delivery":
      let parts = [
        ("client", StateDiagram.client), ("breaker", StateDiagram(breaker: DeliveryConfiguration().breaker)),
      ]
      return states(parts.flatMap { ["state \($0) {"] + $1.lines.map { "    " + $0 } + ["}"] })
    default:
      let file = scenarios.appendingPathComponent(name + ".json5")
      let trace = SimulationTrace()
      let simulation = try Simulation(Scenario(json5: Data(contentsOf: file)), trace: trace)
      simulation.run()
      return SequenceDiagram(trace.messages, simulation.takeEntries()).mermaid
    }
  }

  /// Where the scenarios are that are drawn.
  private static let scenarios = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("scenarios")

  private static func states(_ lines: [String]) -> [String] {
    ["stateDiagram-v2"] + lines.map { "    " + $0 }
  }
}
