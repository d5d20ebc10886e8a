import DeliveryCore
import Foundation
import TestSupport
import Testing

@Suite("Events")
struct EventWriterTests {
  static let drafts: [EventDraft] = [
    .track("Order Placed", properties: ["total": 12.5]), .identify("u-2", traits: ["plan": "pro"]),
    .group("g-2", traits: ["seats": 5]), .screen("Home", properties: ["tab": 1]), .page("Docs"),
    .alias("u-3", previous: "u-1"),
  ]
  static let identity = Identity(anonymousID: "a-1", userID: "u-1", groupID: "g-1")
  static let date = Date(timeIntervalSince1970: 1_795_377_600)
  private static let id = "1795377600000-910a2dec-8902-4cc1-beeb-8da1658eec67"

  /// The end of every event of these tests.
  private static let tail =
    #""timestamp":"2026-11-22T20:00:00.000Z","writeKey":"key/1","messageId":"\#(id)","context":{"app":{}}}"#

  @Test(
    "B-11: enrichment keeps type, name, ids, properties and traits and adds write key, message id and context"
  )
  func enrichment() {
    var draft = EventDraft(.track)
    draft.event = "Order \"Placed\""
    draft.userID = "u-9"
    draft.anonymousID = "a-9"
    draft.groupID = "g-9"
    draft.properties = ["b": [1, nil], "a": 2.0]
    draft.traits = ["plan": "pro"]
    draft.integrations = ["All": true]
    let event = Self.write(draft)
    #expect(
      Self.text(event.json)
        == #"{"type":"track","event":"Order \"Placed\"","userId":"u-9","anonymousId":"a-9","groupId":"g-9","#
        + #""properties":{"a":2.0,"b":[1,null]},"traits":{"plan":"pro"},"integrations":{"All":true},"#
        + Self.tail)
    #expect(event.messageID == Self.id)
    #expect(event.timestamp == "2026-11-22T20:00:00.000Z")
  }

  @Test("Ids that the call does not give are those of the identity")
  func identity() {
    #expect(
      Self.text(Self.write(.track("x")).json)
        == #"{"type":"track","event":"x","userId":"u-1","anonymousId":"a-1","groupId":"g-1","# + Self.tail)
  }

  @Test(
    "B-12: a caller's timestamp is kept, a missing one is generated",
    arguments: ["2020-01-01T00:00:00+01:00", "then"])
  func timestamp(text: String) throws {
    var draft = EventDraft.track("x")
    #expect(Self.write(draft).timestamp == "2026-11-22T20:00:00.000Z")
    draft.timestamp = text
    let event = Self.write(draft)
    #expect(event.timestamp == text)
    #expect(try #require(DeliveredEvent(json: event.json)).timestamp == text)
  }

  @Test("B-13: each of the six event types puts its name, ids and payload in the specified members")
  func kinds() {
    let expected = [
      #"{"type":"track","event":"Order Placed","anonymousId":"a","properties":{"total":12.5},"#,
      #"{"type":"identify","userId":"u-2","anonymousId":"a","traits":{"plan":"pro"},"#,
      #"{"type":"group","anonymousId":"a","groupId":"g-2","properties":{"groupId":"g-2"},"traits":{"seats":5},"#,
      #"{"type":"screen","event":"Home","anonymousId":"a","properties":{"name":"Home","tab":1},"#,
      #"{"type":"page","event":"Docs","anonymousId":"a","properties":{"name":"Docs"},"#,
      #"{"type":"alias","userId":"u-3","anonymousId":"a","properties":{"previousId":"u-1"},"#,
    ]
    for (draft, text) in zip(Self.drafts, expected) {
      #expect(Self.text(Self.write(draft, Identity(anonymousID: "a")).json) == text + Self.tail)
    }
    #expect(Self.drafts.map(\.kind) == EventDraft.Kind.allCases)
  }

  @Test(
    "A group without an id has no property of it, and a name of the properties gives way to that of the screen"
  )
  func oddities() {
    #expect(EventDraft.group(" ").properties == nil)
    #expect(EventDraft.screen("Home", properties: ["name": "other"]).properties == ["name": "Home"])
  }

  @Test("B-14: an alias with a previous id carries that id")
  func alias() throws {
    let event = try #require(DeliveredEvent(json: Self.write(.alias("new", previous: "old")).json))
    #expect(event.userID == "new")
    #expect(event.properties == ["previousId": "old"])
    #expect(event.anonymousID == "a-1")
    #expect(EventDraft.alias("new").properties == nil)
  }

  @Test("B-16: an event survives encode and decode unchanged")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 4)
    for var draft in Self.drafts {
      draft.integrations = ["All": false, "é\"\u{0}": [1, 1.0, nil, ["x": [:]]]]
      let event = DeliveredEvent(
        draft, identity: Self.identity, context: Array(#"{"os":{"name":"Linux"}}"#.utf8),
        messageID: MessageID.make(at: Self.date, using: &generator), timestamp: "2026-11-22T20:00:00.000Z",
        writeKey: "key")
      #expect(DeliveredEvent(json: event.json) == event)
      #expect(DeliveredEvent(json: event.json)?.json == event.json)
      let sent = BatchBody.bytes(
        [QueuedEvent(messageID: event.messageID, timestamp: event.timestamp, json: event.json)],
        sentAt: Self.date)
      #expect(DeliveredEvent(json: Array(sent.dropFirst(10).dropLast(2))) == event)
    }
  }

  @Test(
    "What lacks a member that each event has is none",
    arguments: ["type", "anonymousId", "timestamp", "writeKey", "messageId", "context"])
  func noEvent(member: String) {
    let json = Self.text(Self.write(.track("x", properties: ["a": 1])).json)
    #expect(DeliveredEvent(json: Array(json.replacing("\"\(member)\"", with: "\"x\"").utf8)) == nil)
    #expect(DeliveredEvent(json: Array(json.replacing("{\"a\":1}", with: "{\"a\":1e999}").utf8)) == nil)
    #expect(DeliveredEvent(json: Array(json.dropLast().utf8)) == nil)
  }

  @Test("B-17: missing properties lead to an absent member, not null")
  func absence() {
    let text = Self.text(Self.write(.track("x"), Identity(anonymousID: "a")).json)
    #expect(text == #"{"type":"track","event":"x","anonymousId":"a","# + Self.tail)
    #expect(Self.text(Self.write(.track("x", properties: [:])).json).contains(#""properties":{},"#))
  }

  @Test("B-18: ten parallel enrichments give ten valid distinct ids")
  func parallel() async throws {
    let ids = await withTaskGroup(of: String.self) { group in
      for _ in 0..<10 {
        group.addTask {
          var generator = SystemRandomNumberGenerator()
          let id = MessageID.make(at: Self.date, using: &generator)
          let event = EventWriter(writeKey: "key").write(
            .track("x"), identity: Self.identity, context: Array("{}".utf8), messageID: id,
            timestamp: Self.date)
          return DeliveredEvent(json: event.json)?.messageID ?? ""
        }
      }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 10)
    #expect(ids.allSatisfy(MessageID.isValid))
  }

  @Test("Blank ids are seen where a call sets one")
  func blankIDs() {
    for blank in ["", " ", "\t\n", "\u{A0}\u{2003}"] {
      #expect([EventDraft.identify(blank), .group(blank), .alias(blank)].allSatisfy { $0.hasBlankID })
      #expect([EventDraft.track(blank), .screen(blank), .page(blank)].allSatisfy { !$0.hasBlankID })
    }
    #expect(Self.drafts.allSatisfy { !$0.hasBlankID })
  }

  static func write(_ draft: EventDraft, _ identity: Identity = identity) -> QueuedEvent {
    EventWriter(writeKey: "key/1").write(
      draft, identity: identity, context: Array(#"{"app":{}}"#.utf8), messageID: id, timestamp: date)
  }

  private static func text(_ json: [UInt8]) -> String { String(decoding: json, as: UTF8.self) }
}
