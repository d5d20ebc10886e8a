import Dashboard
import MisterMetrics
import Sync
import SyncSimulation
import TerminalUI

extension SimulateCommand {
  /// Runs a scenario of the sync engine.
  func run(_ scenario: Scenario) async -> ExitCode {
    await keep(print: print) { keep in
      try await runAll(try Simulation(scenario, seed: request.seed), keep: keep)
    }
  }

  /// Runs one branch, or two of them one after the other.
  private func runAll(_ simulation: Simulation, keep: Keeping) async throws -> ExitCode {
    guard let change = request.change else {
      try await advance(simulation, keep: keep)
      return .success
    }
    var whatIf = WhatIf(change: change, at: .milliseconds(Int64(request.branchAt * 1000)))
    try await advance(simulation) { entries in
      whatIf.add(entries)
      try await keep(entries)
    }
    guard let other = try whatIf.branch(of: simulation) else {
      console.writeError(
        "mistertop simulate: '\(SafeText.sanitized(change))' is not a change it knows; try 'base 5' or 'without 429'"
      )
      return .wrongUsage
    }
    try await advance(other) { entries in
      whatIf.add(entries)
      try await keep(entries)
    }
    console.write("\(whatIf.summary)\n")
    return .success
  }

  private func print(_ entries: [MetricEntry]) {
    for entry in entries where entry.metric == AnyMetric(SyncMetric.transition) {
      guard let transition = try? entry.decode(SyncTransition.self) else { continue }
      console.write(SafeText.sanitized(SimulationText.line(transition)) + "\n")
    }
  }
}
