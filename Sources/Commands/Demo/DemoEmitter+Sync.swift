import Sync

extension DemoEmitter {
  /// The exchange with the server.
  static let syncing: [DemoEmitter] = [
    DemoEmitter(.even(2)) { state, log in
      if state.random.chance(0.45) { state.pending += 1 }
      log.add(DemoMetrics.pending, state.pending)
    },
    DemoEmitter(.even(0.7)) { state, log in exchange(&state, &log) },
  ]

  @Sendable
  private static func exchange(_ state: inout DemoState, _ log: inout DemoLog) {
    let isRefused = state.breaker == "open"
    let hasFailed = isRefused || state.random.chance(state.incident == .errorBurst ? 0.7 : 0.01)
    let push = state.random.logNormal(median: 120 * state.networkFactor, spread: 0.4)
    let pull = state.random.logNormal(median: 180 * state.networkFactor, spread: 0.5)
    let pushed = hasFailed ? 0 : state.pending
    log.add(DemoMetrics.succeeded, !hasFailed)
    if !isRefused {
      log.add(DemoMetrics.pushTime, push)
      log.add(DemoMetrics.pullTime, pull)
    }
    log.add(
      DemoMetrics.batch,
      DemoSyncBatch(
        pushed: pushed, pulled: hasFailed ? 0 : Int(state.random.logNormal(median: 4, spread: 0.8)),
        conflicts: state.random.chance(0.02) ? 1 : 0, durationMs: isRefused ? 0 : push + pull,
        error: isRefused ? "breaker open" : hasFailed ? "503 service unavailable" : nil))
    state.pending -= pushed
  }
}
