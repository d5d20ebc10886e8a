import DeliveryCore
import Essentials
import Platform

/// A clock that stands still until the simulation moves it.
final class DeliverySimulationClock: DeliveryClock {
  private struct State {
    var now = Duration.zero
    var skew = Duration.zero
  }

  /// The moment of the calendar at which the simulation starts.
  let start: Date
  private let state = Locked(State())

  init(start: Date) {
    self.start = start
  }

  var now: Duration { state.withLock { $0.now } }

  /// The calendar as the simulated device sees it: skewed where a fault skews it.
  var wallTime: Date {
    state.withLock { start.addingTimeInterval(($0.now + $0.skew) / .seconds(1)) }
  }

  /// The calendar as the record and the endpoint see it: without skew.
  var recordTime: Date { start.addingTimeInterval(now / .seconds(1)) }

  /// No one waits in a simulation: the time that something is due is asked for.
  func sleep(until deadline: Duration) async throws { throw CancellationError() }

  /// Moves on; never back.
  func advance(to moment: Duration) {
    state.withLock { $0.now = max($0.now, moment) }
  }

  /// Puts the calendar of the device ahead, or behind.
  func skew(by duration: Duration) {
    state.withLock { $0.skew = duration }
  }
}
