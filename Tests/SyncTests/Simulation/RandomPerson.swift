import Foundation
import MisterMetricsCore
import SimulationKit

@testable import Sync
@testable import SyncSimulation

/// Somebody who does anything at any time: acts by hand of every kind, single steps, waits to odd moments.
struct RandomPerson {
  private var random: SimulationRandom

  init(seed: UInt64) {
    random = SimulationRandom(seed: seed, stream: 77)
  }

  /// Does so many things to a simulation.
  mutating func play(_ simulation: Simulation, rounds: Int) {
    for _ in 0..<rounds {
      switch number(12) {
      case 0...3: simulation.perform(byHand: act())
      case 4: simulation.run(steps: number(12))
      case 5: simulation.step()
      case 6, 7: simulation.run(until: simulation.now + .seconds(random.unit() * 15))
      case 8: simulation.advance(to: simulation.now + .seconds(random.unit()))
      case 9: simulation.undoFault()
      case 10 where simulation.scenario.duration != nil: simulation.runToNextTransition()
      default:
        simulation.setRunning(random.chance(0.5))
        simulation.setSpeed(Simulation.speeds[number(Simulation.speeds.count)])
      }
    }
  }

  /// Anything that can be done.
  mutating func act() -> SimulationAct {
    switch number(20) {
    case 0...4: .fault(setting())
    case 5: .clearFaults
    case 6, 7: .change(change())
    case 8: .remoteChange(change())
    case 9: .generate(isRemote: random.chance(0.5), perMinute: random.unit() * 100)
    case 10: .generate(isRemote: random.chance(0.5), perMinute: 0)
    case 11: .trigger(every: .seconds(1 + random.unit() * 30), afterChanges: random.chance(0.5))
    case 12: .requestSync
    case 13: .resetBreaker
    case 14: .clearPending
    case 15: .forceResync
    case 16: .skipToLatest
    case 17: .resetStore
    case 18: .leap(.seconds(random.unit() * 40))
    default: .configure(configuration())
    }
  }

  /// A fault that is likely to be a limit, with amounts that are no round numbers.
  mutating func setting() -> FaultSetting {
    let all = SimulatedFault.allCases
    let fault = random.chance(0.4) ? .rateLimit : all[number(all.count)]
    let range = fault.measure.range
    let share = random.unit() * random.unit() * random.unit()
    let amount = range.lowerBound + share * (min(range.upperBound, 2_000) - range.lowerBound)
    let calls: [SimulatedCall?] = [nil] + SimulatedCall.allCases
    return FaultSetting(
      fault, amount: random.chance(0.5) ? nil : amount, probability: random.chance(0.5) ? 1 : random.unit(),
      scope: FaultScope(calls[number(calls.count)], kind: random.chance(0.2) ? "event" : nil),
      isOn: random.chance(0.7))
  }

  mutating func change() -> SimulatedChange {
    let kinds = SyncDomain.sample.kinds.map(\.name)
    let operations: [Mutation.Operation] = [.create, .update, .delete]
    return SimulatedChange(
      operations[number(3)], kind: kinds[number(kinds.count)], count: 1 + number(4),
      isPoison: random.chance(0.1))
  }

  private mutating func configuration() -> SyncConfiguration {
    var configuration = SyncConfiguration()
    configuration.batchSize = 1 + number(5)
    configuration.attempts = 1 + number(4)
    configuration.changePage = 1 + number(50)
    return configuration
  }

  mutating func number(_ count: Int) -> Int { random.place(in: count) }

  /// A text with everything that needs care in a file.
  mutating func text() -> String {
    let pieces = [
      "a", "word", " ", "  ", "\"", "'", "\\", "\n", "\r\n", "\r", "\t", "\u{1}", "\u{1B}[31m", "\u{7F}",
      "\u{85}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{FEFF}", "\u{E0001}", "e\u{301}", "👩‍👩‍👧", "//", "/*",
      "*/",
      "{", "\\u0041", "\\n", "\u{FFFF}",
    ]
    return (0...number(60)).map { _ in pieces[number(pieces.count)] }.joined()
  }
}

extension Scenario {
  /// A scenario with much going on, for ever or for that long.
  static func busy(seed: UInt64, seconds: Int? = nil) -> Scenario {
    var scenario = Scenario(
      name: "busy", title: "Busy", seed: seed, start: Date(timeIntervalSinceReferenceDate: 800_000_000.25),
      duration: seconds.map { .seconds($0) })
    scenario.isSettled = seed % 3 != 0
    scenario.content = [.init(kind: "eventType", count: 3), .init(kind: "event", count: 30)]
    scenario.acts = [
      TimedAct(at: .zero, .fault(FaultSetting(.jitter, amount: 40))),
      TimedAct(at: .zero, .trigger(every: .seconds(8), afterChanges: true)),
      TimedAct(at: .zero, .generate(isRemote: false, perMinute: 20)),
      TimedAct(at: .zero, .generate(isRemote: true, perMinute: 10)),
      TimedAct(at: .seconds(9), .fault(FaultSetting(.rateLimit, probability: 0.7, scope: FaultScope(.push)))),
      TimedAct(at: .milliseconds(20_123), .change(SimulatedChange(.create, kind: "event", count: 3))),
      TimedAct(at: .seconds(40), .fault(FaultSetting(.rateLimit, isOn: false))),
      TimedAct(at: .seconds(70), .fault(FaultSetting(.offline))),
      TimedAct(at: .seconds(80), .fault(FaultSetting(.offline, isOn: false))),
    ]
    return scenario
  }
}
