import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// A reset is one step for its caller: nothing of before comes after it.
@Suite("Reset")
struct ResetTests {
  @Test("No id of the user before a reset is carried by an event after it", arguments: [false, true])
  func identity(initializes: Bool) async throws {
    let folder = try TemporaryFolder()
    let rig = ProxyRig { _ in FileKeyValues(path: folder.path("identity.json")) }
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.identify("alice")
    let old = await rig.proxy.getAnonymousId()
    rig.proxy.reset()
    if initializes { rig.proxy.initialize(with: ProxyRig.options()) }
    rig.proxy.track("of no user")
    rig.proxy.identify("bob")
    let new = await rig.proxy.getAnonymousId()
    let events = try await rig.delivered()
    #expect(events.map { $0["userId"] as? String } == [nil, "bob"])
    #expect(Set(events.map { $0["anonymousId"] as? String }) == [new] && new != old)
    let stored = IdentityStorage(FileKeyValues(path: folder.path("identity.json"))).load()
    #expect(stored.userID == "bob" && stored.anonymousID == new)
  }

  @Test("The first event after a reset starts the client with the same options")
  func goesOn() async throws {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(
      with: InitOptions(
        writeKey: "secret-key-1234", ingestionHost: "https://in.example.com", flushIntervalSeconds: 77))
    rig.proxy.reset()
    rig.proxy.track("after")
    #expect(try await rig.names() == ["after"])
    let info = await rig.proxy.getDebugInfo()
    #expect(info["lifecycle"] == .text("ready") && info["flushIntervalSeconds"] == .integer(77))
    #expect(rig.warnings.isEmpty)
  }

  @Test("A process that ends right after a reset leaves nothing of the user for the next one")
  func endsAfterReset() async {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    await rig.proxy.wait { .flush($0) }
    rig.proxy.reset()
    // Another process would find this, however far the client has come.
    let isMarked = rig.marks.all == ["metarouter:reset_pending": "1"]
    #expect(isMarked || rig.values.all.isEmpty && rig.disk.count == 0)

    let old = CoreRig(
      marks: InMemoryKeyValues(["metarouter:reset_pending": "1"]), seed: 8, begins: false)
    let before = CoreRig(disk: old.disk, values: old.values)
    before.send(.identify("alice"))
    before.track("hers")
    before.handle(.terminate(nil))
    let alice = before.core.identity.anonymousID
    old.begin()
    #expect(old.core.identity.userID == nil && old.core.identity.anonymousID != alice)
    #expect(old.disk.count == 0 && old.core.dropped == [.reset: 2])
    #expect(old.marks.all.isEmpty)
  }

  @Test("Events of before that cannot be removed are not sent by the next process either")
  func undeletable() throws {
    let before = CoreRig()
    before.track("hers")
    before.handle(.terminate(nil))
    before.disk.state.withLock { $0.refusesRemovals = true }
    let next = CoreRig(
      disk: before.disk, values: before.values,
      marks: InMemoryKeyValues(["metarouter:reset_pending": "1"]))
    next.track("his")
    next.deliverAll()
    #expect(try next.allEvents().map { $0["event"] as? String } == ["his"])
    #expect(!next.marks.all.isEmpty)
  }

  @Test("A reset before the initialization forgets what an earlier launch stored")
  func earlierLaunch() async throws {
    let before = CoreRig()
    before.send(.identify("alice"))
    before.handle(.terminate(nil))
    let rig = ProxyRig()
    try rig.disk.append(before.disk.events)
    for (key, value) in before.values.all { rig.values.set(value, for: key) }
    rig.proxy.reset()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.track("of no user")
    let events = try await rig.delivered()
    #expect(events.map { $0["event"] as? String } == ["of no user"] && events[0]["userId"] == nil)
  }

  @Test("While collection is off, nothing is kept, and no event starts the client again after a reset")
  func disabled() async throws {
    let rig = ProxyRig()
    rig.proxy.isEnabled = false
    rig.proxy.track("early")
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.identify("alice")
    rig.proxy.isEnabled = true
    rig.proxy.track("wanted")
    #expect(try await rig.names() == ["wanted"])
    rig.proxy.isEnabled = false
    await rig.proxy.resetAndWait()
    rig.proxy.track("after")
    #expect(await rig.proxy.getDebugInfo()["lifecycle"] == .text("idle"))
    #expect(rig.values.all.isEmpty && rig.disk.count == 0)
  }

  @Test("Waits return in every state")
  func waits() async {
    let rig = ProxyRig()
    let calls: [(Waiter<Void>) -> Call] = [{ .flush($0) }, { .enterBackground($0) }, { .terminate($0) }]
    for call in calls { await rig.proxy.wait(for: call) }
    await rig.proxy.resetAndWait()
    for call in calls { await rig.proxy.wait(for: call) }
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    rig.proxy.reset()
    for call in calls { await rig.proxy.wait(for: call) }
    #expect(await rig.proxy.getDebugInfo()["lifecycle"] == .text("idle"))
  }

  @Test("A question asked while a client ends is answered")
  func question() async {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    await rig.proxy.resetAndWait()
    let info = await withCheckedContinuation { continuation in
      rig.proxy.accept(.debugInfo(Waiter { continuation.resume(returning: $0) }))
    }
    #expect(info["proxy"] == .bool(true))
  }
}
