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
      request.view = withoutUselessIndex(request.view)
      return Snapshot(request).run(console: context.console)
    }
  }
}
