import Codecs
package import DeliveryCore
public import SimulationKit

/// A story of the delivery client: how it is set up, what happens when, and which decisions follow.
public typealias DeliveryScenario = DrivenScenario<DeliveryWorld>

/// Something that happens at a moment of a scenario.
package typealias DeliveryTimedAct = DrivenTimedAct<DeliverySimulationAct>

/// The parts of a scenario of the delivery client besides its head and its acts.
public struct DeliverySetup: ScenarioSetup {
  /// The constants of the client.
  package var options = DeliveryConstants()

  /// The usual setup.
  public init() {}
}

/// An act in a simulation of the delivery client, by the script or by hand.
public enum DeliverySimulationAct: Hashable, Sendable {
  /// A fault is set, on or off.
  case fault(DrivenFaultSetting<EndpointFault>)
  /// Every fault is switched off.
  case clearFaults
  /// The app makes events of one type.
  case event(SimulatedEvent)
  /// From now on events come at random, so many a minute on average; 0 ends that.
  case generate(perMinute: Double)
  /// The app asks for a flush.
  case flush
  /// The app goes to the background.
  case background
  /// The app comes to the foreground.
  case foreground
  /// The app resets the client, and initializes it again with the next start.
  case reset
  /// The app initializes the client: a new process where none runs.
  case start
  /// The process ends in order.
  case terminate
  /// The process is killed.
  case kill
  /// The device sleeps for that long.
  case leap(Duration)
  /// The constants of the client change.
  case configure(DeliveryConstants)
}

/// Events of one type that an app makes.
public struct SimulatedEvent: Hashable, Sendable {
  /// The type.
  package let kind: EventDraft.Kind
  /// The name or the id; `nil` for one of the sample app's.
  package let name: String?
  /// How many.
  package let count: Int

  /// How many can be made at once.
  static let counts = 1...100_000

  /// Events; a number that is out of range is moved to its next end.
  package init(_ kind: EventDraft.Kind, name: String? = nil, count: Int = 1) {
    self.kind = kind
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
  }
}

extension DeliverySimulationAct: DrivenAct {
  /// The setting that it sets.
  public var faultSetting: DrivenFaultSetting<EndpointFault>? {
    if case .fault(let setting) = self { setting } else { nil }
  }

  /// How many events come in a minute; 0 for none any more.
  static let rates = 0.0...6_000
  /// How long a device sleeps, in seconds.
  static let leaps = 0.0...366 * 86_400

  /// The act with what it is about moved to the next end of what there is; what is no number is the lower end.
  public var bounded: DeliverySimulationAct {
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
