/// `mistertop demo`: the dashboard on a sample app, or on one scenario, that records into a temporary store.
package enum DemoCommand: Command {
  package static let name = "demo"
  package static let operands = ""
  package static let summary =
    "Opens the dashboard on a sample app that records into a temporary store, incidents included."
  package static let examples = [
    CommandExample(
      "mistertop demo",
      "a sample app with incidents that records while you watch"),
    CommandExample(
      "mistertop demo --scenario rate-limit-storm",
      "one scenario of the sync engine, driven by keys"),
  ]
  package static let options = [seed, scenario, devices, history] + ViewOptions.options

  private static let seed = CommandOption.seed(
    "the seed of the random events (default: 42, or the scenario's own)")
  private static let scenario = CommandOption(
    "scenario", "NAME", completion: .scenarios,
    help:
      "run this scenario instead: a name of simulate --list or simulate --delivery --list, or a .json5 file")
  private static let devices = CommandOption(
    "devices", "COUNT", help: "run the sample app on up to 50 devices, each with a file, and compare them")
  /// Maximum number of devices.
  private static let deviceLimit = 50
  private static let history = CommandOption(
    "history", "FILE", help: "only write the last ten minutes of the sample app to FILE, a new one, and exit")

  package enum Request: Sendable, Equatable {
    /// The dashboard on the sample app.
    case app(seed: UInt64, ViewOptions)
    /// The dashboard on the files of several devices.
    case devices(Int, seed: UInt64, ViewOptions)
    /// The dashboard on a simulation of one engine, controlled from its screen.
    case scenario(String, seed: UInt64?, ViewOptions)
    /// Writes the sample app's history to a file.
    case history(seed: UInt64, path: String)
  }

  /// The default of `--seed`.
  private static let usualSeed: UInt64 = 42

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands()
    let number = try arguments.seed(seed)
    if let path = arguments.value(history) {
      for other in [scenario, devices] where arguments.has(other) {
        throw .conflict(other.flag, history.flag)
      }
      return .history(seed: number ?? usualSeed, path: path)
    }
    let view = try ViewOptions(arguments)
    let expected = "a number from 1 to \(deviceLimit)"
    let count = try arguments.value(devices, expecting: expected) { text in
      Int(text).flatMap { (1...deviceLimit).contains($0) ? $0 : nil }
    }
    if let count {
      guard !arguments.has(scenario) else { throw .conflict(scenario.flag, devices.flag) }
      return .devices(count, seed: number ?? usualSeed, view)
    }
    if let name = arguments.value(scenario) { return .scenario(name, seed: number, view) }
    return .app(seed: number ?? usualSeed, view)
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    switch request {
    case .app(let seed, let view):
      context.startGuard()
      return await DemoSession(view: view, context: context).run(seed: seed)
    case .devices(let count, let seed, let view):
      context.startGuard()
      return await DemoSession(view: view, context: context).run(devices: count, seed: seed)
    case .scenario(let name, let seed, let view):
      context.startGuard()
      return await DemoSession(view: view, context: context).run(scenario: name, seed: seed)
    case .history(let seed, let path):
      return await DemoSession.writeHistory(seed: seed, path: path, console: context.console)
    }
  }
}
