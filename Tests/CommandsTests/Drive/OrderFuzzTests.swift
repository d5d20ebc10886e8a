import DeliveryCore
import DeliverySimulation
import Sync
import SyncSimulation
import TestSupport
import Testing

@testable import Commands

@Suite("Orders at random")
struct OrderFuzzTests {
  /// Changes all the time, and now and then something that goes wrong.
  private static var busy: Scenario {
    var scenario = Scenario.quiet(acts: [
      TimedAct(at: .zero, .fault(FaultSetting(.jitter, amount: 40))),
      TimedAct(at: .zero, .trigger(every: .seconds(9), afterChanges: true)),
      TimedAct(at: .zero, .generate(isRemote: false, perMinute: 10)),
      TimedAct(at: .seconds(40), .fault(FaultSetting(.rateLimit, scope: FaultScope(.push)))),
      TimedAct(at: .seconds(90), .fault(FaultSetting(.rateLimit, isOn: false))),
    ])
    scenario.name = "busy"
    return scenario
  }

  private static func act(_ random: inout SeededGenerator) -> SimulationAct {
    let change = SimulatedChange(
      [.create, .update, .delete].randomElement(using: &random) ?? .create, kind: "event",
      count: Int.random(in: 1...5, using: &random), isPoison: Int.random(in: 0..<4, using: &random) == 0)
    let acts: [SimulationAct] = [
      .change(change), .remoteChange(change), .requestSync, .resetBreaker, .clearPending, .forceResync,
      .skipToLatest, .resetStore, .clearFaults, .leap(.seconds(Int.random(in: 1...400, using: &random))),
      .generate(
        isRemote: Bool.random(using: &random), perMinute: Double(Int.random(in: 0...20, using: &random))),
      .trigger(
        every: .seconds(Int.random(in: 1...30, using: &random)), afterChanges: Bool.random(using: &random)),
      .fault(FaultSetting(.rateLimit, probability: 0.5)),
    ]
    return acts.randomElement(using: &random) ?? .requestSync
  }

  @Test(arguments: 1...UInt64(trials(1, long: 12)))
  func `Every entry of the sync engine is written once and in order, whatever is wanted`(seed: UInt64)
    async throws
  {
    let fuzz = OrderFuzz<SyncWorld>(
      scenario: Self.busy, stories: ["rate-limit-storm", "healthy-day", "busy", "none"], act: Self.act)
    try await fuzz.check(seed: seed)
  }

  /// Events all the time, and now and then something that goes wrong.
  private static var chatty: DeliveryScenario {
    var scenario = DeliveryScenario.quiet(acts: [
      DeliveryTimedAct(at: .zero, .fault(EndpointFaultSetting(.jitter, amount: 40))),
      DeliveryTimedAct(at: .zero, .generate(perMinute: 60)),
      DeliveryTimedAct(at: .seconds(40), .fault(EndpointFaultSetting(.serverError))),
      DeliveryTimedAct(at: .seconds(90), .fault(EndpointFaultSetting(.serverError, isOn: false))),
    ])
    scenario.name = "chatty"
    return scenario
  }

  private static func deliveryAct(_ random: inout SeededGenerator) -> DeliverySimulationAct {
    var constants = DeliveryConstants()
    constants.batchSize = Int.random(in: 1...30, using: &random)
    let acts: [DeliverySimulationAct] = [
      .event(SimulatedEvent(.track, count: Int.random(in: 1...50, using: &random))),
      .event(SimulatedEvent(.identify)), .flush, .sendRefusedAgain, .background, .foreground, .reset, .start,
      .start, .terminate,
      .kill, .clearFaults, .leap(.seconds(Int.random(in: 1...400, using: &random))),
      .generate(perMinute: Double(Int.random(in: 0...120, using: &random))), .configure(constants),
      .fault(EndpointFaultSetting(.serverError, probability: 0.5)),
    ]
    return acts.randomElement(using: &random) ?? .flush
  }

  @Test(arguments: 1...UInt64(trials(1, long: 12)))
  func `Every entry of the delivery client is written once and in order, whatever is wanted`(seed: UInt64)
    async throws
  {
    let fuzz = OrderFuzz<DeliveryWorld>(
      scenario: Self.chatty, stories: ["tunnel", "revoked-key", "chatty", "none"], act: Self.deliveryAct)
    try await fuzz.check(seed: seed)
  }
}
