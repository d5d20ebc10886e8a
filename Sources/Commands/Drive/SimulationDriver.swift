package import Dashboard
package import Foundation
package import MisterMetrics
import Platform
package import Sync
import TerminalUI

/// Plays simulations beside the dashboard and writes what they record to the file that it tails.
///
/// ```swift
/// let driver = try SimulationDriver(playing: scenario, store: store)
/// let driving = Task { await driver.run() }
/// driver.take(.toggleRunning)
/// ```
///
/// It sleeps until something is due, or somebody wants something. When nothing can be written, time stands still, and
/// nothing is lost.
package actor SimulationDriver: Simulator {
  /// Seconds between two looks at what is due, at least: what comes thick is written together.
  private static let pause = 0.01
  /// Seconds until a failed write is tried again.
  private static let retry = 1.0

  package nonisolated let scenarios: [ScenarioTitle]

  private nonisolated let orders = Locked<[SimulationOrder]>([])
  private nonisolated let said = Locked<[String]>([])
  /// Readable while there is something to say.
  private nonisolated let voice = WakeSignal()
  private nonisolated let wakes: AsyncStream<Void>
  private nonisolated let waker: AsyncStream<Void>.Continuation

  private let store: AnyMetricStore
  private let now: @Sendable () -> Date
  private let sleep: @Sendable (Duration) async throws -> Void
  private let stage: SimulationStage
  private let files: SessionFiles
  /// What was recorded and is not written yet, in order.
  private var waiting: [MetricEntry] = []
  private var hasComplained = false

  /// A driver at the start of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: What is played first; it can be played again, as the stories in the program can.
  ///   - start: When it begins, in seconds since 2001; `nil` for now.
  ///   - store: Where the record goes.
  ///   - folder: Where tests are written.
  ///   - now: The clock on the wall.
  ///   - sleep: Waits until something is due.
  /// - Throws: `Simulation.Failure`, where none can be played.
  package init(
    playing scenario: Scenario, from start: Double? = nil, store: some MetricStore,
    folder: String = FileManager.default.currentDirectoryPath,
    now: @escaping @Sendable () -> Date = { Date() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws {
    let repertoire = try Repertoire([scenario])
    let start = start ?? now().timeIntervalSinceReferenceDate
    let stage = SimulationStage(repertoire: repertoire, at: start)
    try stage.play(scenario, at: start)
    self.store = AnyMetricStore(store)
    self.now = now
    self.sleep = sleep
    self.stage = stage
    files = SessionFiles(folder: folder)
    scenarios = repertoire.titles
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: - The dashboard's side

  package nonisolated var wakeDescriptor: Int32 { voice.descriptor }

  package nonisolated func take(_ order: SimulationOrder) {
    orders.withLock { $0.append(order) }
    waker.yield()
  }

  package nonisolated func sentences() -> [String] {
    voice.clear()
    return said.withLock { said in
      defer { said = [] }
      return said
    }
  }

  private nonisolated func say(_ sentences: [String]) {
    guard !sentences.isEmpty else { return }
    said.withLock { $0 += sentences }
    voice.raise()
  }

  // MARK: - The play

  /// What is recorded up to a moment that is over, for the past of a demo.
  ///
  /// - Parameter time: Seconds since 2001.
  func records(until time: Double) -> [MetricEntry] {
    repeat { stage.pass(until: time, isLive: false) } while stage.isBehind
    return stage.takeEntries()
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
          // Who is cancelled has been woken by something else.
          guard (try? await sleep(.seconds(seconds))) != nil else { return }
          waker.yield()
        }
      }
    }
    sleeper?.cancel()
  }

  /// Does what is wanted and what is due, and writes what came of it.
  ///
  /// - Returns: The seconds until the next turn; `nil` when there is none before somebody wants something.
  func turn() async -> Double? {
    while true {
      let wanted = orders.withLock { orders in
        defer { orders = [] }
        return orders
      }
      for order in wanted { say(stage.take(order, at: now().timeIntervalSinceReferenceDate)) }
      writeTests()
      if waiting.isEmpty { stage.pass(until: now().timeIntervalSinceReferenceDate) }
      waiting += stage.takeEntries()
      guard await write() else {
        stage.hold(at: now().timeIntervalSinceReferenceDate)
        return Self.retry
      }
      guard stage.isBehind, !Task.isCancelled else { break }
      await Task.yield()
    }
    return stage.nextTurn(after: now().timeIntervalSinceReferenceDate, pause: Self.pause)
  }

  /// Keeps sessions as tests, beside the play: each is played once more for its transitions.
  private func writeTests() {
    for test in stage.unwritten { Task.detached { [self, files] in say([files.write(test)]) } }
    stage.unwritten = []
  }

  /// Writes what waits, a piece at a time.
  ///
  /// - Returns: Whether nothing waits any more.
  private func write() async -> Bool {
    while !waiting.isEmpty {
      let piece = Array(waiting.prefix(SimulationStage.block))
      do {
        try await store.append(piece)
      } catch {
        let problem = (error as? MetricError)?.message ?? FileWords.problem(error)
        if !hasComplained { say(["The simulation cannot be recorded: \(SafeText.sanitized(problem))"]) }
        hasComplained = true
        return false
      }
      waiting.removeFirst(piece.count)
      hasComplained = false
    }
    return true
  }
}
