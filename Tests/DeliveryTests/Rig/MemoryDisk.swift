import DeliveryCore
import Platform

/// A disk that forgets nothing, and refuses what it is told to refuse.
final class MemoryDisk: EventStorage {
  struct State {
    var events: [QueuedEvent] = []
    var damage = StorageDamage()
    var refusesWrites = false
    var refusesReads = false
    var refusesRemovals = false
    var writes = 0
    var openings = 0
  }

  let state = Locked(State())

  var events: [QueuedEvent] { state.withLock { $0.events } }
  var count: Int { state.withLock { $0.events.count } }
  /// How often something was stored.
  var writes: Int { state.withLock { $0.writes } }

  /// How often a client opened it.
  var openings: Int { state.withLock { $0.openings } }

  func open() -> MemoryDisk {
    state.withLock { $0.openings += 1 }
    return self
  }

  func takeDamage() -> StorageDamage {
    state.withLock { state in
      defer { state.damage = StorageDamage() }
      return state.damage
    }
  }

  func append(_ events: [QueuedEvent]) throws(StorageFailure) {
    try write { $0 += events }
  }

  func prepend(_ events: [QueuedEvent]) throws(StorageFailure) {
    try write { $0 = events + $0 }
  }

  private func write(_ change: (inout [QueuedEvent]) -> Void) throws(StorageFailure) {
    try state.withLock { state throws(StorageFailure) in
      if state.refusesWrites { throw StorageFailure("no space left") }
      state.writes += 1
      change(&state.events)
    }
  }

  func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent] {
    try state.withLock { state throws(StorageFailure) in
      if state.refusesReads { throw StorageFailure("cannot be read") }
      return Array(state.events.prefix(limit))
    }
  }

  func removeFirst(_ count: Int) throws(StorageFailure) {
    try state.withLock { state throws(StorageFailure) in
      if state.refusesRemovals { throw StorageFailure("read-only") }
      state.events.removeFirst(min(count, state.events.count))
    }
  }

  func removeAll() throws(StorageFailure) {
    try state.withLock { state throws(StorageFailure) in
      if state.refusesRemovals { throw StorageFailure("read-only") }
      state.events = []
    }
  }
}
