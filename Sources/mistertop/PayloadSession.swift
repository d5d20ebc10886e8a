import Commands
import Dashboard
import Foundation

/// The dashboard, or a frame of it, on files of payloads and whatever metrics files stand beside them.
///
/// What the files hold reaches the screen as if it had been imported: through a store, which goes with the session.
@MainActor
struct PayloadSession {
  let operands: PayloadOperands
  let console: Console
  let surroundings: Surroundings

  /// Shows the dashboard until the person leaves.
  func show(_ looks: Looks) async -> ExitCode {
    await open { paths, problems in
      let log = LogFile(path: surroundings.logFile)
      for problem in problems.problems { log.append("mistertop: \(problem)") }
      return DashboardSession(
        paths: paths, looks: keepingNoIndex(looks), console: console, surroundings: surroundings,
        message: problems.message, operands: operands.payloads + operands.metrics
      ).run()
    }
  }

  /// Prints a frame.
  func print(_ request: SnapshotRequest) async -> ExitCode {
    await open { paths, problems in
      for problem in problems.problems { console.complain("mistertop snapshot: \(problem)") }
      var request = request
      request.paths = paths
      if !request.isScreenChosen {
        request.screen = .histogram
        request.histogram.isOverview = request.metric == nil
      }
      request.looks = keepingNoIndex(request.looks)
      return Snapshot(request: request, now: { Date().timeIntervalSinceReferenceDate }).run(console: console)
    }
  }

  private func open(
    _ body: @MainActor ([String], PayloadOpening.Outcome) async -> ExitCode
  ) async -> ExitCode {
    do {
      return try await TemporaryStore.with(PayloadOpening.storeName) { store in
        let outcome = await PayloadOpening(operands.payloads, into: store.path).run(console: console)
        guard outcome.hasPayloads || !operands.metrics.isEmpty else {
          for problem in outcome.problems { console.complain("mistertop: \(problem)") }
          console.complain("mistertop: none of these files holds a payload that could be read")
          return .failed
        }
        let store = outcome.hasPayloads ? [store.path] : []
        return await body(operands.metrics + store, outcome)
      }
    } catch {
      console.complain("mistertop: \(error)")
      return .failed
    }
  }

  /// What is known of a store that goes with the session is of no use to the next one.
  private func keepingNoIndex(_ looks: Looks) -> Looks {
    var looks = looks
    if operands.metrics.isEmpty { looks.indexFolder = nil }
    return looks
  }
}
