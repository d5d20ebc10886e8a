extension MetricFileStore {
  /// Lines that wait for the next write; for tests.
  package var waitingLines: Int { writer.waiting.lines }

  /// Callers that wait for the next write; for tests.
  package var waitingCallers: Int { writer.waiting.awaited.count }
}
