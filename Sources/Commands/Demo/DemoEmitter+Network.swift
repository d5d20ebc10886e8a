import SimulationKit

extension DemoEmitter {
  /// Requests, the circuit breaker and signing in.
  static let network: [DemoEmitter] = [
    DemoEmitter(.random(32)) { state, log in request(&state, &log) },
    DemoEmitter(.random(6)) { state, log in upload(&state, &log) },
    DemoEmitter(.even(4)) { state, log in
      let waiting = state.random.logNormal(median: 3 * state.networkFactor, spread: 0.4)
      log.add(DemoMetrics.inFlight, Int(waiting))
    },
    DemoEmitter(.even(1)) { state, log in log.add(DemoMetrics.breaker, state.breaker) },
    DemoEmitter(.even(0.5)) { state, log in
      guard !state.isAuthSilent else { return }
      log.add(DemoMetrics.refreshTime, state.random.logNormal(median: 210 * state.networkFactor, spread: 0.3))
      log.add(DemoMetrics.signedIn, !state.random.chance(0.03))
    },
    DemoEmitter(.random(0.03)) { state, log in
      log.add(DemoMetrics.authFailure, state.random.pick(["token expired", "network", "keychain locked"]))
    },
  ]

  /// Every version after the first occasionally uploads everything twice.
  @Sendable
  private static func upload(_ state: inout DemoState, _ log: inout DemoLog) {
    let isNew = state.version != DemoStory.version(at: 0)
    let isCellular = state.random.chance(0.3)
    let median = (isCellular ? 190.0 : 130) * (isNew && state.random.chance(0.09) ? 2.6 : 1)
    let time = state.random.logNormal(median: median, spread: 0.22)
    let outcome =
      time > 420 && state.random.chance(0.4) ? "retry" : state.random.chance(0.006) ? "fail" : "ok"
    log.add(
      DemoMetrics.upload,
      DemoUpload(
        totalMs: time, network: isCellular ? "cellular" : "wifi", outcome: outcome,
        version: state.version))
  }

  @Sendable
  private static func request(_ state: inout DemoState, _ log: inout DemoLog) {
    let isCached = state.random.chance(0.38)
    log.add(DemoMetrics.cacheHit, isCached)
    guard !isCached else { return }
    let hasFailed = state.random.chance(state.incident == .failingEndpoint ? 0.55 : 0.008)
    let median = (hasFailed ? 320 : 84) * state.networkFactor
    log.add(DemoMetrics.requestTime, state.random.logNormal(median: median, spread: 0.55))
    log.add(DemoMetrics.status, hasFailed ? (state.random.chance(0.6) ? 503 : 500) : 200)
    if hasFailed {
      let reasons = ["503 service unavailable", "timed out", "connection reset", "bad gateway"]
      log.add(DemoMetrics.failure, state.random.pick(reasons))
    } else {
      log.add(DemoMetrics.responseSize, Int(state.random.logNormal(median: 14_200, spread: 1.1)))
    }
    state.requestEnded(hasFailed: hasFailed)
  }
}
