import Codecs

/// So much that is due happens before an act by hand; what never ends does not keep a person waiting.
private let mostBeforeAct = 10_000

extension DrivenSimulation {
  /// Lets something happen because a person wants it, as a step of its own at a moment of its own.
  ///
  /// All that is due now happens first. Then the clock goes to the next whole millisecond that lies at least one behind
  /// the last step and before which nothing else is due: so the same act in a script at that moment, before what
  /// else happens then, gives the same course (``playedScenario``).
  package func doByHand(_ act: Act) {
    let timed = Script.Timed(at: momentByHand(), act, isByHand: true)
    if let before = settings(changedBy: timed.act) { undoable.append(before) }
    steps += 1
    actsByHand.append((steps, timed))
    carryOut(timed)
  }

  private func momentByHand() -> Duration {
    for _ in 0..<mostBeforeAct {
      guard let due, due <= now || due < nextMillisecond else { break }
      takeDue()
    }
    return nextMillisecond
  }

  private var nextMillisecond: Duration {
    max(now, lastStep + .milliseconds(1)).roundedUpToMilliseconds
  }

  /// Takes back the last fault that a person set, or all of them that were switched off at once.
  ///
  /// Each is an act by hand.
  ///
  /// - Returns: What is in force again; nothing when there was nothing to take back.
  package func takeBackFault() -> [Setting] {
    guard let before = undoable.popLast() else { return [] }
    for setting in before {
      doByHand(.fault(setting))
      undoable.removeLast()
    }
    return before
  }

  /// Plays faster or slower for those who watch, between a quarter and sixty times.
  package func change(speed: Double) {
    self.speed = SimulationSpeed.bounded(speed)
    recordSimulation()
  }

  /// Runs on by itself, or stands still, for those who watch.
  package func change(isRunning: Bool) {
    self.isRunning = isRunning
    recordSimulation()
  }

  /// Plays to the end of the scenario, or up to a moment.
  ///
  /// - Parameters:
  ///   - moment: Up to when; `nil` to the end.
  ///   - limit: How many steps at most.
  ///   - pacing: Waits before each step; without one it goes as fast as it can. It has no part in the record.
  /// - Throws: What the pacing throws.
  package func play(
    until moment: Duration? = nil, steps limit: Int = .max,
    pacing: ((_ simulated: Duration, _ speed: Double) throws -> Void)? = nil
  ) rethrows {
    var taken = 0
    while taken < limit, let next, moment.map({ next.at <= $0 }) ?? true {
      try pacing?(next.at - now, speed)
      step()
      taken += 1
    }
    if let moment, taken < limit, next.map({ $0.at > moment }) ?? true {
      advance(to: moment)
    }
  }
}
