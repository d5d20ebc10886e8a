import SimulationKit

extension DemoEmitter {
  /// Frames, screens and scrolling.
  static let interface: [DemoEmitter] = [
    DemoEmitter(.even(60)) { state, log in
      let isBusy = state.incident == .slowDisk || state.incident == .memoryPressure
      let isDropped = state.random.chance(isBusy ? 0.12 : 0.006)
      let time =
        isDropped
        ? state.random.logNormal(median: 38, spread: 0.4) : state.random.logNormal(median: 6.8, spread: 0.22)
      log.add(DemoMetrics.frameTime, time)
      if isDropped { log.add(DemoMetrics.droppedFrames, Int(time / 16.7) + 1) }
    },
    DemoEmitter(.random(0.4)) { state, log in
      log.add(
        DemoMetrics.screen,
        state.random.pick(["Today", "Journal", "Search", "Entry", "Settings", "Größe & Maße"]))
    },
    DemoEmitter(.random(2)) { state, log in
      log.add(DemoMetrics.hitch, max(0, state.random.normal() * 9 * state.diskFactor.squareRoot() - 4))
    },
  ]

  /// Cold and warm starts.
  static let launching: [DemoEmitter] = [
    DemoEmitter(.start) { state, log in
      log.add(DemoMetrics.buildNumber, 4_217)
      coldStart(&state, &log)
    },
    DemoEmitter(.random(0.02)) { state, log in coldStart(&state, &log) },
    DemoEmitter(.even(1)) { state, log in
      guard state.isResuming else { return }
      state.isResuming = false
      log.add(DemoMetrics.warmStart, state.random.logNormal(median: 140, spread: 0.25))
    },
  ]

  @Sendable
  private static func coldStart(_ state: inout DemoState, _ log: inout DemoLog) {
    let open = state.random.logNormal(median: 96 * state.diskFactor, spread: 0.3)
    let language = state.random.logNormal(median: 31, spread: 0.4)
    let frame = state.random.logNormal(median: 210, spread: 0.2)
    log.add(DemoMetrics.coldStart, open + language + frame)
    log.add(
      DemoMetrics.breakdown,
      DemoStartup(
        totalMs: open + language + frame, databaseOpenMs: open, languageSetupMs: language, firstFrameMs: frame
      ))
  }
}
