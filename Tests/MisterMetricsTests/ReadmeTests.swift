import Foundation
import MisterMetrics
import MisterMetricsCore
import Platform
import Testing

// The snippets of the original package's README, as they stand there. What they leave open (`appGroup`, `fileURL`, the
// dates) is defined here, and the one call that exists on Apple platforms only.

private let appGroup = "group.example"

extension FileManager {
  /// The folder that stands in for an app group's container; set by the tests.
  static let containerForTests = Locked<URL?>(nil)

  fileprivate func containerURL(forSecurityApplicationGroupIdentifier identifier: String) -> URL? {
    Self.containerForTests.withLock { $0 }
  }
}

@MainActor
enum Metrics {
}

extension Metrics {
  static func setup() {
    guard
      let containerURL = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: appGroup
      ),
      let store = try? MetricFileStore(
        file: containerURL.appendingPathComponent("metrics.jsonl")
      )
    else {
      return
    }

    MetricManager.installGlobal(store)
  }
}

extension Metrics {
  static let app = Bucket("app")

  static let startupTimeMs = app.doubleMetric("startup_time_ms")
  static let languageHelperSetupTimeMs = app.doubleMetric("language_helper_setup_time_ms")
  static let launchedFromColdStart = app.boolMetric("launched_from_cold_start")
}

struct StartupBreakdown: Codable, Sendable {
  let totalMs: Double
  let languageSetupMs: Double
  let databaseOpenMs: Double
}

@MainActor
func setupMetrics() {
  let store = MetricMemoryStore()
  MetricManager.installGlobal(store)
}

extension GlobalStoreTests {
  @Test("the original README sets up a file, records into it and reads it back")
  @MainActor
  func basicSetup() async throws {
    let folder = try TemporaryFolder()
    FileManager.containerForTests.withLock { $0 = folder.url }
    defer { MetricManager.uninstallGlobal() }

    Metrics.setup()

    let startupTime = 428.5
    Metrics.startupTimeMs.record(startupTime)
    Metrics.launchedFromColdStart.record(true)

    #expect(await eventually { lines(of: folder.file()).count == 2 })
    let samples = try await Metrics.startupTimeMs.retrieveAll()

    for sample in samples {
      print(sample.timestamp, sample.value)
    }
    #expect(samples.map(\.value) == [428.5])
    #expect(samples.first?.name == "startup_time_ms")
    #expect(samples.first?.bucket == Bucket("app"))
    #expect(try await Metrics.launchedFromColdStart.retrieveAll().map(\.value) == [true])
  }

  @Test("the original README defines metrics of every kind")
  @MainActor
  func definitions() {
    let app = Bucket("app")

    let startupTimeMs = app.doubleMetric("startup_time_ms")
    let launchCount = app.intMetric("launch_count")
    let locale = app.stringMetric("locale")
    let wasColdStart = app.boolMetric("was_cold_start")
    let startupBreakdown: Metric<StartupBreakdown> = app.metric("startup_breakdown")
    let buildNumber = Metric<Int>(name: "build_number")

    #expect(startupTimeMs.erased == AnyMetric(Metric<Double>(name: "startup_time_ms", in: Bucket("app"))))
    #expect(launchCount.erased.valueTypeString == "Int")
    #expect(locale.erased.valueTypeString == "String")
    #expect(wasColdStart.erased.valueTypeString == "Bool")
    #expect(startupBreakdown.erased.valueTypeString == "StartupBreakdown")
    #expect(buildNumber.bucket == nil)
  }

  @Test("the original README installs every kind of store")
  @MainActor
  func installation() async throws {
    let folder = try TemporaryFolder()
    let fileURL = folder.url
    defer { MetricManager.uninstallGlobal() }
    setupMetrics()
    let memory: MetricMemoryStore? = MetricManager.global.unbox()
    #expect(memory != nil)
    do {
      let store = try MetricFileStore(
        file: fileURL.appendingPathComponent("metrics.jsonl")
      )
      MetricManager.installGlobal(store)
    }
    do {
      let store = try await defaultsStore()
      MetricManager.installGlobal(store)
    }
    do {
      let store = MetricNoopStore()
      MetricManager.installGlobal(store)
    }
    let noop: MetricNoopStore? = MetricManager.global.unbox()
    #expect(noop != nil)
  }

  // Off the main actor: on it the snippet's `await` has nothing to wait for, which the compiler remarks.
  private func defaultsStore() async throws -> MetricUserDefaultsStore {
    let store = try await MetricUserDefaultsStore(
      userDefaults: .standard,
      userDefaultKey: "metrics"
    )
    return store
  }

  @Test("the original README records and reads in all its ways")
  @MainActor
  func recording() async throws {
    let folder = try TemporaryFolder()
    let fileStore = try MetricFileStore(file: folder.file())
    MetricManager.installGlobal(fileStore)
    defer { MetricManager.uninstallGlobal() }
    Metrics.startupTimeMs.record(428.5)
    do {
      let store = MetricMemoryStore()
      Metrics.startupTimeMs.record(428.5, in: store.erased)
      #expect(try await eventually { try await store.retrieveAll(for: Metrics.startupTimeMs).count == 1 })
    }
    let startDate = Date(timeIntervalSinceNow: -60)
    let endDate = Date(timeIntervalSinceNow: 60)
    do {
      let samples = try await Metrics.startupTimeMs.retrieveAll(
        from: startDate,
        until: endDate
      )
      #expect(samples.map(\.value) == [428.5])
    }
    do {
      let store = MetricMemoryStore()
      try await store.record(Metrics.startupTimeMs, value: 428.5)

      let samples = try await store.retrieveAll(for: Metrics.startupTimeMs)
      #expect(samples.map(\.value) == [428.5])
      let entries = try await store.retrieveAll(from: .distantPast, until: .distantFuture)
      #expect(entries.map(\.value) == [Data("428.5".utf8)])
      try await store.sync()
    }
  }
}
