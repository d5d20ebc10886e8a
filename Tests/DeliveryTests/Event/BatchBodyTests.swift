import DeliveryCore
import Foundation
import Testing

@Suite("Bodies of batches")
struct BatchBodyTests {
  private static let events = EventWriterTests.drafts.map { EventWriterTests.write($0) }

  @Test("B-15: sentAt is absent before sending and equal on all events of one batch")
  func sentAt() throws {
    #expect(Self.events.allSatisfy { !String(decoding: $0.json, as: UTF8.self).contains("sentAt") })
    let body = BatchBody.bytes(Self.events, sentAt: EventWriterTests.date)
    let batch = try Self.batch(body)
    #expect(batch.count == 6)
    #expect(batch.allSatisfy { $0["sentAt"] as? String == "2026-11-22T20:00:00.000Z" })
    // Each attempt has its own, and nothing else changes.
    let later = BatchBody.bytes(Self.events, sentAt: EventWriterTests.date + 1.5)
    let (first, second) = (String(decoding: body, as: UTF8.self), String(decoding: later, as: UTF8.self))
    let end = #""sentAt":"2026-11-22T20:00:0"#
    #expect(first.replacing(end + "0.000Z", with: end + "1.500Z") == second)
  }

  @Test("B-22: the body of a batch is JSON with the events in their order")
  func body() throws {
    let events = ["{\"n\":1}", "{}", "{\"n\":3}"].map {
      QueuedEvent(messageID: "", timestamp: "", json: Array($0.utf8))
    }
    #expect(
      String(decoding: BatchBody.bytes(events, sentAt: EventWriterTests.date), as: UTF8.self)
        == #"{"batch":[{"n":1,"sentAt":"2026-11-22T20:00:00.000Z"},{"sentAt":"2026-11-22T20:00:00.000Z"},"#
        + #"{"n":3,"sentAt":"2026-11-22T20:00:00.000Z"}]}"#)
    #expect(BatchBody.bytes([], sentAt: EventWriterTests.date) == Array(#"{"batch":[]}"#.utf8))
    let types = try Self.batch(BatchBody.bytes(Self.events, sentAt: EventWriterTests.date)).map {
      $0["type"] as? String
    }
    #expect(types == ["track", "identify", "group", "screen", "page", "alias"])
  }

  private static func batch(_ body: [UInt8]) throws -> [[String: Any]] {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    #expect(object.count == 1)
    return try #require(object["batch"] as? [[String: Any]])
  }
}
