import DeliveryCore
import DeliverySimulation

/// The acts a user can perform on a client, and the possible changes in another branch.
enum DeliveryActs {
  static let all = EngineActs<ClientState, DeliverySimulationAct>(
    all: choices, tunings: DeliveryTuning.all, of: \.constants, configure: { .configure($0) },
    first: [.flush, .sendRefusedAgain, .background, .foreground, .kill, .start, .terminate, .reset])

  @Sendable private static func choices(_ many: Int) -> [(title: String, act: DeliverySimulationAct)] {
    let kinds: [EventDraft.Kind] = [.track, .screen, .page, .identify, .group, .alias]
    var acts = kinds.map { DeliverySimulationAct.event(SimulatedEvent($0, count: many)) }
    acts += [
      .flush, .sendRefusedAgain, .background, .foreground, .reset, .start, .terminate, .kill, .clearFaults,
      .leap(.seconds(600)),
      .leap(.seconds(8 * 3600)), .leap(.seconds(8 * 86_400)),
    ]
    acts += [6.0, 60, 600, 0].map { .generate(perMinute: $0) }
    return acts.map { ($0.words, $0) }
  }
}
