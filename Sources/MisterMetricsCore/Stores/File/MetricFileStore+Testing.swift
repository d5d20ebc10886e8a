extension MetricFileStore {
  /// Number of lines waiting for the next write; for tests.
  package var waitingLines: Int { writer.waiting.lines }

  /// Number of callers waiting for the next write; for tests.
  package var waitingCallers: Int { writer.waiting.awaited.count }
}
