import DashboardCore
import MisterMetricsCore
import Platform
import SimulationKit
import TerminalUI

/// Runs the simulation of one engine next to the dashboard, and writes its record to the file that the dashboard tails.
///
/// ```swift
/// let driver = try SimulationDriver<SyncWorld>(playing: scenario, store: store, notices: notices)
/// let driving = Task { await driver.run() }
/// driver.take(.toggleRunning)
/// ```
///
/// It sleeps until an event is due or an order arrives. While writing is impossible, time stands still and no entry is
/// lost.
actor SimulationDriver<World: HostedWorld> {
  /// Minimum seconds between two turns, so that a burst is written together.
  private static var pause: Double { 0.01 }
  /// Seconds until a failed write is retried.
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
  /// Recorded entries not written yet, in order.
  private var waiting: [MetricEntry] = []
  private var hasReported = false

  /// A driver at the start of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The first scenario; like the built-in ones, it can be restarted.
  ///   - start: The start time; `nil` for now.
  ///   - store: The destination of the record.
  ///   - notices: The destination of messages that the record does not contain.
  ///   - folder: The folder for tests.
  ///   - now: The wall clock.
  ///   - sleep: Waits for a duration.
  /// - Throws: The reason why the scenario cannot be played.
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

  /// Accepts an order and returns at once.
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

  /// Runs until cancelled.
  func run() async {
    var sleeper: Task<Void, Never>?
    waker.yield()
    for await _ in wakes {
      sleeper?.cancel()
      let seconds = await turn()
      sleeper = seconds.map { seconds in
        Task { [sleep, waker] in
          // A cancelled sleep was superseded by another wake-up.
          guard (try? await sleep(.seconds(seconds))) != nil else { return }
          waker.yield()
        }
      }
    }
    sleeper?.cancel()
  }

  /// Executes the orders, runs the events that are due, and writes the recorded entries.
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

  /// Writes sessions as tests in the background: each is replayed to determine its decisions.
  private func writeTests() {
    for test in host.pendingTests { Task.detached { [notices, files] in notices.post([files.write(test)]) } }
    host.pendingTests = []
  }

  /// Writes the waiting entries, a block at a time.
  ///
  /// - Returns: True if no entries are left.
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
