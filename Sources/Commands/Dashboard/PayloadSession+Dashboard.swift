extension PayloadSession {
  /// Shows the dashboard until the user quits.
  func show(_ view: ViewOptions) async -> ExitCode {
    await open { paths, outcome in
      let log = LogFile(path: context.environment.logFile)
      for problem in outcome.problems { log.append("mistertop: \(problem)") }
      let notes = [outcome.message, outcome.skippedNote].compactMap(\.self)
      return DashboardSession(
        paths: paths, view: withoutUselessIndex(view), context: context,
        message: notes.isEmpty ? nil : notes.joined(separator: "; "),
        operands: operands.payloads + operands.metrics, problems: outcome.problems
      ).run()
    }
  }
}
