import DashboardCore
import Platform

// The moment shown on an engine's screen, and the pace of its time.
extension EngineScreen {
  /// The time of the shown engine: the playhead; otherwise now, or the time that a simulation has reached.
  ///
  /// Between two entries the time of a simulation advances at its speed, up to its next due event. For entries present
  /// at the opening the time of writing is unknown: their simulation stands at its newest entry unless it runs in real
  /// time.
  var engineTime: Timestamp {
    if let moment = state.moment { return moment }
    let now = session.now
    guard state.engine.simulation != nil, let last = state.engine.lastTime else { return now }
    let pace = pace
    guard pace > 0 else { return last }
    let elapsed = state.log.arrival(of: state.branch).map { (now - $0) * pace } ?? (now - last)
    return min(last + max(0, elapsed), max(last, state.engine.nextStepAt ?? .distantFuture))
  }

  /// The pace of the engine's time: 1 is real time, 0 is a standstill.
  private var pace: Double {
    guard state.moment == nil, let last = state.engine.lastTime else { return 0 }
    guard let simulation = state.engine.simulation else { return 1 }
    guard simulation.running else { return 0 }
    if state.log.arrival(of: state.branch) != nil { return max(0, min(simulation.speed, Pace.fastest)) }
    return simulation.speed == 1 && abs(session.now - last) < Pace.simulationLag ? 1 : 0
  }

  /// When the screen next changes by itself; `nil` if it does not.
  var engineDeadline: Timestamp? {
    let pace = pace
    guard pace > 0, let last = state.engine.lastTime else { return nil }
    let (now, time) = (session.now, engineTime)
    let isCounting = state.engine.waitEnd.map { $0 > time } ?? false
    if state.engine.simulation != nil {
      // It waits for its own next entry, which may never arrive.
      if let due = state.engine.nextStepAt, time >= due { return nil }
    } else {
      // Ages in a file that has long been silent are not updated; a countdown runs to its end.
      guard now - last <= (isCounting ? Pace.longestCountdown : session.window) else { return nil }
    }
    let step = isCounting || pace > Pace.slowest ? 0.1 : 1
    return max(now.nextMultiple(of: step), now + step / 100)
  }
}

private enum Pace {
  /// In seconds: a simulation whose newest entry is older is not running now.
  static let simulationLag = 60.0
  /// The highest speed of a simulation.
  static let fastest = 60.0
  /// Beyond this pace, updates once a second are too rare.
  static let slowest = 2.0
  /// The longest cooldown of a breaker, in seconds.
  static let longestCountdown = 86_400.0
}
