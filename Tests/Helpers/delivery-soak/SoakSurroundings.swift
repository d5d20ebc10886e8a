import DeliveryCore
import Foundation
import MisterMetricsCore
import Platform

/// How much faster the client's time goes.
private let speed = 50

/// Time that goes faster than that of the machine; `TestDelivery` has the same, which needs a debug build.
struct FastClock: DeliveryClock {
  private let start = ContinuousClock.now

  var now: Duration { (ContinuousClock.now - start) * speed }
  var wallTime: Date { Date() }

  func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: start + deadline / speed)
  }
}

/// The transport of this system, whose deadlines are as much shorter.
struct FastTransport: DeliveryTransport {
  private let system = SystemTransport.make()

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    try await system.post(
      DeliveryRequest(
        url: request.url, headers: request.headers, body: request.body, timeout: request.timeout / speed))
  }
}

/// A network that comes and goes.
final class SoakNetwork: NetworkMonitor {
  private let changed = Locked<(@Sendable (Bool) -> Void)?>(nil)

  func start(_ changed: @escaping @Sendable (Bool) -> Void) { self.changed.withLock { $0 = changed } }
  func stop() { changed.withLock { $0 = nil } }
  func change(isOnline: Bool) { changed.withLock { $0 }?(isOnline) }
}

/// The sums of the client's own records.
final class EventAccount: MetricStore {
  struct State {
    var delivered = 0
    var attempts = 0
    var dropped: [String: Int] = [:]
    /// Events that wait, in memory, on disk and in flight.
    var left = 0
  }

  private let state = Locked(State())

  /// The sums once they add up, or as they are after a while: records are written by a task of their own.
  func whenComplete(_ count: Int) async -> State {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      let state = state.withLock { $0 }
      let sum = state.dropped.values.reduce(state.delivered + state.left, +)
      if sum == count || ContinuousClock.now >= deadline { return state }
      await Task.yield()
    }
  }

  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    switch value {
    case let batch as DeliveryBatch:
      state.withLock { state in
        state.attempts += 1
        if let status = batch.status, 200..<300 ~= status { state.delivered += batch.size }
      }
    case let drop as DeliveryDrop: state.withLock { $0.dropped[drop.cause, default: 0] += drop.count }
    case let queue as DeliveryQueue:
      state.withLock { $0.left = queue.memory + queue.disk + (queue.disk > 0 ? 0 : queue.inFlight) }
    default: break
    }
  }

  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }
  func sync() async throws {}
}
