import DashboardCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation

@testable import Commands

/// A driver whose time is told and whose store can fail.
///
/// Nothing happens by itself: ``pass(_:)`` lets time pass and ``give(_:)`` gives orders.
struct DriverFixture<World: HostedWorld> {
  let clock: DriverClock
  let store = FailingStore()
  let notices = SimulatorNotices()
  let driver: SimulationDriver<World>

  init(_ scenario: DrivenScenario<World>, folder: String = "/nonexistent") throws {
    let clock = DriverClock()
    self.clock = clock
    driver = try SimulationDriver(
      playing: scenario, store: store, notices: notices, folder: folder, now: { clock.time },
      sleep: { try await Task.sleep(for: $0) })
  }

  /// The driver's sentences since the last time.
  func sentences() -> [String] { notices.take() }

  /// Lets time pass in turns as long as those that the driver asks for.
  func pass(_ seconds: Double) async {
    let end = clock.time + seconds
    while true {
      let wait = await driver.turn()
      guard let wait, clock.time + wait < end else { break }
      clock.time += wait
    }
    clock.time = end
    _ = await driver.turn()
  }

  /// Gives orders and lets the driver see them, all at once.
  func give(_ orders: SimulationOrder<World.Engine>...) async {
    for order in orders { driver.take(order) }
    _ = await driver.turn()
  }

  /// All values of a metric that were written, in order.
  func written<Value: MetricValue>(_ metric: Metric<Value>) throws -> [Value] {
    try store.entries.filter { $0.metric == AnyMetric(metric) }.map { try $0.decode(Value.self) }
  }
}

/// A wall clock that is set.
final class DriverClock: Sendable {
  private let moment = Locked(Timestamp(816_918_481))
  var time: Timestamp {
    get { moment.withLock(\.self) }
    set { moment.withLock { $0 = newValue } }
  }
}

extension Scenario {
  /// A story in which nothing happens that no one wants: a server with some content, and a device that knows it.
  static func quiet(events: Int = 20, acts: [TimedAct] = []) -> Scenario {
    var scenario = Scenario(
      name: "quiet", title: "Quiet", seed: 1, start: Date(timeIntervalSinceReferenceDate: 0), duration: nil)
    scenario.isSettled = true
    scenario.content = [.init(kind: "eventType", count: 2), .init(kind: "event", count: events)]
    scenario.acts = acts
    return scenario
  }
}

extension DeliveryScenario {
  /// A story in which nothing happens that no one wants.
  static func quiet(acts: [DeliveryTimedAct] = []) -> DeliveryScenario {
    var scenario = DeliveryScenario(
      name: "quiet", title: "Quiet", seed: 1, start: Date(timeIntervalSinceReferenceDate: 0), duration: nil)
    scenario.acts = acts
    return scenario
  }
}

/// A store in memory that can be out of order, and that notes how much it is given at once.
final class FailingStore: MetricStore, EntrySink {
  private struct State {
    var entries: [MetricEntry] = []
    var largest = 0
    var failsNext = 0
  }

  let updates = UpdateHub()
  // Not the standard lock: the thread sanitizer does not see that one.
  private let state = Locked(State())

  /// All that was written, in order.
  var entries: [MetricEntry] { state.withLock(\.entries) }
  /// The most entries that were written at once.
  var largest: Int { state.withLock(\.largest) }

  /// Refuses the next writes.
  func fail(times: Int) { state.withLock { $0.failsNext = times } }

  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {}
  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { entries }
  func sync() async throws {}
  func gather(_ entry: MetricEntry) throws(MetricError) {}

  func commit(_ new: [MetricEntry]) async throws(MetricError) {
    let isRefused = state.withLock { state in
      state.failsNext -= 1
      guard state.failsNext < 0 else { return true }
      state.entries += new
      state.largest = max(state.largest, new.count)
      return false
    }
    if isRefused { throw MetricError(.writeFailed, "the disk is full") }
  }
}
