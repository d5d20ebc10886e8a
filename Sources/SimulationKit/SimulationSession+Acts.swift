import Codecs

/// So much that is due happens before an act by hand; what never ends does not keep a person waiting.
private let mostBeforeAct = 10_000

extension SimulationSession {
  /// How fast its time can go for those who watch, from slow to fast.
  public static var speeds: [Double] { SimulationSpeed.ladder }

  /// Waits, for those who watch, while that much simulated time passes at that speed; throws to stop.
  public typealias Pacing = (_ simulated: Duration, _ speed: Double) throws -> Void

  /// Lets something happen because a person wants it, as a step of its own at a moment of its own.
  ///
  /// All that is due now happens first. Then the clock goes to the next whole millisecond that lies at least one behind
  /// the last step and before which nothing else is due: so the same act in a script at that moment, before what
  /// else happens then, gives the same course (``session``).
  public func perform(byHand act: Act) {
    let timed = DrivenTimedAct(at: momentByHand(), act, isByHand: true)
    if let before = settings(changedBy: timed.act) { undoable.append(before) }
    steps += 1
    actsByHand.append((steps, timed))
    world.advance(to: timed.at)
    world.carryOut(timed)
    settleDown()
  }

  /// The settings that an act changes, as they are; `nil` for one that is not about faults.
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

  /// Takes back the last fault that a person set, or all of them that were switched off at once.
  ///
  /// Each is an act by hand.
  ///
  /// - Returns: What is in force again; nothing when there was nothing to take back.
  @discardableResult
  public func undoFault() -> [Setting] {
    guard let before = undoable.popLast() else { return [] }
    for setting in before {
      perform(byHand: .fault(setting))
      undoable.removeLast()
    }
    return before
  }

  /// Plays faster or slower for those who watch, between a quarter and sixty times.
  public func setSpeed(_ speed: Double) {
    self.speed = SimulationSpeed.bounded(speed)
    recordSimulation()
  }

  /// Runs on by itself, or stands still, for those who watch.
  public func setRunning(_ isRunning: Bool) {
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

  /// The faults as they are set.
  public var faults: DrivenFaultBoard<Act.Fault> { world.faults }
}
