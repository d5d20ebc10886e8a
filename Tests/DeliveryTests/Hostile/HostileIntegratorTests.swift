import DeliveryCore
import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

/// An app's possible calls to its client.
@Suite("Hostile integrators")
struct HostileIntegratorTests {
  @Test("A transport that never returns holds up neither a flush nor a reset, nor the next client")
  func neverReturns() async throws {
    let rig = ProxyRig()
    let transport = StubbornTransport()
    await rig.proxy.initializeAndWait(with: ProxyRig.options { $0.transport = transport })
    rig.proxy.track("a")
    async let flush: Void = rig.proxy.wait { .flush($0) }
    await transport.untilAsked(1)
    rig.clock.advance(by: .seconds(9))
    await flush
    rig.clock.advance(by: .seconds(1))
    await transport.untilAsked(2)
    #expect(await rig.proxy.getDebugInfo()["queueLength"] == .integer(0))
    await rig.proxy.resetAndWait()
    rig.proxy.initialize(with: ProxyRig.options())
    rig.proxy.track("b")
    // The next client gives the old exchange a second, and then goes on without.
    await eventually { rig.clock.sleepers > 0 }
    #expect(!rig.proxy.isReady)
    rig.clock.advance(by: .seconds(1))
    _ = await rig.proxy.getAnonymousId()
    transport.release()
    #expect(try await rig.names() == ["b"])
    #expect(await rig.proxy.getDebugInfo()["lifecycle"] == .text("ready"))
  }

  @Test("Thousands of calls at once from threads without a task, one that handles signals among them")
  func foreignThreads() async throws {
    let rig = ProxyRig()
    let proxy = rig.proxy
    var options = InitOptions(
      writeKey: "k-123456", ingestionHost: "https://in.example.com", maxDiskEvents: 100_000)
    options.maxBufferedCalls = 100_000
    proxy.initialize(with: options)
    await ForeignThreads.run(9) { thread in
      if thread == 0 { ForeignThreads.takeSignal() }
      for number in 0..<600 {
        proxy.track("\(thread)", properties: ["n": number])
        if number % 200 == 0 { proxy.flush() }
      }
    }
    var next = [String: Int]()
    var outOfOrder = 0
    for event in try await rig.delivered() {
      let name = event["event"] as? String ?? "?"
      if (event["properties"] as? [String: Any])?["n"] as? Int != next[name, default: 0] { outOfOrder += 1 }
      next[name, default: 0] += 1
    }
    #expect(outOfOrder == 0)
    #expect(next == Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", 600) }))
    #expect(rig.transport.mostInFlight == 1)
  }

  @Test("A reset ends well in every state of the client", arguments: LifecycleMachine.State.allCases)
  func reset(_ state: LifecycleMachine.State) async throws {
    let rig = ProxyRig()
    try await rig.reach(state)
    await rig.proxy.resetAndWait()
    #expect(rig.values.all.isEmpty && rig.disk.count == 0)
    #expect(await rig.proxy.getDebugInfo()["lifecycle"] == .text("idle"))
    let before = rig.transport.bodies.count
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.track("after")
    _ = try await rig.delivered()
    #expect(rig.transport.bodies.count == before + 1)
    let last = try CoreRig.events(in: try #require(rig.transport.bodies.last))
    #expect(last.map { $0["event"] as? String } == ["after"])
    #expect(last[0]["userId"] == nil)
  }

  @Test("Of many initializations at once with different options one counts, and all events are its")
  func manyInitializations() async throws {
    let rig = ProxyRig()
    let proxy = rig.proxy
    let transports = (0..<20).map { _ in ScriptedTransport() }
    await ForeignThreads.run(transports.count) { number in
      proxy.initialize(with: ProxyRig.options { $0.transport = transports[number] })
      proxy.track("\(number)")
    }
    await proxy.initializeAndWait(with: ProxyRig.options())
    await proxy.wait { .flush($0) }
    let used = transports.filter { !$0.bodies.isEmpty }
    #expect(used.count == 1 && rig.transport.bodies.isEmpty)
    let events = try used.flatMap { try $0.bodies.flatMap { try CoreRig.events(in: $0) } }
    #expect(Set(events.compactMap { $0["event"] as? String }) == Set((0..<20).map { "\($0)" }))
    #expect(rig.warnings.count { $0.contains("called again") } == 20)
  }

  @Test("The clock set back by a day costs no event on disk, and keeps the order")
  func clockSetBack() throws {
    let rig = CoreRig()
    rig.handle(.networkChanged(isOnline: false))
    rig.track("a", "b")
    rig.flush()
    rig.clock.set(wallTime: rig.clock.wallTime.addingTimeInterval(-86_400))
    rig.track("c")
    rig.flush()
    #expect(rig.disk.count == 3)
    let next = CoreRig(disk: rig.disk, values: rig.values, clock: rig.clock)
    next.deliverAll()
    let events = try next.allEvents()
    #expect(events.map { $0["event"] as? String } == ["a", "b", "c"])
    #expect(events.allSatisfy { MessageID.isValid($0["messageId"] as? String ?? "") })
    #expect(next.core.dropped.isEmpty && next.core.deliveredCount == 3)
  }

  @Test(
    "A full disk loses nothing: events wait in memory, the app is told, and a disk with room again takes them"
  )
  func fullDisk() throws {
    let rig = CoreRig()
    rig.disk.state.withLock { $0.refusesWrites = true }
    rig.handle(.networkChanged(isOnline: false))
    for number in 0..<2500 { rig.track("e\(number)") }
    rig.handle(.enterBackground(nil))
    #expect(rig.core.waiting == 2500 && rig.core.dropped.isEmpty && rig.disk.count == 0)
    #expect(!rig.reports.isEmpty && rig.reports.allSatisfy { $0.code == .storage })
    rig.handle(.enterForeground)
    rig.disk.state.withLock { $0.refusesWrites = false }
    rig.advance(by: .seconds(20))
    #expect(rig.disk.count == 2500)
    rig.handle(.networkChanged(isOnline: true))
    rig.advance(by: .seconds(2))
    rig.deliverAll()
    #expect(try rig.allEvents().map { $0["event"] as? String } == (0..<2500).map { "e\($0)" })
  }

  @Test(
    "A folder in which nothing can be written leaves a client that works in memory",
    arguments: ["/dev/null/below", "/proc/nowhere"])
  func readOnly(_ folder: String) async throws {
    let rig = ProxyRig()
    let errors = Recorder<DeliveryError>()
    var environment = DeliveryEnvironment.system
    environment.transport = rig.transport
    environment.clock = rig.clock
    environment.log = { _ in }
    let proxy = AnalyticsProxy(environment)
    await proxy.initializeAndWait(
      with: ProxyRig.options {
        $0.dataFolder = URL(fileURLWithPath: folder)
        $0.onError = { errors.append($0) }
      })
    #expect(!errors.all.isEmpty && errors.all.allSatisfy { $0.code == .storage })
    #expect(errors.all.allSatisfy { $0.message.contains(folder) })
    let id = await proxy.getAnonymousId()
    #expect(await proxy.getAnonymousId() == id)
    for number in 0..<600 { proxy.track("e\(number)") }
    await proxy.wait { .enterBackground($0) }
    let events = try rig.transport.bodies.flatMap { try CoreRig.events(in: $0) }
    #expect(events.map { $0["event"] as? String } == (0..<600).map { "e\($0)" })
    #expect(events.allSatisfy { $0["anonymousId"] as? String == id })
    await proxy.resetAndWait()
    #expect(await proxy.getDebugInfo()["lifecycle"] == .text("idle"))
  }

  @Test("A metric store that never returns, or that fails, delays nothing", arguments: [true, false])
  func metricStore(hangs: Bool) async throws {
    let rig = ProxyRig()
    let store = BadStore(hangs: hangs)
    await rig.proxy.initializeAndWait(with: ProxyRig.options { $0.metrics = AnyMetricStore(store) })
    for number in 0..<500 { rig.proxy.track("e\(number)") }
    #expect(try await rig.names() == (0..<500).map { "e\($0)" })
    await rig.proxy.resetAndWait()
    #expect(store.asked > 0)
    store.release()
  }
}

extension ProxyRig {
  /// Brings the client there, with a user, and with an event on disk where there may be one.
  fileprivate func reach(_ state: LifecycleMachine.State) async throws {
    switch state {
    case .idle: proxy.track("early")
    case .initializing:
      proxy.identify("ada")
      proxy.initialize(with: Self.options())
    case .ready, .resetting:
      await proxy.initializeAndWait(with: Self.options())
      proxy.accept(.networkChanged(isOnline: false))
      proxy.identify("ada")
      await proxy.wait { .flush($0) }
      try #require(disk.count == 1)
      if state == .resetting { proxy.reset() }
    case .disabled:
      transport.answer(401)
      await proxy.initializeAndWait(with: Self.options())
      proxy.identify("ada")
      await proxy.wait { .flush($0) }
      try #require(await proxy.getDebugInfo()["lifecycle"] == .text("disabled"))
    }
  }
}

/// A metric store that keeps whoever records waiting until the test lets go, or refuses everything.
private final class BadStore: MetricStore {
  private let hangs: Bool
  private let state = Locked<(asked: Int, waiting: [CheckedContinuation<Void, Never>], isOver: Bool)>(
    (0, [], false))

  var asked: Int { state.withLock { $0.asked } }

  init(hangs: Bool) { self.hangs = hangs }

  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    guard hangs else {
      state.withLock { $0.asked += 1 }
      throw MetricError(.unsupported, "broken")
    }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.asked += 1
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }
  func sync() async throws {}

  func release() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOver = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
