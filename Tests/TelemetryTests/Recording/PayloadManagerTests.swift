import Foundation
import MisterMetricsCore
import Platform
import Testing

@testable import TelemetryCore

@Suite("Manager of payloads")
struct PayloadManagerTests {
  private let bench: RecorderBench

  init() throws { bench = try RecorderBench() }

  /// Records something and lets the day end.
  private func day(_ recorder: PayloadRecorder) async throws {
    recorder.record(.timeToFirstDraw, .milliseconds(412))
    bench.advance(days: 1)
    try await recorder.flush()
    await recorder.manager.deliver()
  }

  @Test("without a subscriber nothing is delivered, with one all that waits in one call, once")
  func once() async throws {
    do {
      let recorder = try await bench.start()
      try await day(recorder)
      try await day(recorder)
      #expect(recorder.manager.pastPayloads.isEmpty)
    }
    #expect(try bench.payloads().count == 2)
    let subscriber = KeepingSubscriber()
    do {
      let recorder = try await bench.start()
      recorder.manager.add(subscriber)
      recorder.manager.add(subscriber)
      await recorder.manager.deliver()
      await recorder.manager.deliver()
      #expect(recorder.manager.pastPayloads.count == 2)
    }
    #expect(subscriber.calls == ["2026-05-04 2026-05-05"])
    let recorder = try await bench.start()
    recorder.manager.add(subscriber)
    await recorder.manager.deliver()
    #expect(subscriber.calls.count == 1 && recorder.manager.pastPayloads.isEmpty)
  }

  @Test("who is added later gets the past payloads first, and the others do not get them again")
  func later() async throws {
    let recorder = try await bench.start()
    let (first, second) = (KeepingSubscriber(), KeepingSubscriber())
    recorder.manager.add(first)
    try await day(recorder)
    recorder.record(.crash(signal: 6))
    try await recorder.flush()
    await recorder.manager.deliver()
    recorder.manager.add(second)
    try await day(recorder)
    #expect(first.calls == ["2026-05-04", "1 of 1", "2026-05-05"])
    #expect(second.calls == ["2026-05-04", "1 of 1", "2026-05-05"])
    #expect(recorder.manager.pastDiagnosticPayloads.map { $0.crashDiagnostics?.first?.signal } == [6])
  }

  @Test("subscribers are held weakly; who was removed gets nothing more")
  func weakly() async throws {
    let recorder = try await bench.start()
    let removed = KeepingSubscriber()
    var gone: KeepingSubscriber? = KeepingSubscriber()
    weak let held = gone
    if let gone { recorder.manager.add(gone) }
    recorder.manager.add(removed)
    try await day(recorder)
    #expect(gone?.calls == ["2026-05-04"])
    gone = nil
    #expect(held == nil)
    recorder.manager.remove(removed)
    try await day(recorder)
    #expect(removed.calls == ["2026-05-04"])
    #expect(try bench.payloads().count == 1)
  }

  @Test("diagnostics come at once, and wait on the disk until there is a subscriber")
  func diagnostics() async throws {
    let subscriber = KeepingSubscriber()
    do {
      let recorder = try await bench.start()
      recorder.record(.crash(signal: 11))
      recorder.record(.crash(signal: 6))
      try await recorder.flush()
    }
    #expect(try bench.files() == ["diagnostic-000001.json", "diagnostic-000002.json"])
    let recorder = try await bench.start()
    recorder.manager.add(subscriber)
    await recorder.manager.deliver()
    recorder.record(.crash(signal: 4))
    try await recorder.flush()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["2 of 2", "1 of 1"])
    #expect(try bench.files().isEmpty)
  }

  @Test("so many diagnostics wait, the rest is counted")
  func manyDiagnostics() async throws {
    let recorder = try await bench.start()
    for signal in 0..<PayloadInbox.diagnosticLimit { recorder.record(.crash(signal: signal)) }
    try await recorder.flush()
    for signal in 1...3 { recorder.record(.crash(signal: signal)) }
    try await recorder.flush()
    #expect(recorder.counts.refused == 3)
    #expect(try bench.files().count == PayloadInbox.diagnosticLimit)
  }

  @Test("a subscriber may use manager and recorder in a call")
  func callsBack() async throws {
    let recorder = try await bench.start()
    let manager = recorder.manager
    let other = KeepingSubscriber()
    let seen = Locked<[Int]>([])
    let box = Locked<KeepingSubscriber?>(nil)
    let subscriber = KeepingSubscriber {
      seen.withLock { $0.append(manager.pastPayloads.count) }
      manager.add(other)
      if let me = box.withLock({ $0 }) { manager.remove(me) }
      recorder.record(.hang, .milliseconds(300))
      recorder.record(.crash(signal: 11))
      _ = recorder.counts
    }
    box.withLock { $0 = subscriber }
    manager.add(subscriber)
    try await day(recorder)
    try await recorder.flush()
    await manager.deliver()
    #expect(seen.withLock { $0 } == [1])
    #expect(subscriber.calls == ["2026-05-04"])
    #expect(other.calls == ["2026-05-04", "1 of 1"])
    box.withLock { $0 = nil }
  }

  @Test("a payload leaves the disk after the calls: a process that is killed in one delivers again")
  func killedInACall() async throws {
    let during = Locked<[String]>([])
    let bench = bench
    let recorder = try await bench.start()
    let subscriber = KeepingSubscriber {
      during.withLock { $0 = (try? bench.files()) ?? [] }
    }
    recorder.manager.add(subscriber)
    try await day(recorder)
    #expect(during.withLock { $0 } == ["metric-2026-05-04-app.json", "open-days.json"])
    #expect(try bench.files() == ["open-days.json"])
  }

  @Test("no two subscribers are called at the same time, and never on the main thread")
  func serially() async throws {
    let recorder = try await bench.start()
    let state = Locked((inside: 0, most: 0, calls: 0, wasMain: false))
    let subscribers = (0..<4).map { _ in
      KeepingSubscriber {
        state.withLock { state in
          state.inside += 1
          state.most = max(state.most, state.inside)
          state.calls += 1
          state.wasMain = state.wasMain || Thread.isMainThread
        }
        Thread.sleep(forTimeInterval: 0.001)
        state.withLock { $0.inside -= 1 }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for subscriber in subscribers { group.addTask { recorder.manager.add(subscriber) } }
      for _ in 0..<10 { group.addTask { recorder.record(.crash(signal: 11)) } }
    }
    try await recorder.flush()
    await recorder.manager.deliver()
    let seen = state.withLock { ($0.most, $0.calls, $0.wasMain) }
    #expect(seen.0 == 1 && seen.1 >= 4 && !seen.2)
    #expect(recorder.manager.pastDiagnosticPayloads.count == 10)
  }

  @Test("simulated payloads are clearly such, come at once and are not kept")
  func simulated() async throws {
    let recorder = try await bench.start()
    let subscriber = KeepingSubscriber()
    recorder.manager.add(subscriber)
    recorder.manager.simulatePayloads()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["2020-01-01", "1 of 1"])
    #expect(subscriber.metrics.map(\.isSimulated) == [true])
    #expect(DiagnosticPayload.simulated.isSimulated)
    #expect(recorder.manager.pastPayloads.isEmpty && recorder.manager.pastDiagnosticPayloads.isEmpty)
    #expect(try bench.files().isEmpty)
    var reader = PayloadReader()
    let reading = reader.read(MetricPayload.simulated.jsonRepresentation())
    #expect(reading.payloads == [.metric(.simulated)])
  }
}
