import Foundation
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("The app's say before an event is queued")
struct EnrichTests {
  @Test("An event is sent as the app returns it, under its own id and type")
  func enriched() throws {
    let rig = CoreRig({ options in
      options.enrich = { event in
        var event = event
        event.name = event.name.map { "app." + $0 }
        event.properties = (event.properties ?? [:]).merging(["tier": "gold"]) { _, new in new }
        return event
      }
    })
    rig.send(.track("a", properties: ["n": 1]))
    rig.flush()
    let event = try #require(try rig.events(of: 0).first)
    #expect(event["event"] as? String == "app.a" && event["type"] as? String == "track")
    let properties = try #require(event["properties"] as? [String: Any])
    #expect(properties["n"] as? Int == 1 && properties["tier"] as? String == "gold")
    #expect((event["messageId"] as? String)?.isEmpty == false)
  }

  @Test("A vetoed event is not sent, but counted; a vetoed identify changes no identity")
  func vetoed() throws {
    let rig = CoreRig({ options in
      options.enrich = { $0.type == "identify" || $0.name == "secret" ? nil : $0 }
    })
    rig.track("secret", "open")
    rig.send(.identify("ada"))
    rig.track("later")
    rig.flush()
    #expect(try rig.events(of: 0).map { $0["event"] as? String } == ["open", "later"])
    #expect(try rig.events(of: 0).allSatisfy { $0["userId"] == nil })
    #expect(rig.core.dropped == [.vetoed: 2])
    #expect(DropCause.vetoed.sentence(1) == "because it was vetoed by the app")
  }
}
