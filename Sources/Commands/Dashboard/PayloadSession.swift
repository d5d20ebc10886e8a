import Foundation

/// The dashboard, or a frame of it, on payload files and any metrics files named with them.
///
/// What the payload files hold reaches the screen as if it had been imported: through a store that is removed with the
/// session.
@MainActor
struct PayloadSession {
  let operands: PayloadOperands
  let context: CommandContext

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

  /// Prints a frame.
  func print(_ request: SnapshotCommand.Request) async -> ExitCode {
    await open { paths, outcome in
      for problem in outcome.problems { context.console.writeError("mistertop snapshot: \(problem)") }
      var request = request
      request.paths = paths
      if request.screen == nil { request.showPayloads() }
      request.view = withoutUselessIndex(request.view)
      return Snapshot(request).run(console: context.console)
    }
  }

  private func open(
    _ body: @MainActor ([String], PayloadLoader.Outcome) async -> ExitCode
  ) async -> ExitCode {
    let console = context.console
    do {
      return try await TemporaryStore.with(PayloadLoader.storeName, context.host) { store in
        let outcome = await PayloadLoader(operands.payloads, into: store.path).run(console: console)
        guard outcome.hasPayloads || !operands.metrics.isEmpty else {
          for problem in outcome.problems { console.writeError("mistertop: \(problem)") }
          console.writeError("mistertop: none of these files contains a payload that could be read")
          return .failed
        }
        let store = outcome.hasPayloads ? [store.path] : []
        return await body(operands.metrics + store, outcome)
      }
    } catch {
      console.writeError("mistertop: \(error)")
      return .failed
    }
  }

  /// An index of a store that is removed with the session is of no use to the next one.
  private func withoutUselessIndex(_ view: ViewOptions) -> ViewOptions {
    var view = view
    if operands.metrics.isEmpty { view.indexFolder = nil }
    return view
  }
}
