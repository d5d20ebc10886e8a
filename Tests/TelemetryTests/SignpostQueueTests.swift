import Foundation
import MisterMetricsCore
import Telemetry
import Testing

/// The fate of signposts when something stands in their way.
@Suite("Signposts on their way to a store")
struct SignpostQueueTests {
  private let store = MetricMemoryStore()

  /// Waits until so many entries are there.
  private func counts(_ count: Int) async throws -> [Int] {
    let metric: Metric<SignpostEvent> = Bucket("Queue").metric("Step")
    for _ in 0..<5000 {
      let values = try await store.retrieveAll(for: metric).map(\.value.count)
      if values.count >= count { return values }
      try await Task.sleep(for: .milliseconds(1))
    }
    return []
  }

  @Test(
    "a full queue holds back nothing for ever: what it refuses goes the ordinary way, the next go as always")
  func fullQueue() async throws {
    let queue = RecordQueue(linger: .milliseconds(1))
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let (start, starting) = AsyncStream.makeStream(of: Void.self)
    queue.append(
      .store {
        starting.finish()
        for await _ in gate {}
      })
    // Else what fills the queue may be taken out with what stops it.
    for await _ in start {}
    while queue.counts.queueFull == 0 { queue.append(.sink {}) }
    let signposter = Signposter(category: "Queue", in: store.erased, queue: queue)
    for step in 0..<10 { signposter.emitEvent("Step", count: step) }
    #expect(try await counts(10) == Array(0..<10))
    opening.finish()
    // The queue is empty when what came last has been delivered.
    for _ in 0..<5000 where !queue.isIdle { try await Task.sleep(for: .milliseconds(1)) }
    for step in 10..<5000 { signposter.emitEvent("Step", count: step) }
    #expect(try await counts(5000) == Array(0..<5000))
  }

  @Test("each signpost that a store refuses is counted as failed")
  func refusals() async throws {
    let queue = RecordQueue(linger: .milliseconds(1))
    let signposter = Signposter(category: "Queue", in: RefusingStore().erased, queue: queue)
    for step in 0..<1000 { signposter.emitEvent("Step", count: step) }
    for _ in 0..<5000 where queue.counts.failed < 1000 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(queue.counts.failed == 1000)
  }

  @Test("of many threads, each finds all of its signposts in the store, in its order")
  func threads() async throws {
    let signposter = Signposter(category: "Queue", in: store.erased)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for step in 0..<5000 { signposter.emitEvent("Step", count: thread * 5000 + step) } }
      }
    }
    let all = try await counts(20_000)
    for thread in 0..<4 {
      #expect(all.filter { $0 / 5000 == thread } == Array(thread * 5000..<(thread + 1) * 5000))
    }
  }
}

extension RecordQueue {
  /// True if nothing waits: another record would be taken.
  fileprivate var isIdle: Bool {
    let before = counts.queueFull
    append(.sink {})
    return counts.queueFull == before
  }
}

/// Takes no entry.
private struct RefusingStore: EntrySink {
  let updates = UpdateHub()

  func gather(_ entry: MetricEntry) throws(MetricError) { throw MetricError(.writeFailed, "refused") }
  func commit(_ entries: [MetricEntry]) async throws(MetricError) {
    throw MetricError(.writeFailed, "refused")
  }
  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {}
  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }
  func sync() async throws {}
  func clear() async throws {}
}
