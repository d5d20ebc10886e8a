import DeliveryCore
package import DeliverySimulation
package import Essentials
import SimulationKit

/// How the sample app's events leave the device: the real delivery client in an endless simulation.
package enum DemoDelivery {
  /// Something that goes wrong, or that the app does, for a while.
  struct Incident: Sendable {
    let begin: [DeliverySimulationAct]
    let end: [DeliverySimulationAct]
    let seconds: Double

    init(_ begin: DeliverySimulationAct..., end: [DeliverySimulationAct], seconds: Double) {
      self.begin = begin
      self.end = end
      self.seconds = seconds
    }

    /// A fault that goes away again.
    init(_ setting: EndpointFaultSetting, seconds: Double) {
      self.init(.fault(setting), end: [.fault(setting.with(isOn: false))], seconds: seconds)
    }
  }

  /// The incidents, in an order that repeats.
  static let incidents = [
    Incident(
      .fault(EndpointFaultSetting(.unauthorized, amount: 401)),
      end: [.fault(EndpointFaultSetting(.unauthorized, isOn: false)), .reset, .start], seconds: 30),
    Incident(EndpointFaultSetting(.offline), seconds: 35),
    Incident(EndpointFaultSetting(.tooLarge, amount: 4), seconds: 40),
    Incident(EndpointFaultSetting(.rateLimitRetryAfter, amount: 20, probability: 0.8), seconds: 40),
    Incident(.background, end: [.foreground], seconds: 20),
    Incident(EndpointFaultSetting(.dropReply, probability: 0.6), seconds: 40),
    Incident(
      .fault(EndpointFaultSetting(.offline)), .background, .kill,
      end: [.fault(EndpointFaultSetting(.offline, isOn: false)), .start], seconds: 25),
    Incident(EndpointFaultSetting(.bandwidth, amount: 0.5), seconds: 35),
    // This one falls into the chapter of the story in which an endpoint fails.
    Incident(EndpointFaultSetting(.serverError, amount: 503), seconds: 30),
    Incident(EndpointFaultSetting(.status, amount: 400, probability: 0.5), seconds: 30),
  ]

  /// Seconds from one incident to the next.
  private static let slot = 75.0
  /// Seconds to the first one, which begins later than that of the sync engine.
  private static let first = 55.0
  /// After two days nothing goes wrong any more; no one watches a demo for that long.
  private static let slots = 2_304

  /// A scenario without an end.
  ///
  /// - Parameters:
  ///   - seed: What makes this run different from others.
  ///   - start: The moment of the calendar at which it begins.
  package static func scenario(seed: UInt64, start: Date) -> DeliveryScenario {
    var scenario = DeliveryScenario(
      name: "demo", title: "The events of the sample app",
      story:
        "An event every two seconds or so, and an incident every 75 seconds: the analytics events of the sample app, "
        + "without end.",
      seed: seed, start: start, duration: nil)
    scenario.acts = [
      DeliveryTimedAct(at: .zero, .fault(EndpointFaultSetting(.jitter, amount: 40))),
      DeliveryTimedAct(at: .seconds(1), .event(SimulatedEvent(.identify, name: "user-1"))),
      DeliveryTimedAct(at: .zero, .generate(perMinute: 36)),
    ]
    var random = SimulationRandom(seed: seed, stream: 6)
    for number in 0..<slots {
      let incident = incidents[number % incidents.count]
      let begin = ((first + Double(number) * slot + random.unit() * 12) * 1000).rounded() / 1000
      for (moment, acts) in [(begin, incident.begin), (begin + incident.seconds, incident.end)] {
        scenario.acts += acts.map { DeliveryTimedAct(at: .seconds(moment), $0) }
      }
    }
    return scenario
  }
}
