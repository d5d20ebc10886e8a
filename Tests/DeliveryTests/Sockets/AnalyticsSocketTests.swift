import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

/// The one client of a process, by its public names, with the clock of the machine.
@Suite("An app and nginx", .serialized)
struct AnalyticsSocketTests {
  private func options(_ host: String, in folder: TemporaryFolder) -> InitOptions {
    var options = InitOptions(writeKey: "secret-key-1234", ingestionHost: host + "//")
    options.dataFolder = folder.url
    return options
  }

  @Test("Calls before and after the initialization arrive in their order, complete")
  func delivered() async throws {
    let server = try IngestionServer([.init(name: "good", takes: true)])
    let folder = try TemporaryFolder()
    Analytics.shared.track("1")
    let analytics = Analytics.initialize(with: options(server.host("good"), in: folder))
    analytics.identify("u-17", traits: ["plan": "free"])
    analytics.track("2", properties: ["cart": ["items": 3, "total": 9.5]] as [String: Any])
    await Analytics.flushAndWait()
    analytics.track("3")
    await Analytics.flushAndWait()
    let id = await analytics.getAnonymousId()
    await Analytics.resetAndWait()
    let events = try server.bodies("good").flatMap { try CoreRig.events(in: $0) }
    #expect(events.map { $0["event"] as? String ?? "-" } == ["1", "-", "2", "3"])
    #expect(events.map { $0["userId"] as? String ?? "-" } == ["-", "u-17", "u-17", "u-17"])
    #expect(
      events.allSatisfy {
        $0["anonymousId"] as? String == id && $0["writeKey"] as? String == "secret-key-1234"
      })
    let properties = try #require(events[2]["properties"] as? [String: [String: Double]])
    #expect(properties == ["cart": ["items": 3, "total": 9.5]])
  }

  @Test("401 is told by the callback, and a reset begins anew")
  func refused() async throws {
    let server = try IngestionServer([
      .init(name: "bad", refusal: "return 401"), .init(name: "good", takes: true),
    ])
    let folder = try TemporaryFolder()
    let errors = Locked<[DeliveryError]>([])
    var options = options(server.host("bad"), in: folder)
    options.onError = { error in errors.withLock { $0.append(error) } }
    let analytics = await Analytics.initializeAndWait(with: options)
    analytics.track("1")
    await Analytics.flushAndWait()
    #expect(await analytics.getDebugInfo()["lifecycle"] == "disabled")
    #expect(errors.withLock { $0.map(\.code) } == [.disabled])
    #expect(errors.withLock { $0.map(\.status) } == [401])
    await Analytics.resetAndWait()
    await Analytics.initializeAndWait(with: self.options(server.host("good"), in: folder))
    analytics.track("2")
    await Analytics.flushAndWait()
    await Analytics.resetAndWait()
    #expect(try server.names("good") == ["2"])
  }
}
