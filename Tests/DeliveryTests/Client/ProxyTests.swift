import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

@Suite("The proxy")
struct ProxyTests {
  @Test("B-23: Every call kind made before binding is replayed after it")
  func replay() async throws {
    let rig = ProxyRig()
    let proxy = rig.proxy
    proxy.track("t", properties: ["a": 1])
    proxy.identify("u", traits: ["b": 2])
    proxy.group("g")
    proxy.screen("s")
    proxy.page("p")
    proxy.alias("v")
    proxy.setAdvertisingId("4A1E1F40-0000-4000-8000-123456789ABC")
    proxy.setTracing(true)
    proxy.track("last")
    await proxy.initializeAndWait(with: ProxyRig.options())
    let events = try await rig.delivered()
    #expect(
      events.map { $0["type"] as? String } == [
        "track", "identify", "group", "screen", "page", "alias", "track",
      ])
    #expect(events.map { $0["userId"] as? String } == [nil, "u", "u", "u", "u", "v", "v"])
    let device = (events.last?["context"] as? [String: Any])?["device"] as? [String: Any]
    #expect(device?["advertisingId"] as? String == "4A1E1F40-0000-4000-8000-123456789ABC")
    let info = await proxy.getDebugInfo()
    #expect(info["tracing"] == .bool(true))
  }

  @Test("B-23: Calls that are no events are replayed as well")
  func replayOfOthers() async throws {
    let rig = ProxyRig()
    let proxy = rig.proxy
    proxy.setAdvertisingId("4A1E1F40-0000-4000-8000-123456789ABC")
    proxy.clearAdvertisingId()
    proxy.enableDebugLogging()
    proxy.recordOpenedURL(try #require(URL(string: "notes://x")), sourceApplication: "com.a")
    proxy.accept(.enterBackground(nil))
    proxy.accept(.enterForeground)
    await proxy.initializeAndWait(with: ProxyRig.options { $0 = $0.tracking })
    let events = try await rig.delivered()
    #expect(
      events.map { $0["event"] as? String } == [
        "Application Installed", "Application Opened", "Application Backgrounded", "Application Opened",
      ])
    #expect((events.dropFirst().first?["properties"] as? [String: Any])?["url"] as? String == "notes://x")
    #expect(rig.values.value("metarouter:advertising_id") == nil)
    #expect(rig.log.withLock { $0.contains { $0.level == .debug } })
  }

  @Test("B-24: With buffer cap N, N+10 early calls replay the last N in order")
  func bufferCap() async throws {
    let rig = ProxyRig()
    for number in 0..<30 { rig.proxy.track("e\(number)") }
    await rig.proxy.initializeAndWait(with: ProxyRig.options { $0.maxBufferedCalls = 20 })
    #expect(try await rig.names() == (10..<30).map { "e\($0)" })
    let info = await rig.proxy.getDebugInfo()
    #expect(info["dropped"] == .object(["proxyFull": .integer(10)]))
  }

  @Test("B-25: After replay the buffer is empty and later calls go straight through")
  func straight() async throws {
    let rig = ProxyRig()
    rig.proxy.track("early")
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.track("late")
    #expect(try await rig.names() == ["early", "late"])
    #expect(try await rig.names() == ["early", "late"])
  }

  @Test("B-26: Debug information before binding says it comes from the proxy")
  func debugInfo() async {
    let rig = ProxyRig()
    let info = await rig.proxy.getDebugInfo()
    #expect(info["proxy"] == .bool(true))
    rig.proxy.initialize(with: InitOptions(writeKey: "secret-key-1234", ingestionHost: "nowhere"))
    let refused = await rig.proxy.getDebugInfo()
    #expect(refused["proxy"] == .bool(true))
    #expect(refused["writeKey"] == .text("***1234"))
    #expect(refused["ingestionHost"] == .text("nowhere"))
    #expect(refused["error"] != nil)
  }

  @Test("B-27: Racing bind and unbind does not crash")
  func racing() async {
    let rig = ProxyRig()
    await withTaskGroup(of: Void.self) { group in
      for turn in 0..<40 {
        group.addTask {
          switch turn % 4 {
          case 0: rig.proxy.initialize(with: ProxyRig.options())
          case 1: rig.proxy.reset()
          case 2: rig.proxy.track("e\(turn)")
          default: await rig.proxy.initializeAndWait(with: ProxyRig.options())
          }
        }
      }
    }
    await rig.proxy.resetAndWait()
    #expect(rig.disk.count == 0)
  }

  @Test("B-28: A second bind is ignored and nothing is replayed twice")
  func secondBind() async throws {
    let rig = ProxyRig()
    rig.proxy.track("once")
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    await rig.proxy.initializeAndWait(
      with: InitOptions(writeKey: "other", ingestionHost: "https://other.example.com"))
    #expect(try await rig.names() == ["once"])
    #expect(rig.warnings.contains { $0.contains("called again") })
    let info = await rig.proxy.getDebugInfo()
    #expect(info["ingestionHost"] == .text("https://in.example.com"))
  }

  @Test("B-29: After unbinding, calls no longer reach the old client")
  func unbound() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    await rig.proxy.resetAndWait()
    rig.proxy.setTracing(true)
    #expect(await rig.proxy.getDebugInfo()["lifecycle"] == .text("idle"))
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.track("of the next one")
    #expect(try await rig.names() == ["of the next one"])
    #expect(await rig.proxy.getDebugInfo()["tracing"] == .bool(true))
  }

  @Test("B-30: An anonymous-id request before binding resolves after it, with a stable value")
  func anonymousID() async {
    let rig = ProxyRig()
    async let early = rig.proxy.getAnonymousId()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    let late = await rig.proxy.getAnonymousId()
    #expect(await early == late)
    #expect(UUID(uuidString: late) != nil)
  }

  @Test("An anonymous-id request of a client with invalid options gets the stored id, or a new one")
  func anonymousIDWhenRefused() async {
    let rig = ProxyRig()
    async let early = rig.proxy.getAnonymousId()
    rig.proxy.initialize(with: InitOptions(writeKey: "", ingestionHost: ""))
    let late = await rig.proxy.getAnonymousId()
    #expect(await early == late)
    #expect(rig.values.value("metarouter:anonymous_id") == late)
  }

  @Test("B-31: Parallel flush requests share one flush")
  func sharedFlush() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    for number in 0..<5 { rig.proxy.track("e\(number)") }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { await rig.proxy.wait { .flush($0) } } }
    }
    #expect(rig.transport.bodies.count == 1)
    #expect(rig.transport.mostInFlight == 1)
  }

  @Test("B-32: Reset and initialize with other options takes the new options")
  func otherOptions() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.reset()
    await rig.proxy.initializeAndWait(
      with: InitOptions(writeKey: "another-key", ingestionHost: "https://other.example.com"))
    let info = await rig.proxy.getDebugInfo()
    #expect(info["ingestionHost"] == .text("https://other.example.com"))
    #expect(info["writeKey"] == .text("***-key"))
  }

  @Test("B-33: The shared accessor may be used before initialization")
  func shared() async {
    Analytics.shared.track("nobody listens yet")
    let info = await Analytics.shared.getDebugInfo()
    #expect(info["proxy"] == .bool(true))
  }

  @Test("A client with invalid options drops and counts every later call, and nothing hangs")
  func refused() async {
    let rig = ProxyRig()
    rig.proxy.track("early")
    await rig.proxy.initializeAndWait(
      with: InitOptions(writeKey: " ", ingestionHost: "https://in.example.com"))
    rig.proxy.track("late")
    await rig.proxy.wait { .flush($0) }
    await rig.proxy.wait { .enterBackground($0) }
    let info = await rig.proxy.getDebugInfo()
    #expect(info["dropped"] == .object(["invalidOptions": .integer(2)]))
    // Better options may follow.
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    #expect(await rig.proxy.getDebugInfo()["lifecycle"] == .text("ready"))
  }

  @Test("A wait for an id goes on when the options are refused, and stays in line over a reset before")
  func waiters() async {
    let rig = ProxyRig()
    let ended = Recorder<String>()
    rig.proxy.accept(.anonymousID(Waiter { ended.append($0) }))
    rig.proxy.reset()
    #expect(ended.all.isEmpty)
    rig.proxy.initialize(with: InitOptions(writeKey: "", ingestionHost: ""))
    let id = rig.values.value("metarouter:anonymous_id") ?? ""
    #expect(ended.all == [id] && !id.isEmpty)
  }

  @Test(
    "B-128: Ten thousand alternating track and identify calls from one thread arrive in order with the right user id"
  )
  func alternating() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    for number in 0..<5_000 {
      rig.proxy.identify("u\(number)")
      rig.proxy.track("e\(number)")
    }
    let events = try await rig.delivered()
    #expect(events.count == 10_000)
    var wrong = 0
    for number in 0..<5_000 {
      let (identify, track) = (events[2 * number], events[2 * number + 1])
      let isRight =
        identify["userId"] as? String == "u\(number)" && track["userId"] as? String == "u\(number)"
        && track["event"] as? String == "e\(number)"
      if !isRight { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(rig.transport.mostInFlight == 1)
  }

  @Test("B-53: Ten thousand calls from many threads are all delivered, in the order of each thread")
  func manyThreads() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    let proxy = rig.proxy
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<1_250 { proxy.track("\(thread)", properties: ["n": number]) }
        }
      }
    }
    var last = [String: Int]()
    var outOfOrder = 0
    for event in try await rig.delivered() {
      let number = (event["properties"] as? [String: Any])?["n"] as? Int ?? -1
      let name = event["event"] as? String ?? "?"
      if number != last[name, default: -1] + 1 { outOfOrder += 1 }
      last[name] = number
    }
    #expect(outOfOrder == 0)
    #expect(last.values.allSatisfy { $0 == 1_249 })
    #expect(last.count == 8)
  }

  @Test("B-129: After facade reset and re-initialization only one sender exists")
  func oneSender() async throws {
    let rig = ProxyRig()
    for turn in 0..<5 {
      await rig.proxy.initializeAndWait(with: ProxyRig.options())
      for number in 0..<40 { rig.proxy.track("\(turn)-\(number)") }
      if turn < 4 { rig.proxy.reset() }
    }
    let names = try await rig.names()
    #expect(rig.transport.mostInFlight == 1)
    #expect(names.suffix(40) == (0..<40).map { "4-\($0)" })
    // The timers of the clients before are gone.
    let count = rig.transport.bodies.count
    rig.clock.advance(by: .seconds(60))
    await rig.proxy.wait { .flush($0) }
    #expect(rig.transport.bodies.count == count)
  }

  @Test("B-93: A reset stops the monitor, and what it says later brings nobody online")
  func monitor() async throws {
    let rig = ProxyRig()
    let monitor = ToldNetwork()
    await rig.proxy.initializeAndWait(with: ProxyRig.options { $0.networkMonitor = monitor })
    monitor.tell(false)
    rig.proxy.track("offline")
    monitor.tell(true)
    #expect(await rig.proxy.getDebugInfo()["networkStatus"] == .text("returning"))
    await rig.proxy.resetAndWait()
    #expect(monitor.stops == 1)
    monitor.tell(true)
    rig.clock.advance(by: .seconds(60))
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    #expect(try await rig.names().isEmpty)
    #expect(await rig.proxy.getDebugInfo()["networkStatus"] == .text("online"))
  }

  @Test("The timer of a client delivers without any further call")
  func timer() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.track("alone")
    _ = await rig.proxy.getDebugInfo()
    rig.clock.advance(by: .seconds(10))
    // The tick is a task of its own: it comes before long, without any other call of the app.
    await eventually { !rig.transport.bodies.isEmpty }
    #expect(rig.transport.bodies.count == 1)
  }

  @Test("Typed properties and those of any type give the same event")
  func typed() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    let analytics: any AnalyticsInterface = rig.proxy
    let typed: [String: PropertyValue] = ["a": 1, "b": [true, nil, "x"], "c": ["d": 2.5]]
    analytics.track("typed", properties: typed)
    analytics.track("any", properties: ["a": 1, "b": [true, NSNull(), "x"] as [Any], "c": ["d": 2.5]])
    let events = try await rig.delivered()
    let properties = events.map { $0["properties"] as? NSDictionary }
    #expect(properties[0] != nil)
    #expect(properties[0] == properties[1])
  }
}

/// A network of which the test tells, whether it was stopped or not.
private final class ToldNetwork: NetworkMonitor {
  private let changed = Locked<(@Sendable (Bool) -> Void)?>(nil)
  private let stopCount = Locked(0)

  var stops: Int { stopCount.withLock { $0 } }

  func start(_ changed: @escaping @Sendable (Bool) -> Void) { self.changed.withLock { $0 = changed } }

  func stop() { stopCount.withLock { $0 += 1 } }

  func tell(_ isOnline: Bool) { changed.withLock { $0 }?(isOnline) }
}

extension InitOptions {
  /// The same with lifecycle events.
  fileprivate var tracking: InitOptions {
    InitOptions(writeKey: writeKey, ingestionHost: ingestionHost, trackLifecycleEvents: true)
  }
}
