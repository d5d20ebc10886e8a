import Foundation
import MisterMetricsCore
import SimulationKit

@testable import DeliveryCore
@testable import DeliverySimulation

/// Somebody who does anything at any time: acts by hand of every kind, single steps, waits to odd moments.
struct RandomDriver {
  private var random: SimulationRandom

  init(seed: UInt64) {
    random = SimulationRandom(seed: seed, stream: 77)
  }

  /// Does so many things to a simulation.
  mutating func play(_ simulation: DeliverySimulation, rounds: Int) {
    for _ in 0..<rounds {
      switch number(12) {
      case 0...3: simulation.perform(byHand: act())
      case 4: simulation.run(steps: number(12))
      case 5: simulation.step()
      case 6...8: simulation.run(until: simulation.now + .seconds(random.unit() * 15))
      case 9: simulation.advance(to: simulation.now + .seconds(random.unit()))
      case 10: simulation.undoFault()
      default:
        simulation.setRunning(random.chance(0.5))
        simulation.setSpeed(SimulationSpeed.ladder[number(SimulationSpeed.ladder.count)])
      }
    }
  }

  /// Anything that can be done.
  mutating func act() -> DeliverySimulationAct {
    switch number(23) {
    case 0...4: .fault(setting())
    case 5: .clearFaults
    case 6...8: .event(event())
    case 9: .generate(perMinute: random.unit() * 600)
    case 10: .generate(perMinute: 0)
    case 11: .flush
    case 12: .background
    case 13: .foreground
    case 14: .reset
    // Something runs most of the time.
    case 15...17: .start
    case 18: .terminate
    case 19: .kill
    case 20: .sendRefusedAgain
    case 21: .leap(.seconds(random.unit() * 40))
    default: .configure(constants())
    }
  }

  /// A fault that is likely to be an outage, with amounts that are no round numbers.
  mutating func setting() -> EndpointFaultSetting {
    let all = EndpointFault.allCases
    let fault = random.chance(0.3) ? .serverError : random.chance(0.2) ? .offline : all[number(all.count)]
    let range = fault.measure.range
    let share = random.unit() * random.unit() * random.unit()
    let amount = range.lowerBound + share * (min(range.upperBound, 2_000) - range.lowerBound)
    return EndpointFaultSetting(
      fault, amount: random.chance(0.5) ? nil : amount, probability: random.chance(0.5) ? 1 : random.unit(),
      scope: EndpointFaultScope.allCases[number(3)], isOn: random.chance(0.6))
  }

  private mutating func event() -> SimulatedEvent {
    let kinds: [EventDraft.Kind] = [.track, .identify, .group, .screen, .page, .alias]
    return SimulatedEvent(
      kinds[number(kinds.count)], name: random.chance(0.3) ? "\"x\" \\" : nil, count: 1 + number(60))
  }

  private mutating func constants() -> DeliveryConstants {
    var constants = DeliveryConstants()
    constants.batchSize = 1 + number(50)
    constants.flushIntervalSeconds = 1 + number(20)
    constants.maxQueueEvents = 1 + number(200)
    constants.maxDiskEvents = number(400)
    constants.diskFlushEvents = 1 + number(100)
    constants.breakerFailures = 1 + number(5)
    constants.breakerSeconds = 1 + number(30)
    constants.trackLifecycleEvents = random.chance(0.5)
    return constants
  }

  mutating func number(_ count: Int) -> Int { random.place(in: count) }
}

extension DeliveryScenario {
  /// A scenario with much going on, for ever or for that long.
  static func busy(seed: UInt64, seconds: Int? = nil) -> DeliveryScenario {
    var scenario = DeliveryScenario(
      name: "busy", title: "Busy", seed: seed, start: Date(timeIntervalSinceReferenceDate: 800_000_000.25),
      duration: seconds.map { .seconds($0) })
    scenario.options.trackLifecycleEvents = seed % 2 == 0
    scenario.acts = [
      DeliveryTimedAct(at: .zero, .fault(EndpointFaultSetting(.jitter, amount: 40))),
      DeliveryTimedAct(at: .zero, .generate(perMinute: 90)),
      DeliveryTimedAct(at: .seconds(9), .fault(EndpointFaultSetting(.serverError, probability: 0.7))),
      DeliveryTimedAct(at: .milliseconds(20_123), .event(SimulatedEvent(.track, count: 30))),
      DeliveryTimedAct(at: .seconds(40), .fault(EndpointFaultSetting(.serverError, isOn: false))),
      DeliveryTimedAct(at: .seconds(50), .fault(EndpointFaultSetting(.dropReply, probability: 0.4))),
      DeliveryTimedAct(at: .seconds(70), .fault(EndpointFaultSetting(.offline))),
      DeliveryTimedAct(at: .seconds(80), .fault(EndpointFaultSetting(.offline, isOn: false))),
    ]
    return scenario
  }

  /// A scenario of a test: nothing happens unless it says so.
  static func quiet(_ acts: [DeliveryTimedAct] = [], seconds: Int? = 600) -> DeliveryScenario {
    var scenario = DeliveryScenario(
      name: "quiet", title: "Quiet", seed: 1, start: Date(timeIntervalSinceReferenceDate: 800_000_000),
      duration: seconds.map { .seconds($0) })
    scenario.acts = acts
    return scenario
  }
}
