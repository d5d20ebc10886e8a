import DeliveryCore
import Essentials
import Platform

/// A clock that stands still until the simulation moves it.
final class DeliverySimulationClock: DeliveryClock {
  private struct State {
    var now = Duration.zero
    var skew = Duration.zero
  }

  /// The calendar time at the start of the simulation.
  let start: Date
  private let state = Locked(State())

  init(start: Date) {
    self.start = start
  }

  var now: Duration { state.withLock { $0.now } }

  /// The calendar of the simulated device, including the skew set by a fault.
  var wallTime: Date {
    state.withLock { start.addingTimeInterval(($0.now + $0.skew) / .seconds(1)) }
  }

  /// The calendar of the record and the endpoint, without skew.
  var recordTime: Date { start.addingTimeInterval(now / .seconds(1)) }

  /// Never called to wait: the simulation asks the client for its deadlines instead.
  func sleep(until deadline: Duration) async throws { throw CancellationError() }

  /// Advances to a moment; never moves back.
  func advance(to moment: Duration) {
    state.withLock { $0.now = max($0.now, moment) }
  }

  /// Sets the skew of the device's calendar.
  func skew(by duration: Duration) {
    state.withLock { $0.skew = duration }
  }
}
