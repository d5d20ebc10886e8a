import DeliverySimulation
import Essentials
import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import SyncSimulation
import TerminalUI

/// `mistertop simulate SCENARIO`: runs a scenario of the sync engine or of the delivery client without a screen.
package struct SimulateCommand: Command {
  package static let name = "simulate"
  package static let operands = "SCENARIO"
  package static let summary =
    "Runs a scenario of the sync engine, or of the delivery client, without a screen and prints its decisions. Exits "
    + "with 1 and the first difference if they differ from what the scenario expects."
  package static let examples = [
    CommandExample(
      "mistertop simulate flaky-push",
      "run one scenario and print its transitions"),
    CommandExample(
      "mistertop simulate rate-limit-storm --what-if 'base 5' --diff",
      "two branches in one list, marked where they part"),
  ]
  package static let options = [
    delivery, list, seed, steps, until, speed, out, check, whatIf, branchAt, diff, new,
  ]

  private static let delivery = CommandOption(
    "delivery",
    help: "only scenarios of the delivery client")
  private static let list = CommandOption("list", help: "list the scenarios with their stories")
  private static let seed = CommandOption.seed("the seed of the random events (default: the scenario's own)")
  private static let steps = CommandOption("steps", "N", help: "stop after N steps")
  private static let until = CommandOption("until", "SECONDS", help: "stop at this second")
  private static let speed = CommandOption(
    "speed", "X", help: "X times as fast as real time, 0.25 to 60 (default: as fast as possible)")
  private static let out = CommandOption(
    "out", "FILE", help: "write a metrics file instead; the speed changes nothing in it")
  private static let check = CommandOption(
    "check",
    help: "print only whether the scenario's expectations were met")
  private static let diff = CommandOption(
    "diff", help: "print both branches as one list, the first difference marked")
  private static let new = CommandOption(
    "new", help: "write a scenario to begin with as SCENARIO.json5, with every part explained")
  private static let whatIf = CommandOption(
    "what-if", "CHANGE", help: "run a second branch with one change, such as 'base 5' or 'without 429'")
  private static let branchAt = CommandOption(
    "branch-at", "SECONDS", help: "where the second branch starts (default: at the start)")

  package struct Request: Sendable, Equatable {
    /// The name of a scenario or the path of a file; `nil` to list all scenarios.
    package var scenario: String?
    /// True for a scenario of the delivery client.
    package var isDelivery = false
    /// A seed that replaces the scenario's own.
    package var seed: UInt64?
    /// Maximum number of steps.
    package var steps: Int?
    /// The end, in seconds from the start of the scenario.
    package var until: Double?
    /// The speed relative to real time; `nil` for the maximum.
    package var speed: Double?
    /// The metrics file to write; `nil` to print the decisions.
    package var output: String?
    /// The change in a second branch, as text; `nil` for one branch.
    package var change: String?
    /// The start of the second branch, in seconds.
    package var branchAt = 0.0
    /// True to print both branches as one list.
    package var isDiff = false
    /// True to only compare the decisions with the expected ones.
    package var isCheck = false
    /// True to write a new scenario to start from.
    package var isNew = false

    package init(scenario: String?) {
      self.scenario = scenario
    }
  }

  package static func completion(ofOperand place: Int) -> Completion {
    place == 0 ? .scenarios : .nothing
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    guard !arguments.has(list) else {
      try arguments.rejectOperands()
      var request = Request(scenario: nil)
      request.isDelivery = arguments.has(delivery)
      return request
    }
    try arguments.rejectOperands(after: 1)
    guard let name = arguments.operands.first else {
      throw .missingOperand("SCENARIO; mistertop simulate --list shows all")
    }
    var request = Request(scenario: name)
    request.isDelivery = arguments.has(delivery)
    for option in [branchAt, diff] where arguments.has(option) && !arguments.has(whatIf) {
      throw .missingOption("\(whatIf.flag), without which \(option.flag) has no effect,")
    }
    request.isDiff = arguments.has(diff)
    request.isCheck = arguments.has(check)
    request.isNew = arguments.has(new)
    let others = [seed, steps, until, speed, out, whatIf]
    for option in others where arguments.has(option) {
      if request.isCheck { throw .conflict(check.flag, option.flag) }
      if request.isNew { throw .conflict(new.flag, option.flag) }
    }
    if request.isDiff, arguments.has(out) { throw .conflict(diff.flag, out.flag) }
    if request.isNew, request.isCheck { throw .conflict(new.flag, check.flag) }
    request.seed = try arguments.seed(seed)
    request.steps = try arguments.value(steps, expecting: "a whole number from 0") { text in
      Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }
    request.until = try seconds(until, arguments)
    request.speed = try arguments.value(speed, expecting: "a number from 0.25 to 60") { text in
      Double(text).flatMap { (0.25...60).contains($0) ? $0 : nil }
    }
    request.output = try arguments.fileName(out)
    request.change = arguments.value(whatIf)
    request.branchAt = try seconds(branchAt, arguments) ?? 0
    return request
  }

  private static func seconds(_ option: CommandOption, _ arguments: Arguments) throws(UsageError) -> Double? {
    try arguments.value(option, expecting: "seconds since the scenario's start, such as 90") { text in
      Double(text).flatMap { (0...604_800).contains($0) ? $0 : nil }
    }
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    await SimulateCommand(request, console: context.console).run()
  }

  let request: Request
  let console: Console
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(
    _ request: Request, console: Console,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.request = request
    self.console = console
    self.sleep = sleep
  }

  /// Runs the command.
  ///
  /// - Returns: The result; an invalid scenario counts as wrong usage.
  package func run() async -> ExitCode {
    do throws(ScenarioLibrary.Problem) {
      guard let name = request.scenario else {
        try list()
        return .success
      }
      if request.isNew {
        return request.isDelivery
          ? writeNew(name, of: DeliveryWorld.self) : writeNew(name, of: SyncWorld.self)
      }
      if request.isDelivery { return await run(try ScenarioLibrary.deliveryScenario(name)) }
      switch try ScenarioLibrary.anyScenario(name) {
      case .sync(let scenario): return await run(scenario)
      case .delivery(let scenario): return await run(scenario)
      }
    } catch {
      var problem = error
      // A file that names no engine counts as one of the sync engine.
      if case .ofNoEngine(let path, let reason, _) = error { problem = .invalid(path: path, reason: reason) }
      return refuse(problem.message)
    }
  }

  /// Reports why the scenario is not played.
  func refuse(_ reason: String) -> ExitCode {
    _ = fail(reason)
    return .wrongUsage
  }

  /// Reports why the command failed.
  func fail(_ reason: String) -> ExitCode {
    console.writeError("mistertop simulate: \(SafeText.sanitized(reason))")
    return .failed
  }

  private func list() throws(ScenarioLibrary.Problem) {
    if !request.isDelivery { try list(of: SyncWorld.self) }
    try list(of: DeliveryWorld.self)
  }

  private func list<World: HostedWorld>(of world: World.Type) throws(ScenarioLibrary.Problem) {
    console.write("Scenarios of the \(World.engine.title):\n")
    for story in try World.stories() { list(story.name, story.title, story.story) }
  }

  private func list(_ name: String, _ title: String, _ story: String) {
    console.write("\(name)  \(title)\n")
    for line in WordWrap.lines(story, width: 96) { console.write("    \(line)\n") }
  }

  /// Writes a new scenario to start from.
  private func writeNew(_ name: String, of world: (some HostedWorld).Type) -> ExitCode {
    let path = name.hasByteSuffix(".json5") ? name : name + ".json5"
    let end = PathParts.end(of: path)
    let title = end.droppingByteSuffix(".json5") ?? end
    do {
      let file = try ReplacementFile(for: path, readers: .usual, links: .followed)
      try file.write(Array(try ScenarioTemplate.text(name: title, of: world).utf8))
      try file.putInFreePlace()
      console.write(
        "wrote \(SafeText.sanitized(path)); mistertop simulate \(SafeText.sanitized(path)) plays it\n")
      return .success
    } catch let error as ScenarioError {
      return refuse(error.message)
    } catch {
      return fail("\(path): \(NewMetricsFile.problem(error))")
    }
  }

  /// Writes lines to the standard output.
  func write(_ lines: some Sequence<String>) {
    for line in lines { console.write(SafeText.sanitized(line) + "\n") }
  }

  /// Reports where a run differs from the expected decisions.
  func complain(_ difference: String) -> ExitCode {
    for (row, line) in difference.split(separator: "\n").enumerated() {
      let text = SafeText.sanitized(String(line))
      console.writeError(row == 0 ? "mistertop simulate: not as expected: \(text)" : text)
    }
    return .failed
  }

  // MARK: - A run

  /// The handler of recorded entries.
  typealias Keeping = ([MetricEntry]) async throws -> Void

  /// Plays a scenario, writing its entries to the output file if there is one.
  func keep<World: HostedWorld>(
    of world: World.Type, _ play: (_ keep: Keeping) async throws -> ExitCode
  ) async -> ExitCode {
    do {
      guard let path = request.output else { return try await play { _ in } }
      return try await record(to: path, play)
    } catch let failure as World.Failure {
      return fail(World.message(failure))
    } catch {
      return fail("\(request.output ?? "standard output"): \(NewMetricsFile.problem(error))")
    }
  }

  private func record(
    to path: String, _ play: (_ keep: Keeping) async throws -> ExitCode
  ) async throws -> ExitCode {
    let file = try NewMetricsFile(path)
    guard request.speed != nil else {
      let code = try await play { try file.append($0) }
      // No scenario was played.
      if code != .wrongUsage { try file.put() }
      return code
    }
    // At a given speed, a user may watch the run: the file is in place from the start and grows like an app's file.
    try file.putForStore()
    defer { file.takeBackIfEmpty() }
    let store = try MetricFileStore(path: path)
    return try await play { try await store.append($0) }
  }

  /// Executes the requested steps; the speed does not affect the record.
  func advance(_ simulation: SimulationSession<some SimulationWorld>, keep: Keeping) async throws {
    let block = 1000
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
      if waiting.count >= block {
        try await keep(waiting)
        waiting = []
      }
    }
    if !waiting.isEmpty { try await keep(waiting) }
  }
}
