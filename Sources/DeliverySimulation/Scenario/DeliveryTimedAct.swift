import Codecs
import DeliveryCore
import SimulationKit

/// Something that happens at a moment of a scenario.
package struct DeliveryTimedAct: Hashable, Sendable {
  /// When, since the start, in whole milliseconds.
  package let at: Duration
  /// The act.
  package let act: DeliverySimulationAct
  /// True if a person did it: so it is recorded when it is played.
  package let isByHand: Bool

  /// An act at a moment; moment and amounts are moved to what a scenario's file can say.
  package init(at moment: Duration, _ act: DeliverySimulationAct, isByHand: Bool = false) {
    at = moment.roundedToMilliseconds
    self.act = act.bounded
    self.isByHand = isByHand
  }
}

extension DeliveryTimedAct: DrivenTimedAct {}

extension DeliverySimulationAct: DrivenAct {
  /// How many events come in a minute; 0 for none any more.
  static let rates = 0.0...6_000
  /// How long a device sleeps, in seconds.
  static let leaps = 0.0...366 * 86_400

  /// The act with what it is about moved to the next end of what there is; what is no number is the lower end.
  fileprivate var bounded: DeliverySimulationAct {
    switch self {
    case .generate(let perMinute):
      .generate(perMinute: perMinute > 0 ? min(perMinute, Self.rates.upperBound) : 0)
    case .leap(let duration): .leap(duration.bounded(to: Self.leaps))
    default: self
    }
  }

  /// The act in a few words.
  package var words: String {
    switch self {
    case .fault(let setting): "fault \(setting.fault.words) \(setting.isOn ? "on" : "off")"
    case .clearFaults: "all faults off"
    case .event(let event): event.words
    case .generate(let perMinute): "events: \(Decimals.text(perMinute)) a minute"
    case .flush: "flush"
    case .background: "to the background"
    case .foreground: "to the foreground"
    case .reset: "reset"
    case .start: "start"
    case .terminate: "end of the process"
    case .kill: "kill"
    case .leap(let duration): "asleep for \(ScenarioText.seconds(duration)) s"
    case .configure: "other constants"
    }
  }
}

extension SimulatedEvent {
  /// The events in a few words.
  package var words: String {
    kind.rawValue + (count == 1 ? "" : " \(count) ×") + (name.map { " \($0)" } ?? "")
  }
}
