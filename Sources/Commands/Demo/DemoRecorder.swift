package import DashboardCore
package import Essentials
import MisterMetricsCore
package import Platform

/// Records the sample app into a file: some minutes of history first, then live until canceled.
///
/// Sync and event delivery of the app are simulations, which ``drivers`` continues after the history.
///
/// ```swift
/// let recorder = try DemoRecorder(store: fileURL, seed: 1)
/// try await recorder.writeHistory()
/// let live = Task { try await recorder.run() }
/// let driving = Task { await recorder.drivers?.run() }
/// ```
package actor DemoRecorder {
  private let store: MetricFileStore
  private let now: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async throws -> Void
  private var app: DemoApp
  /// The demo's marks on the rail, sorted by time.
  package nonisolated let marks: [HistoryNotes.Mark]
  /// The end of the history written so far.
  private var historyEnd: Timestamp
  /// Runs the app's sync engine and delivery client; `nil` if simulations are unavailable.
  package nonisolated let drivers: SimulationDrivers?

  /// The interval between two live steps.
  private let step = Duration.milliseconds(40)
  /// Seconds of history that are written at once.
  private let block = 20.0

  /// Creates a recorder whose app has been running for a while.
  ///
  /// - Parameters:
  ///   - store: The metrics file.
  ///   - seed: Makes this run different from others.
  ///   - history: How long the app has been running.
  ///   - slowness: As for ``DemoApp``.
  ///   - hasEngines: False for an app that neither synchronizes nor delivers events.
  ///   - now: The wall clock.
  ///   - sleep: Waits between two live steps.
  /// - Throws: ``MetricError`` if the URL is not a file URL.
  package init(
    store: URL, seed: UInt64, history: Duration = .seconds(DemoStory.opening), slowness: Double = 1,
    hasEngines: Bool = true,
    now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws {
    self.store = try MetricFileStore(file: store)
    self.now = now
    self.sleep = sleep
    let start = now() - Double(history.components.seconds)
    app = DemoApp(seed: seed, start: start, slowness: slowness)
    historyEnd = start
    marks = DemoStory.marks(from: start)
    let scenarios: [AnyScenario] = [
      .sync(DemoSync.scenario(seed: seed, start: start.date)),
      .delivery(DemoDelivery.scenario(seed: seed, start: start.date)),
    ]
    guard hasEngines else {
      drivers = nil
      return
    }
    drivers = try? SimulationDrivers(playing: scenarios, from: start, store: self.store, now: now)
  }

  /// The limits of the sample app, by `bucket.name`, as for `--limit`.
  package static let limits: [String: Double] = [
    "api.checkout.ms": 400, "net.request_ms": 400, "db.query_ms": 25, "ui.frame_ms": 17,
  ]

  /// Writes the history up to now.
  ///
  /// - Throws: ``MetricError`` if the file cannot be written, `CancellationError` if canceled.
  package func writeHistory() async throws {
    let end = now()
    while let part = try await nextHistory(until: end) { try await store.append(part) }
  }

  /// The next seconds of the entries recorded by app and engines up to `end`; `nil` at the end.
  ///
  /// - Throws: `CancellationError` if canceled.
  func nextHistory(until end: Timestamp) async throws -> [MetricEntry]? {
    guard historyEnd < end else { return nil }
    try Task.checkCancellation()
    historyEnd = min(historyEnd + block, end)
    return await history(until: historyEnd)
  }

  /// Records in real time until canceled.
  ///
  /// - Throws: ``MetricError`` if the file cannot be written, `CancellationError` if canceled.
  package func run() async throws {
    var last = now()
    while true {
      let time = now()
      // The machine slept: hours of records written at once would be of no use.
      if time - last > block { app.skip(to: time) }
      last = time
      let records = app.records(until: time)
      if !records.isEmpty { try await store.append(records) }
      try await sleep(step)
    }
  }

  /// The entries recorded by app and engines since the last call, sorted by time.
  private func history(until time: Timestamp) async -> [MetricEntry] {
    let records = app.records(until: time)
    guard let others = await drivers?.records(until: time), !others.isEmpty else { return records }
    return (records + others).enumerated()
      .sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }.map(\.element)
  }
}
