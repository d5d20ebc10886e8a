import DeliveryCore
import Platform
import SimulationKit

/// The disk of a simulated device: outlives processes, and refuses writes under a fault.
final class SimulatedDisk: EventStorage {
  private struct State {
    var events: [QueuedEvent] = []
    var random: SimulationRandom
    /// Probability that a write is refused.
    var refusal = 0.0
  }

  private let state: Locked<State>

  init(random: SimulationRandom) {
    state = Locked(State(random: random))
  }

  var count: Int { state.withLock { $0.events.count } }

  /// The ids of the stored events, oldest first.
  var ids: [String] { state.withLock { $0.events.map(\.messageID) } }

  /// Sets the probability that a write is refused.
  func refuseWrites(_ probability: Double) {
    state.withLock { $0.refusal = probability }
  }

  func takeDamage() -> StorageDamage { StorageDamage() }

  func append(_ events: [QueuedEvent]) throws(StorageFailure) {
    try write { $0 += events }
  }

  func prepend(_ events: [QueuedEvent]) throws(StorageFailure) {
    try write { $0 = events + $0 }
  }

  private func write(_ change: (inout [QueuedEvent]) -> Void) throws(StorageFailure) {
    try state.withLock { state throws(StorageFailure) in
      if state.refusal > 0, state.refusal >= 1 || state.random.chance(state.refusal) {
        throw StorageFailure("no space left on device")
      }
      change(&state.events)
    }
  }

  func first(_ limit: Int) -> [QueuedEvent] {
    state.withLock { Array($0.events.prefix(limit)) }
  }

  func removeFirst(_ count: Int) {
    state.withLock { $0.events.removeFirst(min(count, $0.events.count)) }
  }

  func removeAll() {
    state.withLock { $0.events = [] }
  }
}
