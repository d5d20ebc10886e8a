extension PayloadSession {
  func print(_ request: SnapshotCommand.Request) async -> ExitCode {
    await open { paths, outcome in
      for problem in outcome.problems { context.console.writeError("mistertop snapshot: \(problem)") }
      var request = request
      request.paths = paths
      (request.operands, request.problems) = (operands.payloads + operands.metrics, outcome.problems)
      if request.screen == nil {
        request.showPayloads(of: operands)
      } else {
        request.compareFiles(of: operands)
      }
      // Spares reading the store again, and is removed with it.
      if operands.metrics.isEmpty { request.view.indexFolder = paths.last.map { "\($0).index" } }
      if let note = outcome.skippedNote { context.console.writeError("mistertop snapshot: \(note)") }
      return Snapshot(request).run(console: context.console, ofAll: outcome.problems.isEmpty)
    }
  }
}
