import DeliveryCore
package import Foundation

/// The machine's time, sped up so that waits of seconds take milliseconds.
package struct HurriedClock: DeliveryClock {
  private let start = ContinuousClock.now
  private let speed: Int

  package init(speed: Int) { self.speed = speed }

  package var now: Duration { (ContinuousClock.now - start) * speed }
  package var wallTime: Date { Date() }

  package func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: start + deadline / speed)
  }
}
