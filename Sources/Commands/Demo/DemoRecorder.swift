package import DashboardCore
package import Essentials
import MisterMetricsCore
package import Platform

/// Records the sample app into a file: some minutes of history first, then live until cancelled.
///
/// Its exchange with its server and the way of its events are simulations, which ``drivers`` continues after the history.
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
  /// The demo's marks on the rail, by time.
  package nonisolated let marks: [HistoryNotes.Mark]
  /// How far the history was taken.
  private var historyEnd: Timestamp
  /// Runs the app's exchange with its server and the delivery of its events; `nil` if simulations are unavailable.
  package nonisolated let drivers: SimulationDrivers?

  /// How often the live part records.
  private let step = Duration.milliseconds(40)
  /// Seconds of history written at once.
  private let block = 20.0

  /// A recorder whose app has been running for a while.
  ///
  /// - Parameters:
  ///   - store: The metrics file.
  ///   - seed: What makes this run different from others.
  ///   - history: How long the app has been running.
  ///   - now: The wall clock.
  ///   - sleep: Waits between two live steps.
  /// - Throws: ``MetricError`` for a URL that is no file's.
  package init(
    store: URL, seed: UInt64, history: Duration = .seconds(DemoStory.opening),
    now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws {
    self.store = try MetricFileStore(file: store)
    self.now = now
    self.sleep = sleep
    let start = now() - Double(history.components.seconds)
    app = DemoApp(seed: seed, start: start)
    historyEnd = start
    marks = DemoStory.marks(from: start)
    let scenarios: [AnyScenario] = [
      .sync(DemoSync.scenario(seed: seed, start: start.date)),
      .delivery(DemoDelivery.scenario(seed: seed, start: start.date)),
    ]
    drivers = try? SimulationDrivers(playing: scenarios, from: start, store: self.store, now: now)
  }

  /// The limits of the sample app, by `bucket.name`, as for `--limit`.
  package static let limits: [String: Double] = [
    "api.checkout.ms": 400, "net.request_ms": 400, "db.query_ms": 25, "ui.frame_ms": 17,
  ]

  /// Writes everything up to now.
  ///
  /// - Throws: ``MetricError`` when the file cannot be written, `CancellationError` when cancelled.
  package func writeHistory() async throws {
    let end = now()
    while let part = try await nextHistory(until: end) { try await store.append(part) }
  }

  /// The next seconds of what app and engines recorded up to `end`; `nil` when that was all.
  ///
  /// - Throws: `CancellationError` when cancelled.
  func nextHistory(until end: Timestamp) async throws -> [MetricEntry]? {
    guard historyEnd < end else { return nil }
    try Task.checkCancellation()
    historyEnd = min(historyEnd + block, end)
    return await history(until: historyEnd)
  }

  /// Continues at the pace of the clock, until cancelled.
  ///
  /// - Throws: ``MetricError`` when the file cannot be written, `CancellationError` when cancelled.
  package func run() async throws {
    var last = now()
    while true {
      let time = now()
      // The machine slept: hours of records at once would be of no use.
      if time - last > block { app.skip(to: time) }
      last = time
      let records = app.records(until: time)
      if !records.isEmpty { try await store.append(records) }
      try await sleep(step)
    }
  }

  /// Entries recorded by app and engines since the last call, in order of time.
  private func history(until time: Timestamp) async -> [MetricEntry] {
    let records = app.records(until: time)
    guard let others = await drivers?.records(until: time), !others.isEmpty else { return records }
    return (records + others).enumerated()
      .sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }.map(\.element)
  }
}
