package import Dashboard
import Foundation
package import MisterMetrics
package import Platform
package import Sync
import TerminalUI

/// Runs simulations beside the dashboard and writes what they record to the file that it tails.
///
/// ```swift
/// let driver = try SimulationDriver(playing: scenario, store: store)
/// let driving = Task { await driver.run() }
/// driver.take(.sync(.toggleRunning))
/// ```
///
/// It sleeps until something is due or an order comes. While nothing can be written, time stands still and nothing is
/// lost.
package actor SimulationDriver: Simulator {
  /// The shortest pause between two turns, in seconds: a burst is written together.
  private static let pause = 0.01
  /// Seconds until a failed write is tried again.
  private static let retry = 1.0

  package nonisolated let scenarios: [EngineKind: [ScenarioTitle]]

  private nonisolated let orders = Locked<[SimulationOrder<SyncSimulated>]>([])
  private nonisolated let messages = Locked<[String]>([])
  /// Readable while there are messages.
  private nonisolated let signal = WakeSignal()
  private nonisolated let wakes: AsyncStream<Void>
  private nonisolated let waker: AsyncStream<Void>.Continuation

  private let store: AnyMetricStore
  private let now: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async throws -> Void
  private let host: SimulationHost
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
  ///   - folder: Where tests are written.
  ///   - now: The wall clock.
  ///   - sleep: Waits until something is due.
  /// - Throws: `Simulation.Failure`, where none can be played.
  package init(
    playing scenario: Scenario, from start: Timestamp? = nil, store: some MetricStore,
    folder: String = FileManager.default.currentDirectoryPath,
    now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws {
    let catalog = try ScenarioCatalog([scenario])
    let start = start ?? now()
    let host = SimulationHost(catalog: catalog, at: start)
    try host.start(scenario, at: start)
    self.store = AnyMetricStore(store)
    self.now = now
    self.sleep = sleep
    self.host = host
    files = SessionTestWriter(folder: folder)
    scenarios = [.sync: catalog.titles]
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: - The dashboard's side

  package nonisolated var wakeDescriptor: Int32 { signal.descriptor }

  package nonisolated func take(_ order: EngineOrder) {
    guard case .sync(let order) = order else { return }
    orders.withLock { $0.append(order) }
    waker.yield()
  }

  package nonisolated func sentences() -> [String] {
    signal.clear()
    return messages.withLock { said in
      defer { said = [] }
      return said
    }
  }

  private nonisolated func post(_ sentences: [String]) {
    guard !sentences.isEmpty else { return }
    messages.withLock { $0 += sentences }
    signal.raise()
  }

  // MARK: - The session

  /// What is recorded up to a past moment, for the history of a demo.
  func records(until time: Timestamp) -> [MetricEntry] {
    repeat { host.pass(until: time, isLive: false) } while host.isBehind
    return host.takeEntries()
  }

  /// Drives until cancelled.
  package func run() async {
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
      for order in pending { post(host.handle(order, at: now())) }
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
    for test in host.pendingTests { Task.detached { [self, files] in post([files.write(test)]) } }
    host.pendingTests = []
  }

  /// Writes what waits, a piece at a time.
  ///
  /// - Returns: Whether nothing waits any more.
  private func write() async -> Bool {
    while !waiting.isEmpty {
      let piece = Array(waiting.prefix(SimulationHost.block))
      do {
        try await store.append(piece)
      } catch {
        let problem = (error as? MetricError)?.message ?? FileErrorFormatter.problem(error)
        if !hasReported { post(["The simulation cannot be recorded: \(SafeText.sanitized(problem))"]) }
        hasReported = true
        return false
      }
      waiting.removeFirst(piece.count)
      hasReported = false
    }
    return true
  }
}
