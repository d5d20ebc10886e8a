import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import TelemetryCore

extension SyncWorld {
  /// The current fault settings.
  public var faults: FaultBoard { remote.withLock { $0.faults } }

  /// Executes an act now that is not in the script.
  public func carryOut(_ timed: TimedAct) { happen(.script(timed)) }

  func happen(_ what: Occurrence) {
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
    case .recurring(.trigger): if isOnline { requestSync() }
    case .recurring(let source):
      guard let change = content.pick(scenario.domain) else { return }
      perform(source == .others ? .remoteChange(change) : .change(change), byHand: false)
    }
  }

  private func perform(_ act: SimulationAct, byHand: Bool) {
    switch act {
    case .fault(let setting): set(setting, byHand: byHand)
    case .clearFaults: for setting in faults.active { set(setting.with(isOn: false), byHand: byHand) }
    case .change(let change): make(change)
    case .remoteChange(let change): makeRemote(change)
    case .generate(let isRemote, let perMinute):
      director.generate(isRemote ? .others : .device, perMinute: perMinute, at: clock.now)
    case .trigger(let period, let afterChanges):
      director.repeat(.trigger, every: period, at: clock.now)
      asksAfterChanges = afterChanges
    case .requestSync: requestSync()
    case .leap(let duration): clock.leap(by: duration)
    case .signIn:
      let now = clock.now
      remote.withLock { $0.signIn(at: now) }
      requestSync()
    case .powerCut: cutPower()
    case .resetBreaker, .clearPending, .forceResync, .skipToLatest, .resetStore: command(act)
    case .answer(let answer): remote.withLock { $0.answers.set(answer) }
    case .configure(let configuration):
      self.configuration = configuration
      tell { $0.configure(configuration) }
      journal.add(SyncMetric.configuration, configuration)
    }
  }

  /// Abandons the engine in the middle of its work; a new one opens what was saved.
  private func cutPower() {
    tell { $0.abandon() }
    network.finish()
    (engine, network) = Self.makeEngine(environment, configuration, journal, branch)
    if !isOnline { network.yield(false) }
    if asksAfterChanges { requestSync() }
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

  /// Runs a closure on the engine that never suspends.
  func tell(_ body: @escaping @Sendable (isolated SyncEngine) -> Void) {
    let engine = engine
    _ = tasks.tasks.start { await body(engine) }
    tasks.drain()
  }

  /// Returns the result of a closure on the engine that never suspends.
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
    let before = remote.withLock { $0.faults.set(setting) }
    if setting.fault == .clockSkew {
      clock.skew(by: .milliseconds(setting.isOn ? Int64(setting.amount * 1000) : 0))
    }
    journal.add(
      SyncMetric.fault,
      SyncFault(
        fault: setting.fault.rawValue, amount: setting.amount, unit: setting.fault.measure.unit,
        probability: setting.probability, scope: setting.scope.description, on: setting.isOn,
        byHand: byHand, branch: branch))
    // The engine learns of the network change immediately.
    if setting.fault == .offline, before.isOn != setting.isOn {
      network.yield(!setting.isOn)
      tasks.drain()
    }
  }
}

extension SyncEngine.Outcome {
  /// A short description of the outcome.
  var words: String {
    switch self {
    case .finished(let summary): "\(summary.status.rawValue)\(summary.error.map { ": " + $0 } ?? "")"
    case .refused(let reason): "refused: \(reason)"
    case .queued: "queued behind the run"
    case .waitCancelled: "the caller no longer waits"
    }
  }
}
