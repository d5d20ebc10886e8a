import DeliveryCore
package import DeliverySimulation
package import Essentials
import SimulationKit

/// The delivery of the sample app's events: the real delivery client in an endless simulation.
package enum DemoDelivery {
  /// A fault, or an action of the app, that lasts for a while.
  struct Incident: Sendable {
    let begin: [DeliverySimulationAct]
    let end: [DeliverySimulationAct]
    let seconds: Double

    init(_ begin: DeliverySimulationAct..., end: [DeliverySimulationAct], seconds: Double) {
      self.begin = begin
      self.end = end
      self.seconds = seconds
    }

    /// A fault that ends after a while.
    init(_ setting: EndpointFaultSetting, seconds: Double) {
      self.init(.fault(setting), end: [.fault(setting.with(isOn: false))], seconds: seconds)
    }
  }

  /// The incidents, repeated in this order.
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
    // Coincides with the failing endpoint of the story.
    Incident(EndpointFaultSetting(.serverError, amount: 503), seconds: 30),
    Incident(EndpointFaultSetting(.status, amount: 400, probability: 0.5), seconds: 30),
  ]

  /// Seconds between the starts of two incidents.
  private static let slot = 75.0
  /// Seconds before the first incident, later than the first one of the sync engine.
  private static let first = 55.0
  /// Incidents end after two days; no one watches a demo for longer.
  private static let slots = 2_304

  /// A scenario without an end.
  ///
  /// - Parameters:
  ///   - seed: Makes this run different from others.
  ///   - start: The calendar date at which it begins.
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
