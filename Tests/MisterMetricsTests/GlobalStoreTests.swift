import Foundation
import MisterMetricsCore
import Platform
import Testing

/// Everything that touches the one global store, one test at a time.
@Suite("The global store", .serialized)
struct GlobalStoreTests {
  @Test("discards records before one is installed, with one note and a count")
  @MainActor
  func withoutStore() async throws {
    MetricManager.uninstallGlobal()
    let notes = Locked<[String]>([])
    MetricLog.redirect { note in notes.withLock { $0.append(note) } }
    defer { MetricLog.redirect(to: nil) }
    let before = MetricManager.counts.withoutStore
    for _ in 0..<3 { Samples.startup.record(1) }
    #expect(MetricManager.counts.withoutStore == before + 3)
    #expect(notes.withLock { $0.count } == 1)
    #expect(try await Samples.startup.retrieveAll().isEmpty)
    let noop: MetricNoopStore? = MetricManager.global.unbox()
    #expect(noop != nil)
    #expect(notes.withLock { $0.count } == 1)
  }

  @Test("can be read off the main actor")
  @MainActor
  func offMainActor() async throws {
    MetricManager.installGlobal(MetricMemoryStore())
    defer { MetricManager.uninstallGlobal() }
    let isMemory = await Task.detached {
      let store: MetricMemoryStore? = MetricManager.global.unbox()
      return store != nil
    }.value
    #expect(isMemory)
  }

  @Test("gets a thousand records into its file while the main thread is blocked")
  @MainActor
  func blockedMainThread() throws {
    let folder = try TemporaryFolder()
    MetricManager.installGlobal(try MetricFileStore(file: folder.file()))
    defer { MetricManager.uninstallGlobal() }
    for number in 0..<1_000 { Samples.count.record(number) }
    // This function runs on the main thread and does not let go of it.
    let deadline = Date(timeIntervalSinceNow: 20)
    while lines(of: folder.file()).count < 1_000, Date() < deadline { Thread.sleep(forTimeInterval: 0.005) }
    let values = lines(of: folder.file()).compactMap {
      try? JSONDecoder().decode(MetricEntry.self, from: Data($0.utf8)).decode(Int.self)
    }
    #expect(values == Array(0..<1_000))
  }

  @Test("replaced by another one, gives earlier records to the store they were made for")
  @MainActor
  func replacement() async throws {
    let (first, second) = (MetricMemoryStore(), MetricMemoryStore())
    defer { MetricManager.uninstallGlobal() }
    MetricManager.installGlobal(first)
    Samples.count.record(1)
    MetricManager.installGlobal(second)
    Samples.count.record(2)
    #expect(try await eventually { try await second.retrieveAll(for: Samples.count).map(\.value) == [2] })
    #expect(try await first.retrieveAll(for: Samples.count).map(\.value) == [1])
  }
}
