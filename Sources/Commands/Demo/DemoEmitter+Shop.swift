import SimulationKit

extension DemoEmitter {
  /// The shop: its endpoints, the query behind one of them, and the orders that queue up behind it.
  static let shop: [DemoEmitter] = [
    DemoEmitter(.random(6)) { state, log in
      let median = (state.incident == .slowQuery ? 2_000.0 : 105) * state.slowness
      let spread = state.incident == .slowQuery ? 0.08 : 0.25
      log.add(
        DemoMetrics.checkout,
        DemoRequest(
          ms: state.random.logNormal(median: median, spread: spread),
          network: state.random.chance(0.3) ? "cellular" : "wifi", version: state.version))
    },
    DemoEmitter(.random(5)) { state, log in
      log.add(DemoMetrics.searchTime, state.random.logNormal(median: 84 * state.networkFactor, spread: 0.3))
    },
    DemoEmitter(.random(6)) { state, log in
      let median = state.incident == .slowQuery ? 1_720.0 : 11
      let spread = state.incident == .slowQuery ? 0.05 : 0.15
      log.add(DemoMetrics.orderTime, state.random.logNormal(median: median, spread: spread))
    },
    DemoEmitter(.even(2)) { state, log in
      log.add(
        DemoMetrics.queueDepth,
        Int((state.waiting * state.random.logNormal(median: 1, spread: 0.06)).rounded()))
    },
  ]
}
