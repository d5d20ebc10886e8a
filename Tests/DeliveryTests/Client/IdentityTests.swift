import DeliveryCore
import Foundation
import Testing

@Suite("The identity of a client")
struct ClientIdentityTests {
  @Test("B-34: First initialization creates and stores a lower-case UUID")
  func first() {
    let rig = CoreRig()
    let id = rig.core.identity.anonymousID
    #expect(UUID(uuidString: id) != nil)
    #expect(id == id.lowercased())
    #expect(rig.values.value("metarouter:anonymous_id") == id)
  }

  @Test("B-35: Stored anonymous, user and group ids are loaded at start")
  func loaded() {
    let rig = CoreRig(
      values: InMemoryKeyValues([
        "metarouter:anonymous_id": "anon", "metarouter:user_id": "ada", "metarouter:group_id": "team",
      ]))
    #expect(rig.core.identity == Identity(anonymousID: "anon", userID: "ada", groupID: "team"))
  }

  @Test("B-36: identify and group store their id and overwrite the previous one")
  func overwrite() {
    let rig = CoreRig()
    for id in ["a", "b"] {
      rig.send(.identify("user-" + id))
      rig.send(.group("group-" + id))
    }
    #expect(rig.values.value("metarouter:user_id") == "user-b")
    #expect(rig.values.value("metarouter:group_id") == "group-b")
  }

  @Test("B-37: Initializing again keeps the anonymous id")
  func kept() {
    let rig = CoreRig()
    let again = CoreRig(values: rig.values)
    #expect(again.core.identity.anonymousID == rig.core.identity.anonymousID)
  }

  @Test("B-38: Reset wipes memory and storage; the next start has a new anonymous id and no old user")
  func reset() {
    let version = ["metarouter:app_version": "2.1", "metarouter:app_build": "77"]
    let rig = CoreRig(values: InMemoryKeyValues(version))
    let old = rig.core.identity.anonymousID
    rig.send(.identify("ada"))
    rig.send(.group("team"))
    rig.handle(.setAdvertisingID("4A1E1F40-0000-4000-8000-123456789ABC"))
    rig.handle(.terminate(nil))
    rig.track("In memory")
    #expect(rig.disk.count == 2 && rig.core.waiting == 3)
    rig.handle(.reset(nil))
    #expect(rig.core.lifecycle.state == .idle)
    #expect(rig.core.waiting == 0)
    #expect(rig.core.dropped == [.reset: 3])
    #expect(rig.disk.count == 0)
    #expect(rig.values.all == version)
    let next = CoreRig(values: rig.values, seed: 8)
    #expect(next.core.identity.anonymousID != old)
    #expect(next.core.identity.userID == nil)
    #expect(next.core.identity.advertisingID == nil)
  }

  @Test("B-39: Identity is shared by a later instance over the same storage")
  func shared() throws {
    let rig = CoreRig()
    rig.send(.identify("ada"))
    let later = CoreRig(values: rig.values)
    later.track("Opened")
    later.flush()
    #expect(try later.events(of: 0)[0]["userId"] as? String == "ada")
  }

  @Test(
    "B-40: Unicode, special characters and very long ids survive storage",
    arguments: [
      "Ünï-😀-\u{202E}x", "a\"b\\c\n\t\u{0}", String(repeating: "long", count: 5000),
    ])
  func strange(_ id: String) throws {
    let rig = CoreRig()
    rig.send(.identify(id))
    let later = CoreRig(values: rig.values)
    #expect(later.core.identity.userID == id)
    later.track("Opened")
    later.flush()
    #expect(try later.events(of: 0)[0]["userId"] as? String == id)
  }

  @Test("B-41: The four storage keys are exactly as specified")
  func keys() {
    let rig = CoreRig()
    rig.send(.identify("u"))
    rig.send(.group("g"))
    rig.handle(.setAdvertisingID("4A1E1F40-0000-4000-8000-123456789ABC"))
    #expect(
      Set(rig.values.all.keys) == [
        "metarouter:anonymous_id", "metarouter:user_id", "metarouter:group_id", "metarouter:advertising_id",
      ])
  }

  @Test(
    "B-42: A blank user, group or alias id is refused with a warning and sends nothing",
    arguments: [
      EventDraft.identify(" "), .group(""), .alias("\n"),
    ])
  func blank(_ draft: EventDraft) {
    let rig = CoreRig()
    rig.send(draft)
    rig.flush()
    #expect(rig.requests.isEmpty)
    #expect(rig.core.identity.userID == nil && rig.core.identity.groupID == nil)
    #expect(rig.core.dropped == [.invalidCall: 1])
    #expect(rig.lines.contains { $0.level == .warning && $0.text.contains("blank id") })
  }

  @Test(
    "B-43: Setting the advertising id to nothing clears it; clearing twice is harmless and touches no other id"
  )
  func clearing() {
    let rig = CoreRig()
    rig.send(.identify("ada"))
    rig.handle(.setAdvertisingID("4A1E1F40-0000-4000-8000-123456789ABC"))
    for _ in 0..<2 { rig.handle(.setAdvertisingID(nil)) }
    #expect(rig.core.identity.advertisingID == nil)
    #expect(rig.values.value("metarouter:advertising_id") == nil)
    #expect(rig.values.value("metarouter:user_id") == "ada")
    rig.handle(.setAdvertisingID("no uuid"))
    #expect(rig.core.identity.advertisingID == nil)
    #expect(rig.lines.contains { $0.level == .warning && $0.text.contains("not a UUID") })
  }

  @Test("B-44: The advertising id is restored at start and removed by reset")
  func advertisingID() {
    let id = "4A1E1F40-0000-4000-8000-123456789ABC"
    let rig = CoreRig(values: InMemoryKeyValues(["metarouter:advertising_id": id]))
    #expect(rig.core.identity.advertisingID == id)
    rig.handle(.reset(nil))
    #expect(rig.values.value("metarouter:advertising_id") == nil)
  }

  @Test("B-45: alias stores the new user id for later events and keeps the anonymous id")
  func alias() throws {
    let rig = CoreRig()
    let anonymousID = rig.core.identity.anonymousID
    rig.send(.identify("old"))
    rig.send(.alias("new", previous: "old"))
    rig.track("Later")
    rig.flush()
    let events = try rig.events(of: 0)
    #expect(events.map { $0["userId"] as? String } == ["old", "new", "new"])
    #expect(events.allSatisfy { $0["anonymousId"] as? String == anonymousID })
    #expect((events[1]["properties"] as? [String: Any])?["previousId"] as? String == "old")
  }

  @Test("No event ever carries an empty anonymous id, whatever the storage does")
  func neverEmpty() throws {
    let rig = CoreRig(values: InMemoryKeyValues(["metarouter:anonymous_id": ""]))
    rig.track("Opened")
    rig.flush()
    #expect(try rig.events(of: 0)[0]["anonymousId"] as? String == rig.core.identity.anonymousID)
    #expect(!rig.core.identity.anonymousID.isEmpty)
  }
}
