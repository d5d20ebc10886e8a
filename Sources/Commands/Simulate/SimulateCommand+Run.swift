import Codecs
import DashboardCore
import EngineScreens
import MisterMetricsCore
import Platform
import SimulationKit
import TerminalUI

extension SimulateCommand {
  /// Runs a scenario and compares its decisions with the expected ones.
  func run<World: HostedWorld>(_ scenario: DrivenScenario<World>) async -> ExitCode {
    if let change = request.change { return await runBoth(scenario, change: change) }
    if request.isCheck, scenario.expected.isEmpty {
      return fail("\(scenario.name) has no expectations; give it a list 'expected'")
    }
    return await keep(of: World.self) { keep in
      let simulation = try SimulationSession(scenario, seed: request.seed)
      var formatter = World.Formatter()
      var reading = EngineReading<World>()
      var decisions: [String] = []
      try await advance(simulation) { entries in
        let lines = try entries.compactMap { try formatter.line($0) }
        decisions += lines.filter(scenario.isExpected).map(\.text)
        if isPrinting { write(lines.map(\.text)) }
        if simulation.world.outcome == nil { reading.add(entries) }
        try await keep(entries)
      }
      let last = simulation.now
      if isWhole, let end = scenario.duration { simulation.advance(to: end) }
      let outcome = simulation.world.outcome
      decisions += [outcome].compactMap(\.self)
      // Finally, the state at the end.
      if isPrinting, simulation.steps > 0 {
        let moment = Timestamp(scenario.start) + last / .seconds(1)
        write([outcome ?? World.sentence(of: reading.engine, at: moment)])
      }
      return judge(decisions, of: scenario)
    }
  }

  /// True if decisions are printed.
  private var isPrinting: Bool { request.output == nil && !request.isCheck }

  /// True if the scenario runs to its end.
  private var isWhole: Bool { request.until == nil && request.steps == nil }

  /// Judges a complete run with the scenario's own seed; expectations do not apply to a part, or to another seed.
  private func judge(_ decisions: [String], of scenario: DrivenScenario<some HostedWorld>) -> ExitCode {
    guard isWhole, request.seed.map({ $0 == scenario.seed }) ?? true, !scenario.expected.isEmpty else {
      return .success
    }
    if let difference = scenario.differences(of: decisions).first { return complain(difference) }
    if request.isCheck { write([scenario.asExpected]) }
    return .success
  }

  // MARK: Two branches

  private func runBoth<World: HostedWorld>(
    _ scenario: DrivenScenario<World>, change: String
  ) async -> ExitCode {
    await keep(of: World.self) { keep in
      var whatIf = WhatIf<World>(
        change: change, at: .milliseconds(Int64((request.branchAt * 1000).rounded())))
      let plan: WhatIf<World>.Plan
      do { plan = try whatIf.plan(for: scenario, seed: request.seed) } catch let failure as WhatIfFailure {
        return refuse(words(failure, change))
      }
      var courses: [[String]] = []
      func play(_ simulation: SimulationSession<World>, _ title: String) async throws {
        var lines: [String] = []
        var formatter = World.Formatter()
        let isShown = isPrinting && !request.isDiff
        let name = BranchName.text(simulation.branch)
        if isShown { write(["\(name)  \(title)"]) }
        try await advance(simulation) { entries in
          whatIf.add(entries)
          let new = try entries.compactMap { try formatter.line($0)?.text }
          lines += new
          if isShown { write(new.map { "\(name) \($0)" }) }
          try await keep(entries)
        }
        courses.append(lines)
      }
      let simulation = try SimulationSession(scenario, seed: request.seed)
      try await play(simulation, "as the scenario says")
      let other = try whatIf.branch(of: simulation, by: plan)
      try await play(other, "\(change), from second \(ScenarioText.seconds(plan.moment)) on")
      if request.isDiff { write(difference(courses[0], courses[1], from: plan.moment)) }
      write([whatIf.summary(of: plan)])
      return .success
    }
  }

  private func words(_ failure: WhatIfFailure, _ change: String) -> String {
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

  /// Both runs in one list: common lines once, others with `-` (t1) or `+` (t2) in front, and a line at the fork.
  private func difference(_ one: [String], _ other: [String], from moment: Duration) -> [String] {
    // The second branch does not repeat the lines it has in common with the first one.
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
}

extension String {
  fileprivate var trimmed: Substring { drop { $0 == " " } }
}

extension DrivenScenario where World: ScenarioWorld {
  fileprivate var asExpected: String {
    let lines = expected.count == 1 ? World.engine.line : World.engine.lines
    return "as expected: \(NumberFormat.count(expected.count)) \(lines)"
  }
}
