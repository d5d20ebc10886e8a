public import Essentials
import Platform
public import Sync

/// A clock that stands still until it is moved to the next moment at which something waits.
///
/// It never moves by itself and knows nothing of real time: who lets a simulation run paces it.
public final class SimulationClock: SyncClock {
  private struct Sleeper {
    let deadline: Duration
    let order: Int
    let purpose: String
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var skew = Duration.zero
    var orders = 0
    var isClosed = false
    var cancelled: Set<Int> = []
    /// Sorted by deadline, the soonest last; those of one moment in the order in which they came.
    var sleepers: [Sleeper] = []
  }

  /// The moment of the calendar at which the simulation starts.
  public let start: Date
  private let state = Locked(State())

  /// A clock that stands at its start.
  public init(start: Date) {
    self.start = start
  }

  /// The time since the start of the simulation.
  public var now: Duration { state.withLock { $0.now } }

  /// The calendar as the simulated device sees it: skewed where a fault skews it.
  public var wallTime: Date {
    state.withLock { start.addingTimeInterval(($0.now + $0.skew) / .seconds(1)) }
  }

  /// The calendar as the record sees it: the start and the engine's time, without skew.
  public var recordTime: Date { start.addingTimeInterval(now / .seconds(1)) }

  /// Waits until the simulation has come to `deadline`.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Duration, for purpose: String) async throws {
    let order = state.withLock { state in
      state.orders += 1
      return state.orders
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        park(Sleeper(deadline: deadline, order: order, purpose: purpose, continuation: continuation))
      }
    } onCancel: {
      cancel(order)
    }
  }

  private func park(_ sleeper: Sleeper) {
    let isCancelled = state.withLock { state in
      if state.cancelled.remove(sleeper.order) != nil || state.isClosed { return true }
      let place = state.sleepers.partitioningIndex {
        ($0.deadline, $0.order) < (sleeper.deadline, sleeper.order)
      }
      state.sleepers.insert(sleeper, at: place)
      return false
    }
    if isCancelled { sleeper.continuation.resume(throwing: CancellationError()) }
  }

  private func cancel(_ order: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let place = state.sleepers.firstIndex(where: { $0.order == order }) else {
        state.cancelled.insert(order)
        return nil
      }
      return state.sleepers.remove(at: place)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// The next thing to happen, and when; `nil` when nothing waits.
  public var next: (at: Duration, purpose: String)? {
    state.withLock { state in state.sleepers.last.map { (max($0.deadline, state.now), $0.purpose) } }
  }

  /// When what happens next was due, which a leap may have left behind.
  var nextDeadline: Duration? { state.withLock { $0.sleepers.last?.deadline } }

  /// Moves to the next moment at which something waits and wakes one sleeper.
  ///
  /// - Returns: Whether there was one.
  func wakeNext() -> Bool {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let sleeper = state.sleepers.popLast() else { return nil }
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
    sleeper?.continuation.resume()
    return sleeper != nil
  }

  /// Ends the simulation: whoever waits, or would wait from now on, is cancelled.
  func close() {
    let sleepers = state.withLock { state in
      state.isClosed = true
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
  }

  /// Moves on to a moment before the next one at which something waits.
  func advance(to moment: Duration) {
    state.withLock { state in
      let limit = state.sleepers.last?.deadline ?? moment
      state.now = max(state.now, min(moment, limit))
    }
  }

  /// Lets time leap, as when a device was asleep: what was due meanwhile happens afterwards, in order.
  func leap(by duration: Duration) {
    state.withLock { $0.now += max(.zero, duration) }
  }

  /// Puts the calendar of the device ahead, or behind; the engine's time stays.
  func skew(by duration: Duration) {
    state.withLock { $0.skew = duration }
  }
}

extension Array {
  /// The first place whose element fulfils `belongsAfter`, in an array where those that do come last.
  fileprivate func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
