public import Essentials
import Platform
public import Sync

/// A clock that stands still until it is moved to the next moment for which something waits.
///
/// It is independent of real time: the caller of the simulation sets its pace.
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
    /// Sorted by deadline, soonest last; equal deadlines in order of arrival.
    var sleepers: [Sleeper] = []
  }

  /// The calendar time at the start of the simulation.
  public let start: Date
  private let state = Locked(State())

  /// A clock at its start.
  public init(start: Date) {
    self.start = start
  }

  /// The time since the start of the simulation.
  public var now: Duration { state.withLock { $0.now } }

  /// The calendar of the simulated device, including the skew set by a fault.
  public var wallTime: Date {
    state.withLock { start.addingTimeInterval(($0.now + $0.skew) / .seconds(1)) }
  }

  /// The calendar of the record: the start plus the engine's time, without skew.
  public var recordTime: Date { start.addingTimeInterval(now / .seconds(1)) }

  /// Waits until the simulation reaches `deadline`.
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

  /// The next event and its time; `nil` if nothing waits.
  public var next: (at: Duration, purpose: String)? {
    state.withLock { state in state.sleepers.last.map { (max($0.deadline, state.now), $0.purpose) } }
  }

  /// The deadline of the next event, which may be in the past after a leap.
  var nextDeadline: Duration? { state.withLock { $0.sleepers.last?.deadline } }

  /// Moves to the next deadline and wakes one sleeper.
  ///
  /// - Returns: True if there was one.
  func wakeNext() -> Bool {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let sleeper = state.sleepers.popLast() else { return nil }
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
    sleeper?.continuation.resume()
    return sleeper != nil
  }

  /// Ends the simulation: cancels all current and future sleepers.
  func close() {
    let sleepers = state.withLock { state in
      state.isClosed = true
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
  }

  /// Advances to a moment, but not past the next deadline.
  func advance(to moment: Duration) {
    state.withLock { state in
      let limit = state.sleepers.last?.deadline ?? moment
      state.now = max(state.now, min(moment, limit))
    }
  }

  /// Jumps ahead, as after a device's sleep: events that were due meanwhile happen afterwards, in order.
  func leap(by duration: Duration) {
    state.withLock { $0.now += max(.zero, duration) }
  }

  /// Sets the skew of the device's calendar; the engine's time is unaffected.
  func skew(by duration: Duration) {
    state.withLock { $0.skew = duration }
  }
}

extension Array {
  /// The first index whose element satisfies `belongsAfter`, in an array partitioned by it.
  fileprivate func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
