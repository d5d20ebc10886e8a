extension PayloadSession {
  /// Shows the dashboard until the user quits.
  func show(_ view: ViewOptions) async -> ExitCode {
    await open { paths, outcome in
      let log = LogFile(path: context.environment.logFile)
      for problem in outcome.problems { log.append("mistertop: \(problem)") }
      return DashboardSession(
        paths: paths, view: withoutUselessIndex(view), context: context, message: outcome.message,
        operands: operands.payloads + operands.metrics
      ).run()
    }
  }
}
