import DashboardCore
import MisterMetricsCore
import Platform
import SimulationKit
import TerminalUI

/// Runs the simulation of one engine beside the dashboard and writes what it records to the file that the dashboard tails.
///
/// ```swift
/// let driver = try SimulationDriver<SyncWorld>(playing: scenario, store: store, notices: notices)
/// let driving = Task { await driver.run() }
/// driver.take(.toggleRunning)
/// ```
///
/// It sleeps until something is due or an order comes. While nothing can be written, time stands still and nothing is
/// lost.
actor SimulationDriver<World: HostedWorld> {
  /// The shortest pause between two turns, in seconds: a burst is written together.
  private static var pause: Double { 0.01 }
  /// Seconds until a failed write is tried again.
  private static var retry: Double { 1 }

  /// The scenarios that can be played.
  nonisolated let scenarios: [ScenarioTitle]

  private nonisolated let orders = Locked<[SimulationOrder<World.Engine>]>([])
  private nonisolated let notices: SimulatorNotices
  private nonisolated let wakes: AsyncStream<Void>
  private nonisolated let waker: AsyncStream<Void>.Continuation

  private let store: AnyMetricStore
  private let now: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async throws -> Void
  private let host: SimulationHost<World>
  private let files: SessionTestWriter
  /// Recorded entries that are not written yet, in order.
  private var waiting: [MetricEntry] = []
  private var hasReported = false

  /// A driver at the start of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: What runs first; it can be started again, as the scenarios in the program can.
  ///   - start: When it starts; `nil` for now.
  ///   - store: Where the record goes.
  ///   - notices: Where it says what the record does not show.
  ///   - folder: Where tests are written.
  ///   - now: The wall clock.
  ///   - sleep: Waits until something is due.
  /// - Throws: Why none can be played.
  init(
    playing scenario: DrivenScenario<World>, from start: Timestamp? = nil, store: some MetricStore,
    notices: SimulatorNotices, folder: String, now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) throws {
    let catalog = ScenarioCatalog([scenario], stories: try World.stories())
    let start = start ?? now()
    let host = SimulationHost<World>(catalog: catalog, at: start)
    try host.start(scenario, at: start)
    self.store = AnyMetricStore(store)
    self.now = now
    self.sleep = sleep
    self.host = host
    self.notices = notices
    files = SessionTestWriter(folder: folder)
    scenarios = catalog.titles
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: - The dashboard's side

  /// Takes an order; returns at once.
  nonisolated func take(_ order: SimulationOrder<World.Engine>) {
    orders.withLock { $0.append(order) }
    waker.yield()
  }

  // MARK: - The session

  /// Entries recorded up to a past moment, for the history of a demo.
  func records(until time: Timestamp) -> [MetricEntry] {
    repeat { host.pass(until: time, isLive: false) } while host.isBehind
    return host.takeEntries()
  }

  /// Drives until cancelled.
  func run() async {
    var sleeper: Task<Void, Never>?
    waker.yield()
    for await _ in wakes {
      sleeper?.cancel()
      let seconds = await turn()
      sleeper = seconds.map { seconds in
        Task { [sleep, waker] in
          // A cancelled task has been overtaken by another wake-up.
          guard (try? await sleep(.seconds(seconds))) != nil else { return }
          waker.yield()
        }
      }
    }
    sleeper?.cancel()
  }

  /// Follows the orders, runs what is due, and writes what was recorded.
  ///
  /// - Returns: The seconds until the next turn; `nil` if there is none before the next order.
  func turn() async -> Double? {
    while true {
      let pending = orders.withLock { orders in
        defer { orders = [] }
        return orders
      }
      for order in pending { notices.post(host.handle(order, at: now())) }
      writeTests()
      if waiting.isEmpty { host.pass(until: now()) }
      waiting += host.takeEntries()
      guard await write() else {
        host.hold(at: now())
        return Self.retry
      }
      guard host.isBehind, !Task.isCancelled else { break }
      await Task.yield()
    }
    return host.nextTurn(after: now(), pause: Self.pause)
  }

  /// Writes sessions as tests, in the background: each is run once more for its transitions.
  private func writeTests() {
    for test in host.pendingTests { Task.detached { [notices, files] in notices.post([files.write(test)]) } }
    host.pendingTests = []
  }

  /// Writes what waits, a piece at a time.
  ///
  /// - Returns: Whether nothing waits any more.
  private func write() async -> Bool {
    while !waiting.isEmpty {
      let piece = Array(waiting.prefix(SimulationHost<World>.block))
      do {
        try await store.append(piece)
      } catch {
        let problem = (error as? MetricError)?.message ?? FileErrorFormatter.problem(error)
        if !hasReported {
          notices.post(["The simulation cannot be recorded: \(SafeText.sanitized(problem))"])
        }
        hasReported = true
        return false
      }
      waiting.removeFirst(piece.count)
      hasReported = false
    }
    return true
  }
}
