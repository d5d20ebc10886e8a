import JSONLines
import Platform
import TerminalUI

/// `mistertop [FILE | FOLDER | -]…`: the dashboard on files, or on the default store.
package enum DashboardCommand: Command {
  package static let name = ""
  package static let operands = "[FILE | FOLDER | - | ADDRESS]…"
  package static let summary =
    "Shows every metric of the files live, and payload files as histograms; without a file, the default store."
  package static let examples = [
    CommandExample(
      "mistertop metrics.jsonl",
      "follow a file; several, a folder, or - for standard input work too"),
    CommandExample(
      "mistertop --limit 'api.* and p95 > 400ms' metrics.jsonl",
      "show when an API call is slow"),
  ]
  package static let options = ViewOptions.interactive + SymbolOptions.options + [.authorities, checkConfig]

  package static let readsServers = true

  private static let checkConfig = CommandOption(
    "check-config", help: "check the configuration, or FILE, and exit")

  package struct Request: Sendable, Equatable {
    /// Files and folders; `-` for standard input.
    package var paths: [String]
    /// The server that is read instead of files.
    package var server: ServerOperand?
    package var view: ViewOptions
    /// True to only check the configuration and show nothing.
    package var checksConfiguration = false
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    var view = try ViewOptions(arguments)
    view.symbols = try SymbolOptions(arguments)
    if arguments.has(checkConfig) {
      try arguments.rejectOperands(after: 1)
      view.configurationFile = arguments.operands.first ?? view.configurationFile
      return Request(paths: arguments.files, view: view, checksConfiguration: true)
    }
    if let server = try arguments.server {
      return Request(paths: arguments.files, server: server, view: view)
    }
    // A word without a slash or a dot is more likely a mistyped command than a file.
    for path in arguments.operands where path != "-" && !path.utf8.contains(where: "/.".utf8.contains) {
      guard arguments.environment.exists(path) else { throw .unknownCommand(path) }
    }
    guard !view.isLinear || !arguments.files.contains("-") else {
      throw .conflict("--linear", "-: its menus are answered on standard input")
    }
    return Request(paths: arguments.files, view: view)
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    if request.checksConfiguration { return check(request.view, in: context) }
    let store = context.environment.defaultStore
    guard request.paths.map({ PathKey($0) }) != [PathKey(store)] || context.environment.exists(store) else {
      context.console.writeError(
        "mistertop: there is no metrics file at \(store) yet; name another, or try: mistertop demo")
      return .failed
    }
    context.startGuard()
    if let server = request.server {
      return DashboardSession(paths: request.paths, server: server, view: request.view, context: context)
        .run()
    }
    // With an explicit mapping, every file is a metrics file.
    let operands = PayloadOperands(request.view.mapping?.time == nil ? request.paths : [])
    guard operands.payloads.isEmpty else {
      return await PayloadSession(operands: operands, context: context).show(request.view)
    }
    guard SpooledOperands.isNeeded(for: request.paths) else {
      return DashboardSession(paths: request.paths, view: request.view, context: context).run()
    }
    return await spooled(request, in: context)
  }

  /// Shows standard input and packed files through spool files that are removed with the session.
  @MainActor private static func spooled(_ request: Request, in context: CommandContext) async -> ExitCode {
    do {
      return try await TemporaryStore.with("", context.host) { folder in
        let operands = SpooledOperands(request.paths, in: folder)
        var view = request.view
        // Spool files are removed with the session, so an index of them would never be used again.
        if operands.spools.count == request.paths.count { view.indexFolder = nil }
        var session = DashboardSession(paths: operands.paths, view: view, context: context)
        session.spools = operands.spools
        return session.run()
      }
    } catch {
      context.console.writeError("mistertop: \(FileErrorFormatter.sentence(error))")
      return .failed
    }
  }

  /// Lists all problems of a configuration.
  private static func check(_ view: ViewOptions, in context: CommandContext) -> ExitCode {
    let isNamed = view.configurationFile != nil || context.environment.namesConfiguration
    let file = ConfigurationFile(path: view.configurationFile ?? context.environment.configurationFile)
    guard file.isThere || isNamed else {
      context.console.write("\(SafeText.sanitized(file.path)): no configuration, and none is needed\n")
      return .success
    }
    for problem in file.problems { context.console.writeError(problem.message(path: file.path)) }
    guard file.problems.isEmpty else { return .failed }
    context.console.write("\(SafeText.sanitized(file.path)): fine\n")
    return .success
  }
}
