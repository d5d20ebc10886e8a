import Foundation
import MisterMetrics
import Sync
import TerminalUI

/// What `simulate` is to do.
package struct SimulateRequest: Sendable, Equatable {
  /// The name of a scenario or the path of a file; `nil` to list all.
  package var scenario: String?
  /// Another seed than the scenario's.
  package var seed: UInt64?
  /// How many steps at most.
  package var steps: Int?
  /// Up to which second.
  package var until: Double?
  /// How many times as fast as ours its time goes; `nil` for as fast as it can.
  package var speed: Double?
  /// The metrics file to write; `nil` to print the transitions.
  package var output: String?
  /// What is different in a second future, in words; `nil` for one future.
  package var change: String?
  /// At which second the second future begins.
  package var branchAt = 0.0

  package init(scenario: String?) {
    self.scenario = scenario
  }
}

/// `mistertop simulate SCENARIO`: plays a scenario without a screen.
package struct SimulateCommand: Sendable {
  /// Entries that are written at once.
  private static let block = 1000

  private let request: SimulateRequest
  private let console: Console
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(
    request: SimulateRequest, console: Console,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.request = request
    self.console = console
    self.sleep = sleep
  }

  /// Runs the command.
  ///
  /// - Returns: How it went; wrong usage is a scenario that is none.
  package func run() async -> ExitCode {
    do throws(ScenarioShelf.Problem) {
      guard let name = request.scenario else {
        list(try ScenarioShelf.stories())
        return .fine
      }
      let scenario = try ScenarioShelf.scenario(name)
      return await play(scenario)
    } catch {
      console.complain("mistertop simulate: \(error.message)")
      return .wrongUsage
    }
  }

  private func list(_ scenarios: [Scenario]) {
    for scenario in scenarios {
      console.write("\(scenario.name)  \(scenario.title)\n")
      for line in Self.wrapped(scenario.story, width: 96) { console.write("    \(line)\n") }
    }
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private func play(_ scenario: Scenario) async -> ExitCode {
    do {
      let simulation = try Simulation(scenario, seed: request.seed)
      guard let path = request.output else {
        return try await playAll(simulation) { entries in print(entries) }
      }
      guard Self.isFree(path) else {
        console.complain("mistertop simulate: \(SafeText.sanitized(path)): is there already")
        return .failed
      }
      let store = try MetricFileStore(file: URL(fileURLWithPath: path))
      return try await playAll(simulation) { entries in try await store.append(entries) }
    } catch Simulation.Failure.unavailable {
      console.complain("mistertop simulate: simulations need macOS 15 or later")
      return .failed
    } catch {
      console.complain("mistertop simulate: \(SafeText.sanitized(FileWords.problem(error)))")
      return .failed
    }
  }

  /// Whether nothing is lost when something is written there.
  private static func isFree(_ path: String) -> Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return size.map { $0 == 0 } ?? !FileManager.default.fileExists(atPath: path)
  }

  /// Plays one future, or two of them one after the other.
  private func playAll(_ simulation: Simulation, keep: ([MetricEntry]) async throws -> Void) async throws
    -> ExitCode
  {
    guard let change = request.change else {
      try await play(simulation, keep: keep)
      return .fine
    }
    var whatIf = WhatIf(change: change, at: .milliseconds(Int64(request.branchAt * 1000)))
    try await play(simulation) { entries in
      whatIf.take(entries)
      try await keep(entries)
    }
    guard let other = try whatIf.branch(of: simulation) else {
      console.complain(
        "mistertop simulate: '\(SafeText.sanitized(change))' is no change; try 'base 5', 'without 429'")
      return .wrongUsage
    }
    try await play(other) { entries in
      whatIf.take(entries)
      try await keep(entries)
    }
    console.write("\(whatIf.words)\n")
    return .fine
  }

  /// Takes step after step; what is recorded does not depend on how fast.
  private func play(_ simulation: Simulation, keep: ([MetricEntry]) async throws -> Void) async throws {
    let last = request.until.map { Duration.milliseconds(Int64($0 * 1000)) }
    var waiting = simulation.takeEntries()
    while let next = simulation.next, last.map({ next.at <= $0 }) ?? true,
      request.steps.map({ simulation.steps < $0 }) ?? true
    {
      if let speed = request.speed {
        try await keep(waiting)
        waiting = []
        try await sleep((next.at - simulation.now) / speed)
      }
      simulation.step()
      waiting += simulation.takeEntries()
      if waiting.count >= Self.block {
        try await keep(waiting)
        waiting = []
      }
    }
    if !waiting.isEmpty { try await keep(waiting) }
  }

  private func print(_ entries: [MetricEntry]) {
    for entry in entries where entry.metric == AnyMetric(SyncMetric.transition) {
      guard let transition = try? entry.decode(SyncTransition.self) else { continue }
      console.write(SafeText.sanitized(SimulationText.line(transition)) + "\n")
    }
  }
}
