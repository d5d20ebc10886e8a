import Codecs
import DashboardCore
import EngineScreens
import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import SyncSimulation
import TerminalUI

extension SimulateCommand {
  /// Runs a scenario of the sync engine.
  func run(_ scenario: Scenario) async -> ExitCode {
    if let change = request.change { return await runBoth(scenario, change: change) }
    if request.isCheck { return check(scenario) }
    return await keep(print: { try write(Self.lines($0)) }) { keep in
      let simulation = try Simulation(scenario, seed: request.seed)
      var reading = SyncReading()
      try await advance(simulation) { entries in
        reading.add(entries)
        try await keep(entries)
      }
      // Last, what it all came to.
      if request.output == nil, simulation.steps > 0 {
        write([reading.sentence(at: Timestamp(scenario.start) + simulation.now / .seconds(1))])
      }
      return .success
    }
  }

  /// Plays a whole scenario and compares what the engine decides with what is expected of it.
  private func check(_ scenario: Scenario) -> ExitCode {
    guard !scenario.expected.isEmpty else {
      console.writeError(
        "mistertop simulate: \(SafeText.sanitized(scenario.name)) has no expectations; give it a list 'expected'"
      )
      return .failed
    }
    do {
      guard let difference = try scenario.differences().first else {
        console.write("as expected: \(NumberFormat.count(scenario.expected.count)) transitions\n")
        return .success
      }
      return complain(difference)
    } catch {
      console.writeError("mistertop simulate: simulations need macOS 15 or later")
      return .failed
    }
  }

  // MARK: Two branches

  private func runBoth(_ scenario: Scenario, change: String) async -> ExitCode {
    await keep(print: { _ in }) { keep in
      var whatIf = WhatIf(change: change, at: .milliseconds(Int64((request.branchAt * 1000).rounded())))
      let plan: WhatIf.Plan
      do { plan = try whatIf.plan(for: scenario, seed: request.seed) } catch let failure as WhatIf.Failure {
        console.writeError("mistertop simulate: \(words(failure, change))")
        return .wrongUsage
      }
      var courses: [[String]] = []
      func play(_ simulation: Simulation, _ title: String) async throws {
        var lines: [String] = []
        let isShown = request.output == nil && !request.isDiff
        let name = BranchName.text(simulation.branch)
        if isShown { write(["\(name)  \(title)"]) }
        try await advance(simulation) { entries in
          whatIf.add(entries)
          let new = try Self.lines(entries)
          lines += new
          if isShown { write(new.map { "\(name) \($0)" }) }
          try await keep(entries)
        }
        courses.append(lines)
      }
      let simulation = try Simulation(scenario, seed: request.seed)
      try await play(simulation, "as the scenario says")
      let other = try whatIf.branch(of: simulation, by: plan)
      try await play(other, "\(change), from second \(ScenarioText.seconds(plan.moment)) on")
      if request.isDiff { write(difference(courses[0], courses[1], from: plan.moment)) }
      write([whatIf.summary(of: plan)])
      return .success
    }
  }

  private func words(_ failure: WhatIf.Failure, _ change: String) -> String {
    let named = "'\(SafeText.sanitized(change))'"
    switch failure {
    case .unknown:
      return "\(named) is not a change it knows; try 'base 5' or 'without 429' (docs/scenarios.md lists them)"
    case .absent:
      return
        "\(named): that fault is not set at second \(Decimals.text(request.branchAt)) nor later, so nothing would "
        + "be different"
    case .over(let end):
      return
        "--branch-at \(Decimals.text(request.branchAt)): the scenario ends at second \(ScenarioText.seconds(end))"
    }
  }

  /// Both courses in one list: what both have once, what one has with `-` (t1) or `+` (t2) before it, and a line where they part.
  private func difference(_ one: [String], _ other: [String], from moment: Duration) -> [String] {
    // The second branch tells nothing of what it has in common with the first one.
    let start = moment / .seconds(1)
    let common = one.prefix { (Double($0.trimmed.prefix { $0 != " " }) ?? 0) <= start }
    let (left, right) = (Array(one.dropFirst(common.count)), other)
    let changes = right.difference(from: left)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines = common.map { "  \($0)" }
    var (i, j, isMarked) = (0, 0, false)
    while i < left.count || j < right.count {
      let isRemoved = removed.contains(i) && i < left.count
      let isInserted = inserted.contains(j) && j < right.count
      if (isRemoved || isInserted) && !isMarked {
        lines.append("--- the branches part here: - \(BranchName.text(0)), + \(BranchName.text(1))")
        isMarked = true
      }
      if isRemoved {
        lines.append("- \(left[i])")
        i += 1
      } else if isInserted {
        lines.append("+ \(right[j])")
        j += 1
      } else {
        if i < left.count { lines.append("  \(left[i])") }
        (i, j) = (i + 1, j + 1)
      }
    }
    return isMarked ? lines : lines + ["--- both branches decide the same"]
  }

  private static func lines(_ entries: [MetricEntry]) throws -> [String] {
    try entries.compactMap { try TransitionFormatter().line($0)?.text }
  }
}

extension String {
  fileprivate var trimmed: Substring { drop { $0 == " " } }
}
