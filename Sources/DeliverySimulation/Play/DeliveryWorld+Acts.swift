import Codecs
import DeliveryCore
import MisterMetricsCore
public import SimulationKit
import TelemetryCore

extension DeliveryWorld {
  /// The current fault settings.
  public var faults: DrivenFaultBoard<EndpointFault> { endpoint.faults }

  /// Executes an act now that is not in the script.
  public func carryOut(_ timed: DrivenTimedAct<DeliverySimulationAct>) {
    settleArrival()
    happen(.script(timed))
  }

  /// True if the device has a network.
  var isOnline: Bool { !faults[.offline].isOn }

  func happen(_ what: Occurrence) {
    switch what {
    case .script(let timed): perform(timed.act, by: timed.isByHand ? .person : .app)
    case .recurring(.app): if isAlive { make(.track, name: nil, by: .app) }
    }
  }

  private func perform(_ act: DeliverySimulationAct, by initiator: DeliveryInitiator) {
    switch act {
    case .fault(let setting): set(setting, by: initiator)
    case .clearFaults:
      for setting in faults.active { set(setting.with(isOn: false), by: initiator) }
    case .event(let event): make(event, by: initiator)
    case .generate(let perMinute):
      director.generate(.app, perMinute: perMinute, at: now)
      record(act, by: initiator)
    case .flush: tell(.flush(nil), act, by: initiator)
    case .sendRefusedAgain: tell(.sendRefusedAgain, act, by: initiator)
    case .background: tell(.enterBackground(nil), act, by: initiator)
    case .foreground: tell(.enterForeground, act, by: initiator)
    case .reset: isAlive ? reset(by: initiator) : record(act, refused: "no process runs", by: initiator)
    case .start:
      let refusal = start()
      record(act, refused: refusal, by: initiator)
    case .terminate:
      tell(.terminate(nil), act, by: initiator)
      endProcess()
    case .kill:
      record(act, refused: isAlive ? nil : "no process runs", by: initiator)
      endProcess()
    case .leap(let duration):
      clock.advance(to: now + duration)
      record(act, by: initiator)
    case .configure(let constants):
      self.constants = constants
      process?.core.configure(InitOptions(constants), DeliveryConfiguration(constants))
      record(act, by: initiator)
      journal.add(DeliveryMetrics.configuration, constants)
    }
  }

  /// Makes a call that the client records itself.
  private func tell(_ call: Call, _ act: DeliverySimulationAct, by initiator: DeliveryInitiator) {
    guard isAlive else { return record(act, refused: "no process runs", by: initiator) }
    self.call(call, by: initiator)
  }

  private func make(_ event: SimulatedEvent, by initiator: DeliveryInitiator) {
    record(.event(event), refused: isAlive ? nil : "no process runs", by: initiator)
    guard isAlive else { return }
    for _ in 0..<event.count { make(event.kind, name: event.name, by: initiator) }
  }

  private func make(_ kind: EventDraft.Kind, name: String?, by initiator: DeliveryInitiator) {
    let draft = app.event(kind, name: name)
    call(.event(draft, leftOut: 0, at: clock.wallTime), by: initiator)
  }

  private func set(_ setting: EndpointFaultSetting, by initiator: DeliveryInitiator) {
    let before = endpoint.faults.set(setting)
    journal.add(
      DeliveryMetrics.fault,
      DeliveryFault(
        fault: setting.fault.rawValue, amount: setting.amount, unit: setting.fault.measure.unit,
        probability: setting.probability, scope: setting.scope.rawValue, on: setting.isOn, branch: branch,
        step: process?.core.step.step ?? 0, engineTime: now / .seconds(1), by: initiator))
    switch setting.fault {
    case .clockSkew: clock.skew(by: .milliseconds(setting.isOn ? Int64(setting.amount * 1000) : 0))
    case .diskFull: disk.refuseWrites(setting.isOn ? setting.probability : 0)
    case .offline where setting.isOn != before.isOn:
      if setting.isOn { cutExchange() }
      call(.networkChanged(isOnline: !setting.isOn), by: .app)
    default: break
    }
  }

  /// Records an act that is invisible to the client, or looks different to it.
  func record(
    _ act: DeliverySimulationAct, refused: String? = nil, by initiator: DeliveryInitiator
  ) {
    var argument: String?
    switch act {
    case .event(let event): argument = event.count == 1 ? nil : String(event.count)
    case .generate(let perMinute): argument = "\(Decimals.text(perMinute)) a minute"
    case .configure(let constants): argument = constants.json5
    case .leap(let duration): argument = "\(ScenarioText.seconds(duration)) s"
    default: break
    }
    journal.add(
      DeliveryMetrics.act,
      DeliveryAct(
        act: act.name, argument: argument, refused: refused, branch: branch,
        step: process?.core.step.step ?? 0, engineTime: now / .seconds(1), by: initiator))
  }
}

extension DeliverySimulationAct {
  /// The recorded name.
  var name: String {
    switch self {
    case .fault: "fault"
    case .clearFaults: "clearFaults"
    case .event(let event): event.kind.rawValue
    case .generate: "generate"
    case .flush: "flush"
    case .sendRefusedAgain: "sendRefusedAgain"
    case .background: "enterBackground"
    case .foreground: "enterForeground"
    case .reset: "reset"
    case .start: "start"
    case .terminate: "terminate"
    case .kill: "kill"
    case .leap: "leap"
    case .configure: "configure"
    }
  }
}
