import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import TelemetryCore

extension Simulation {
  /// How fast its time can go for those who watch, from slow to fast.
  public static let speeds = SimulationSpeed.ladder

  /// Lets something happen because a person wants it, as a step of its own at a moment of its own.
  ///
  /// All that is due now happens first. Then the clock goes to the next whole millisecond that lies at least one behind
  /// the last step and before which nothing else is due: so the same act in a script at that moment, before what
  /// else happens then, gives the same course (``session``).
  public func perform(byHand act: SimulationAct) { doByHand(act) }

  /// Takes back the last fault that a person set, or all of them that were switched off at once.
  ///
  /// Each is an act by hand.
  ///
  /// - Returns: What is in force again; nothing when there was nothing to take back.
  @discardableResult
  public func undoFault() -> [FaultSetting] { takeBackFault() }

  /// Plays faster or slower for those who watch, between a quarter and sixty times.
  public func setSpeed(_ speed: Double) { change(speed: speed) }

  /// Runs on by itself, or stands still, for those who watch.
  public func setRunning(_ isRunning: Bool) { change(isRunning: isRunning) }

  /// The faults as they are set.
  public var faults: FaultBoard { world.withLock { $0.faults } }

  func happen(_ what: SimulationDirector.Occurrence) {
    if case .script(let timed) = what, let caption = timed.caption {
      journal.add(SyncMetric.caption, SyncCaption(text: caption, branch: branch))
    }
    switch what {
    case .script(let timed) where timed.isByHand:
      tell { $0.isByHand = true }
      perform(timed.act, byHand: true)
      tasks.drain()
      tell { $0.isByHand = false }
    case .script(let timed): perform(timed.act, byHand: false)
    case .trigger: if isOnline { requestSync() }
    case .arrival(let isRemote):
      guard let change = content.pick(scenario.domain) else { return }
      perform(isRemote ? .remoteChange(change) : .change(change), byHand: false)
    }
  }

  private func perform(_ act: SimulationAct, byHand: Bool) {
    switch act {
    case .fault(let setting): set(setting, byHand: byHand)
    case .clearFaults: for setting in faults.active { set(setting.with(isOn: false), byHand: byHand) }
    case .change(let change): make(change)
    case .remoteChange(let change): makeRemote(change)
    case .generate(let isRemote, let perMinute):
      director.generate(isRemote: isRemote, perMinute: perMinute, at: clock.now)
    case .trigger(let period, let afterChanges):
      director.trigger(every: period, afterChanges: afterChanges, at: clock.now)
    case .requestSync: requestSync()
    case .leap(let duration): clock.leap(by: duration)
    case .signIn:
      let now = clock.now
      world.withLock { $0.signIn(at: now) }
      requestSync()
    case .powerCut: cutPower()
    case .resetBreaker, .clearPending, .forceResync, .skipToLatest, .resetStore: command(act)
    case .answer(let answer): world.withLock { $0.answers.set(answer) }
    case .configure(let configuration):
      self.configuration = configuration
      tell { $0.configure(configuration) }
      journal.add(SyncMetric.configuration, configuration)
    }
  }

  /// The engine dies in the middle of whatever it does; another one opens what was saved.
  private func cutPower() {
    tell { $0.abandon() }
    network.finish()
    (engine, network) = Self.makeEngine(environment, configuration, journal, branch)
    if !isOnline { network.yield(false) }
    if director.asksAfterChanges { requestSync() }
  }

  private func command(_ act: SimulationAct) {
    let engine = engine
    trace?.note(.app, .engine, act.words)
    _ = tasks.tasks.start {
      switch act {
      case .resetBreaker: await engine.resetBreaker()
      case .clearPending: _ = try? await engine.clearPending()
      case .forceResync: await engine.forceFullResync()
      case .skipToLatest: _ = try? await engine.skipToLatestCursor()
      case .resetStore: await engine.resetStore()
      default: break
      }
    }
  }

  /// Does something to the engine that waits for nothing.
  func tell(_ body: @escaping @Sendable (isolated SyncEngine) -> Void) {
    let engine = engine
    _ = tasks.tasks.start { await body(engine) }
    tasks.drain()
  }

  /// Asks the engine something that waits for nothing.
  func ask<Value: Sendable>(_ body: @escaping @Sendable (isolated SyncEngine) -> Value) -> Value? {
    let answer = Locked<Value?>(nil)
    tell { engine in
      let value = body(engine)
      answer.withLock { $0 = value }
    }
    return answer.withLock { $0 }
  }

  /// True if the device has a network.
  var isOnline: Bool { !faults[.offline].isOn }

  private func requestSync() {
    let engine = engine
    let trace = trace
    trace?.note(.app, .engine, "request sync")
    _ = tasks.tasks.start {
      let outcome = await engine.requestSync()
      trace?.note(.engine, .app, outcome.words, isAnswer: true)
    }
  }

  private func set(_ setting: FaultSetting, byHand: Bool) {
    let before = world.withLock { $0.faults.set(setting) }
    if setting.fault == .clockSkew {
      clock.skew(by: .milliseconds(setting.isOn ? Int64(setting.amount * 1000) : 0))
    }
    journal.add(
      SyncMetric.fault,
      SyncFault(
        fault: setting.fault.rawValue, amount: setting.amount, unit: setting.fault.measure.unit,
        probability: setting.probability, scope: setting.scope.description, on: setting.isOn,
        byHand: byHand, branch: branch))
    // The engine hears of the network's return and does not wait for its next turn.
    if setting.fault == .offline, before.isOn != setting.isOn {
      network.yield(!setting.isOn)
      tasks.drain()
    }
  }
}

extension SyncEngine.Outcome {
  /// The outcome in a few words.
  var words: String {
    switch self {
    case .finished(let summary): "\(summary.status.rawValue)\(summary.error.map { ": " + $0 } ?? "")"
    case .refused(let reason): "refused: \(reason)"
    case .queued: "queued behind the run"
    case .waitCancelled: "the caller no longer waits"
    }
  }
}
