import DeliveryCore
import Foundation
import Platform

/// A clock that goes on when it is told to; whoever sleeps wakes up then.
final class TestDeliveryClock: DeliveryClock {
  private struct Sleeper {
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var wallTime: Date
    var sleepers: [Int: Sleeper] = [:]
    var nextID = 0
  }

  private let state: Locked<State>

  init(wallTime: Date = Date(timeIntervalSince1970: 1_790_000_000)) {
    state = Locked(State(wallTime: wallTime))
  }

  var now: Duration { state.withLock { $0.now } }
  var wallTime: Date { state.withLock { $0.wallTime } }
  /// How many wait for it.
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// The next moment that somebody sleeps until.
  var nextWake: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

  /// The calendar is changed; the time that deadlines are made of is not.
  func set(wallTime: Date) { state.withLock { $0.wallTime = wallTime } }

  func advance(by length: Duration) {
    let due = state.withLock { state -> [Sleeper] in
      state.now += length
      state.wallTime += length / .seconds(1)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  func sleep(until deadline: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
