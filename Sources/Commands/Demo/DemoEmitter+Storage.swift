import SimulationKit

extension DemoEmitter {
  static let database: [DemoEmitter] = [
    DemoEmitter(.random(38)) { state, log in
      let isScan = state.random.chance(0.06)
      let time = state.random.logNormal(median: (isScan ? 9 : 0.9) * state.diskFactor, spread: 0.5)
      log.add(DemoMetrics.queryTime, time)
      if state.random.chance(0.5) {
        log.add(DemoMetrics.rows, Int(state.random.logNormal(median: isScan ? 900 : 12, spread: 0.9)))
      }
      if time > 60 {
        log.add(DemoMetrics.slowQuery, state.random.pick(["SELECT entries", "SELECT tags", "UPDATE cursor"]))
      }
    },
    DemoEmitter(.random(8)) { state, log in
      log.add(DemoMetrics.writeTime, state.random.logNormal(median: 2.4 * state.diskFactor, spread: 0.6))
      state.databaseSize += Int(state.random.logNormal(median: 700, spread: 0.8))
    },
    DemoEmitter(.even(1)) { state, log in log.add(DemoMetrics.size, state.databaseSize) },
  ]

  /// Memory and battery.
  static let memory: [DemoEmitter] = [
    DemoEmitter(.even(2)) { state, log in
      log.add(DemoMetrics.footprint, Int(state.footprint * state.random.logNormal(median: 1, spread: 0.01)))
    },
    DemoEmitter(.even(0.5)) { state, log in
      let level = state.footprint > 480e6 ? "critical" : state.footprint > 320e6 ? "warning" : "normal"
      log.add(DemoMetrics.pressure, level)
    },
    DemoEmitter(.even(0.1)) { state, log in
      log.add(DemoMetrics.battery, (state.charge * 10).rounded() / 10)
    },
  ]
}
