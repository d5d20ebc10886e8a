extension PayloadSession {
  func print(_ request: SnapshotCommand.Request) async -> ExitCode {
    await open { paths, outcome in
      for problem in outcome.problems { context.console.writeError("mistertop snapshot: \(problem)") }
      var request = request
      request.paths = paths
      if request.screen == nil {
        request.showPayloads(of: operands)
      } else {
        request.compareFiles(of: operands)
      }
      // Spares reading the store again, and is removed with it.
      if operands.metrics.isEmpty { request.view.indexFolder = paths.last.map { "\($0).index" } }
      return Snapshot(request).run(console: context.console)
    }
  }
}
