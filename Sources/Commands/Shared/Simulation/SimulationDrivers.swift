package import DashboardCore
import DeliverySimulation
import Essentials
package import MisterMetricsCore
package import Platform
import Sync
import SyncSimulation

/// The simulations that this program plays, each with its driver, behind one interface for the dashboard.
package final class SimulationDrivers: Simulator {
  private let notices: SimulatorNotices
  private let sync: SimulationDriver<SyncWorld>?
  private let delivery: SimulationDriver<DeliveryWorld>?

  /// Drivers at the start of one scenario, or of one scenario per engine.
  ///
  /// - Parameters:
  ///   - scenarios: The first scenarios; like the built-in ones, they can be restarted.
  ///   - start: The start time; `nil` for now.
  ///   - store: The destination of the record.
  ///   - folder: The folder for tests.
  ///   - now: The wall clock.
  ///   - sleep: Waits for a duration.
  /// - Throws: `Simulation.Failure` if a scenario cannot be played.
  package init(
    playing scenarios: [AnyScenario], from start: Timestamp? = nil, store: some MetricStore,
    folder: String = Posix.workingFolder,
    now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws {
    let notices = SimulatorNotices()
    var (sync, delivery) = (SimulationDriver<SyncWorld>?.none, SimulationDriver<DeliveryWorld>?.none)
    for scenario in scenarios {
      switch scenario {
      case .sync(let scenario):
        sync = try SimulationDriver(
          playing: scenario, from: start, store: store, notices: notices, folder: folder, now: now,
          sleep: sleep)
      case .delivery(let scenario):
        delivery = try SimulationDriver(
          playing: scenario, from: start, store: store, notices: notices, folder: folder, now: now,
          sleep: sleep)
      }
    }
    self.notices = notices
    self.sync = sync
    self.delivery = delivery
  }

  // MARK: - The dashboard's side

  package var scenarios: [EngineKind: [ScenarioTitle]] {
    var scenarios: [EngineKind: [ScenarioTitle]] = [:]
    scenarios[.sync] = sync?.scenarios
    scenarios[.delivery] = delivery?.scenarios
    return scenarios
  }

  package var wakeDescriptor: Int32 { notices.wakeDescriptor }

  package func take(_ order: EngineOrder) {
    switch order {
    case .sync(let order): sync?.take(order)
    case .delivery(let order): delivery?.take(order)
    }
  }

  package func sentences() -> [String] { notices.take() }

  // MARK: - The sessions

  /// Entries recorded up to a past moment, for the history of a demo; in order within each engine.
  func records(until time: Timestamp) async -> [MetricEntry] {
    async let others = delivery?.records(until: time)
    return (await sync?.records(until: time) ?? []) + (await others ?? [])
  }

  /// Runs until cancelled.
  package func run() async {
    async let others: Void? = delivery?.run()
    await sync?.run()
    _ = await others
  }
}
