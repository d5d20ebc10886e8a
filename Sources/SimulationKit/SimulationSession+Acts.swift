import Codecs

/// Maximum number of due events before an act by hand, so that an endless series of them does not block it.
private let mostBeforeAct = 10_000

extension SimulationSession {
  /// The speeds of the visible simulation, from slow to fast.
  public static var speeds: [Double] { SimulationSpeed.ladder }

  /// Waits while simulated time passes at a speed, for a visible simulation; throws to stop.
  public typealias Pacing = (_ simulated: Duration, _ speed: Double) throws -> Void

  /// Performs an act by hand, as a separate step at a moment of its own.
  ///
  /// Due events happen first. Then the clock advances to the next whole millisecond that is at least one after the
  /// last step and before which nothing else is due. Therefore the same act in a script at that moment, before other
  /// events at that time, leads to the same decisions (``session``).
  public func perform(byHand act: Act) {
    let timed = DrivenTimedAct(at: momentByHand(), act, isByHand: true)
    if let before = settings(changedBy: timed.act) { undoable.append(before) }
    steps += 1
    actsByHand.append((steps, timed))
    world.advance(to: timed.at)
    world.carryOut(timed)
    settleDown()
  }

  /// The current settings that an act will change; `nil` for an act that does not change faults.
  private func settings(changedBy act: Act) -> [Setting]? {
    if act == .clearFaults { return faults.active }
    return act.faultSetting.map { [faults[$0.fault]] }
  }

  private func momentByHand() -> Duration {
    for _ in 0..<mostBeforeAct {
      guard let due = world.earliest, due.at <= now || due.at < nextMillisecond else { break }
      take(due)
    }
    return nextMillisecond
  }

  private var nextMillisecond: Duration {
    max(now, lastStep + .milliseconds(1)).roundedUpToMilliseconds
  }

  /// Reverts the last fault change made by hand, or all faults that were switched off together.
  ///
  /// Each reverted setting is an act by hand.
  ///
  /// - Returns: The restored settings; empty if there was nothing to undo.
  @discardableResult
  public func undoFault() -> [Setting] {
    guard let before = undoable.popLast() else { return [] }
    for setting in before {
      perform(byHand: .fault(setting))
      undoable.removeLast()
    }
    return before
  }

  /// Sets the speed of the visible simulation, clamped to 0.25 to 60.
  public func setSpeed(_ speed: Double) {
    self.speed = SimulationSpeed.bounded(speed)
    recordSimulation()
  }

  /// Resumes or pauses the visible simulation.
  public func setRunning(_ isRunning: Bool) {
    self.isRunning = isRunning
    recordSimulation()
  }

  /// Plays to the end of the scenario, or up to a moment.
  ///
  /// - Parameters:
  ///   - moment: The moment to stop at; `nil` for the end.
  ///   - limit: Maximum number of steps.
  ///   - pacing: Waits before each step; without it, the simulation runs at full speed. It does not affect the record.
  /// - Throws: The error of the pacing.
  public func run(until moment: Duration? = nil, steps limit: Int = .max, pacing: Pacing? = nil) rethrows {
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

  /// The current fault settings.
  public var faults: DrivenFaultBoard<Act.Fault> { world.faults }
}
