import MisterMetricsCore
import Platform
import Telemetry
import Testing

@Suite("Signposter")
struct SignposterTests {
  private let test = TestSignposter()

  @Test("an interval has the time between begin and end, and what both had to say")
  func intervals() {
    let signposter = test.make()
    for (first, second) in [(nil, nil), ("a", nil), (nil, "b"), ("a", "b")] as [(String?, String?)] {
      let state = signposter.beginInterval("Load", first)
      test.advance(by: .microseconds(1500))
      signposter.endInterval("Load", state, second)
    }
    #expect(test.story == ["Load 1.5", "Load 1.5 (a)", "Load 1.5 (b)", "Load 1.5 (a; b)"])
    #expect(test.records.allSatisfy { $0.category == "Test" } && signposter.misuses == 0)
    #expect(
      test.intervals.allSatisfy { $0.id == 0 && $0.cpuMs == nil && $0.memoryBytes == nil && $0.error == nil })
  }

  @Test("records come at once, in the order of the calls")
  func order() {
    let signposter = test.make()
    let outer = signposter.beginInterval("Outer")
    signposter.emitEvent("First", count: 3, "three")
    let inner = signposter.beginInterval("Inner")
    test.advance(by: .milliseconds(2))
    signposter.endInterval("Inner", inner)
    signposter.emitEvent("Second")
    signposter.endInterval("Outer", outer)
    #expect(test.story == ["First x3 (three)", "Inner 2.0", "Second x1", "Outer 2.0"])
  }

  @Test("work is measured whether it returns or throws, and the error's text is kept")
  func work() async throws {
    let signposter = test.make()
    let sum = signposter.withIntervalSignpost("Plain", "two") { 1 + 1 }
    #expect(sum == 2)
    #expect(throws: Refusal.self) {
      try signposter.withIntervalSignpost("Throwing") { () throws(Refusal) in
        test.advance(by: .milliseconds(7))
        throw Refusal()
      }
    }
    let waited = await signposter.withIntervalSignpost("Waiting") { () async in
      await Task.yield()
      return test.records.count
    }
    #expect(waited == 2)
    await #expect(throws: Refusal.self) {
      try await signposter.withIntervalSignpost("Failing", id: SignpostID(9)) {
        await Task.yield()
        throw Refusal()
      }
    }
    #expect(test.story == ["Plain 0.0 (two)", "Throwing 7.0", "Waiting 0.0", "Failing 0.0"])
    #expect(test.intervals.map(\.error) == [nil, "refused", nil, "refused"])
    #expect(test.intervals.map(\.id) == [0, 0, 0, 9])
  }

  @Test("the synchronous form needs no await in asynchronous code")
  func synchronousInAsynchronous() async {
    let value = test.make().withIntervalSignpost("Sync") { 5 }
    #expect(value == 5 && test.story == ["Sync 0.0"])
  }

  @Test("cancelled work ends its interval")
  func cancelled() async {
    let signposter = test.make()
    let task = Task {
      try await signposter.withIntervalSignpost("Endless") { try await Task.sleep(for: .seconds(3600)) }
    }
    task.cancel()
    _ = await task.result
    #expect(test.intervals.map(\.error) == ["CancellationError()"])
  }

  @Test("disabled, nothing is recorded, no message is evaluated, and work runs")
  func disabled() async throws {
    let signposter = Signposter.disabled
    func message() -> String? {
      Issue.record("a message was evaluated")
      return nil
    }
    let state = signposter.beginInterval("A", message())
    signposter.endInterval("A", state, message())
    signposter.endInterval("B", state, message())
    signposter.emitEvent("C", message())
    #expect(signposter.withIntervalSignpost("D", message()) { 1 } == 1)
    #expect(await signposter.withIntervalSignpost("E", message()) { () async in 2 } == 2)
    #expect(throws: Refusal.self) { try signposter.withIntervalSignpost("F") { throw Refusal() } }
    #expect(!signposter.isEnabled && signposter.category.isEmpty && signposter.misuses == 0)
    #expect(signposter.makeSignpostID() == .null && signposter.makeSignpostID(from: test) == .null)
  }

  @Test("a disabled signposter does not look at states, so the end still counts elsewhere")
  func disabledEnd() {
    let signposter = test.make()
    let state = signposter.beginInterval("A")
    Signposter.disabled.endInterval("A", state)
    signposter.endInterval("A", state)
    #expect(test.story == ["A 0.0"] && signposter.misuses == 0)
  }

  @Test("with snapshots, processor time and growth of memory are measured")
  func snapshots() throws {
    let signposter = test.make(snapshots: true)
    let state = signposter.beginInterval("Work")
    var bytes = [UInt8](repeating: 1, count: 64 << 20)
    for index in bytes.indices { bytes[index] &+= UInt8(truncatingIfNeeded: index) }
    signposter.endInterval("Work", state, "\(bytes[1000])")
    let interval = try #require(test.intervals.first)
    #expect(try #require(interval.cpuMs) > 1)
    #expect(try #require(interval.memoryBytes) > 32 << 20)
    #expect(interval.durationMs == 0, "the given clock stood still")
  }

  @Test("without a clock of its own, an interval lasts as long as it does")
  func systemClock() {
    let kept = Locked<[SignpostRecord]>([])
    let signposter = Signposter(category: "Test") { record in kept.withLock { $0.append(record) } }
    signposter.withIntervalSignpost("Work") {
      let clock = ContinuousClock()
      let end = clock.now + .milliseconds(3)
      while clock.now < end {}
    }
    guard case .interval(let interval)? = kept.withLock({ $0.first?.value }) else {
      return #expect(Bool(false), "an interval was recorded")
    }
    #expect(interval.durationMs >= 3)
  }

  @Test("a clock that goes back, or is at the ends of its scale, overflows nothing")
  func strangeClocks() {
    let longest = Duration.seconds(Int64.max) * 18
    for (begun, ended) in [(longest, .zero - longest), (.zero - longest, longest), (.seconds(5), .zero)] {
      let test = TestSignposter()
      test.advance(by: begun)
      let signposter = test.make()
      let state = signposter.beginInterval("A")
      test.advance(by: .zero - begun)
      test.advance(by: ended)
      signposter.endInterval("A", state)
      #expect(test.intervals.allSatisfy { $0.durationMs >= 0 && $0.durationMs.isFinite })
    }
  }
}
