import Essentials

/// Payload files, and any metrics files named with them, opened for the dashboard or a single frame.
///
/// The payloads reach the screen as if they had been imported: through a store that is removed with the session.
@MainActor
struct PayloadSession {
  let operands: PayloadOperands
  let context: CommandContext

  /// Opens the payload files as a store, next to the metrics files, while `body` runs.
  ///
  /// - Parameter body: Receives the files to read and the outcome of loading the payload files.
  func open(
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

  /// Disables the indexes if every file belongs to the session: an index of a removed store would never be used again.
  func withoutUselessIndex(_ view: ViewOptions) -> ViewOptions {
    var view = view
    if operands.metrics.isEmpty { view.indexFolder = nil }
    return view
  }
}
