package import Essentials
import SimulationKit
import Sync
package import SyncSimulation

/// The sample app's sync with its server: the real engine in an endless simulation.
package enum DemoSync {
  /// A fault that lasts for a while.
  struct Incident: Sendable {
    let setting: FaultSetting
    let seconds: Double
  }

  /// The incidents, repeated in this order.
  static let incidents = [
    // Repeated as the tenth incident, during the sync storm of the story.
    Incident(setting: FaultSetting(.rateLimit, probability: 0.9, scope: FaultScope(.push)), seconds: 45),
    Incident(setting: FaultSetting(.latency, amount: 1_500, probability: 0.7), seconds: 40),
    Incident(setting: FaultSetting(.offline), seconds: 25),
    Incident(
      setting: FaultSetting(.dropReply, amount: 4, probability: 0.5, scope: FaultScope(.push)), seconds: 40),
    Incident(setting: FaultSetting(.serverError, amount: 503), seconds: 35),
    Incident(setting: FaultSetting(.partialBatch, amount: 60, scope: FaultScope(.push)), seconds: 45),
    Incident(setting: FaultSetting(.loginPage), seconds: 20),
    Incident(
      setting: FaultSetting(.disconnect, amount: 0.05, probability: 0.6, scope: FaultScope(.pull)),
      seconds: 35),
    Incident(setting: FaultSetting(.bandwidth, amount: 2), seconds: 30),
  ]

  /// Local changes per minute.
  private static let usualRate = 40.0
  private static let stormRate = 240.0
  /// Seconds between the starts of two incidents.
  private static let slot = 75.0
  /// Seconds before the first incident.
  private static let first = 32.0
  /// Incidents end after two days; no one watches a demo for longer.
  private static let slots = 2_304

  /// A scenario without an end.
  ///
  /// - Parameters:
  ///   - seed: Makes this run different from others.
  ///   - start: The calendar date at which it begins.
  package static func scenario(seed: UInt64, start: Date) -> Scenario {
    var scenario = Scenario(
      name: "demo", title: "The sample app",
      story:
        "Changes on the device and by others, runs after each of them, and an incident every 75 seconds: "
        + "the sync engine of the sample app, without end.",
      seed: seed, start: start, duration: nil)
    scenario.isSettled = true
    scenario.content = [
      .init(kind: "eventType", count: 6), .init(kind: "geofence", count: 4), .init(kind: "event", count: 300),
      .init(kind: "propertyDefinition", count: 8),
    ]
    scenario.acts = [
      TimedAct(at: .zero, .fault(FaultSetting(.jitter, amount: 40))),
      TimedAct(at: .zero, .trigger(every: .seconds(20), afterChanges: true)),
      TimedAct(at: .zero, .generate(isRemote: false, perMinute: usualRate)),
      TimedAct(at: .zero, .generate(isRemote: true, perMinute: 30)),
    ]
    var random = SimulationRandom(seed: seed, stream: 6)
    for number in 0..<slots {
      let incident = incidents[number % incidents.count]
      let begin = ((first + Double(number) * slot + random.unit() * 12) * 1000).rounded() / 1000
      scenario.acts.append(TimedAct(at: .seconds(begin), .fault(incident.setting)))
      scenario.acts.append(
        TimedAct(at: .seconds(begin + incident.seconds), .fault(incident.setting.with(isOn: false))))
    }
    for storm in DemoStory.storms(until: Double(slots) * slot) {
      scenario.acts += [(storm.start, stormRate), (storm.end, usualRate)].map { moment, perMinute in
        TimedAct(at: .seconds(moment), .generate(isRemote: false, perMinute: perMinute))
      }
    }
    scenario.acts = scenario.acts.inOrder()
    return scenario
  }
}
