import Codecs
package import DeliveryCore
public import SimulationKit

/// A scenario for the delivery client: its constants, timed acts, and the expected decisions.
public typealias DeliveryScenario = DrivenScenario<DeliveryWorld>

/// An act at a moment of a scenario.
package typealias DeliveryTimedAct = DrivenTimedAct<DeliverySimulationAct>

/// The parts of a delivery scenario other than its head and its acts.
public struct DeliverySetup: ScenarioSetup {
  /// The constants of the client.
  package var options = DeliveryConstants()

  /// The default setup.
  public init() {}
}

/// An act in a simulation of the delivery client, by the script or by hand.
public enum DeliverySimulationAct: Hashable, Sendable {
  /// Sets a fault, on or off.
  case fault(DrivenFaultSetting<EndpointFault>)
  /// Switches off all faults.
  case clearFaults
  /// The app creates events of one type.
  case event(SimulatedEvent)
  /// Starts random events at an average rate per minute; 0 stops them.
  case generate(perMinute: Double)
  /// The app requests a flush.
  case flush
  /// The app sends the events again that the endpoint refused.
  case sendRefusedAgain
  /// The app goes to the background.
  case background
  /// The app comes to the foreground.
  case foreground
  /// The app resets the client; the next start initializes it again.
  case reset
  /// The app initializes the client, in a new process if none is running.
  case start
  /// The process terminates normally.
  case terminate
  /// The process is killed.
  case kill
  /// Puts the device to sleep for a duration.
  case leap(Duration)
  /// Changes the constants of the client.
  case configure(DeliveryConstants)
}

/// Events of one type created by the app.
public struct SimulatedEvent: Hashable, Sendable {
  /// The type.
  package let kind: EventDraft.Kind
  /// The name or id; `nil` for one of the sample app's.
  package let name: String?
  /// Number of events.
  package let count: Int

  /// Valid numbers of events in one act.
  static let counts = 1...100_000

  /// Events of a type; the count is clamped to its range.
  package init(_ kind: EventDraft.Kind, name: String? = nil, count: Int = 1) {
    self.kind = kind
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
  }
}

extension DeliverySimulationAct: DrivenAct {
  /// The fault setting of the act, if it sets one.
  public var faultSetting: DrivenFaultSetting<EndpointFault>? {
    if case .fault(let setting) = self { setting } else { nil }
  }

  /// Valid rates of events per minute; 0 stops them.
  static let rates = 0.0...6_000
  /// Valid durations of sleep, in seconds.
  static let leaps = 0.0...366 * 86_400

  /// The act with its values clamped to their ranges; NaN becomes the lower bound.
  public var bounded: DeliverySimulationAct {
    switch self {
    case .generate(let perMinute):
      .generate(perMinute: perMinute > 0 ? min(perMinute, Self.rates.upperBound) : 0)
    case .leap(let duration): .leap(duration.bounded(to: Self.leaps))
    default: self
    }
  }

  /// A short description of the act.
  package var words: String {
    switch self {
    case .fault(let setting): "fault \(setting.fault.words) \(setting.isOn ? "on" : "off")"
    case .clearFaults: "all faults off"
    case .event(let event): event.words
    case .generate(let perMinute): "events: \(Decimals.text(perMinute)) a minute"
    case .flush: "flush"
    case .sendRefusedAgain: "send set-aside events again"
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
  /// A short description of the events.
  package var words: String {
    kind.rawValue + (count == 1 ? "" : " \(count) ×") + (name.map { " \($0)" } ?? "")
  }
}
