import DashboardCore
import Platform

// Which moment the screen of an engine shows, and how fast that goes on.
extension EngineScreen {
  /// The time that the shown engine is of: the playhead's; else now, or for a simulation the time that it has come to.
  ///
  /// Between two entries a simulation's time goes on at its speed, up to what it says is due next. It is not known when
  /// one that was there at the opening was written: it stands at its newest entry unless it keeps our time.
  var engineTime: Timestamp {
    if let moment = state.moment { return moment }
    let now = session.now
    guard state.engine.simulation != nil, let last = state.engine.lastTime else { return now }
    let pace = pace
    guard pace > 0 else { return last }
    let elapsed = state.log.arrival(of: state.branch).map { (now - $0) * pace } ?? (now - last)
    return min(last + max(0, elapsed), max(last, state.engine.nextStepAt ?? .distantFuture))
  }

  /// How fast the time of the engine goes on; 1 is as fast as ours, 0 is not at all.
  private var pace: Double {
    guard state.moment == nil, let last = state.engine.lastTime else { return 0 }
    guard let simulation = state.engine.simulation else { return 1 }
    guard simulation.running else { return 0 }
    if state.log.arrival(of: state.branch) != nil { return max(0, min(simulation.speed, Pace.fastest)) }
    return simulation.speed == 1 && abs(session.now - last) < Pace.simulationLag ? 1 : 0
  }

  /// When something on the screen changes by itself; `nil` when nothing does.
  var engineDeadline: Timestamp? {
    let pace = pace
    guard pace > 0, let last = state.engine.lastTime else { return nil }
    let (now, time) = (session.now, engineTime)
    let isCounting = state.engine.waitEnd.map { $0 > time } ?? false
    if state.engine.simulation != nil {
      // It waits for its own next entry, which may never come.
      if let due = state.engine.nextStepAt, time >= due { return nil }
    } else {
      // The ages of a file that has long been silent are not kept up to date; a countdown comes to its end.
      guard now - last <= (isCounting ? Pace.longestCountdown : session.window) else { return nil }
    }
    let step = isCounting || pace > Pace.slowest ? 0.1 : 1
    return max(now.nextMultiple(of: step), now + step / 100)
  }
}

private enum Pace {
  /// A simulation whose newest entry is older than this, in seconds, is not played at this moment.
  static let simulationLag = 60.0
  /// No simulation is played faster.
  static let fastest = 60.0
  /// At a faster pace a second is too long to stand still.
  static let slowest = 2.0
  /// No breaker is open for longer, in seconds.
  static let longestCountdown = 86_400.0
}
