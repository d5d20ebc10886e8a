import DeliveryCore
import Foundation
import Platform
import Testing

@Suite("What a client sends")
struct SendingTests {
  @Test("B-15: sentAt is absent before sending and equal on all events of one batch")
  func sentAt() throws {
    let rig = CoreRig()
    rig.track("a", "b")
    rig.handle(.enterBackground(nil))
    rig.answer(500)
    #expect(rig.disk.events.count == 2)
    for event in rig.disk.events { #expect(!String(decoding: event.json, as: UTF8.self).contains("sentAt")) }
    let first = try rig.events(of: 0).map { $0["sentAt"] as? String }
    #expect(Set(first).count == 1)
    rig.clock.advance(by: .seconds(60))
    rig.handle(.enterForeground)
    let second = try rig.events(of: 1).map { $0["sentAt"] as? String }
    #expect(Set(second).count == 1)
    #expect(second.first != first.first)
    let ids = [try rig.events(of: 0), try rig.events(of: 1)].map { $0.map { $0["messageId"] as? String } }
    #expect(ids[0] == ids[1])
  }

  @Test("B-22: Batches are posted to host plus /v1/batch as JSON")
  func request() throws {
    let rig = CoreRig(options: InitOptions(writeKey: "k", ingestionHost: "https://in.example.com:8443/path/"))
    rig.track("a")
    rig.flush()
    let request = try #require(rig.requests.first?.request)
    #expect(request.url.absoluteString == "https://in.example.com:8443/path/v1/batch")
    #expect(request.headers == [.init("Content-Type", "application/json")])
    #expect(request.timeout == .seconds(8))
    #expect(try rig.events(of: 0)[0]["writeKey"] as? String == "k")
  }

  @Test("B-61: A batch that cannot be encoded is dropped and the next one is sent")
  func notEncodable() throws {
    struct Refusal: Error {}
    let rig = CoreRig(
      encodeBody: { body, _ in
        if String(decoding: body, as: UTF8.self).contains("poison") { throw Refusal() }
        return body
      })
    rig.track("poison")
    for number in 0..<100 { rig.track("e\(number)") }
    rig.deliverAll()
    #expect(rig.core.dropped[.notEncodable] ?? 0 >= 1)
    #expect(rig.core.deliveredCount + (rig.core.dropped[.notEncodable] ?? 0) == 101)
    #expect(rig.core.deliveredCount > 0)
  }

  @Test("B-75: No trace header by default, and one while tracing is on")
  func tracing() {
    let rig = CoreRig()
    for isOn in [false, true, false] {
      rig.handle(.setTracing(isOn))
      rig.track("a")
      rig.flush()
      #expect(rig.requests.last?.request.headers.contains(.init("Trace", "true")) == isOn)
      rig.answer(200)
    }
    // Events from disk are no exception.
    rig.handle(.setTracing(true))
    rig.handle(.networkChanged(isOnline: false))
    rig.track("stored")
    rig.flush()
    rig.handle(.networkChanged(isOnline: true))
    rig.advance(by: .seconds(2))
    #expect(rig.core.machine.inFlight?.source == .disk)
    #expect(rig.requests.last?.request.headers.contains(.init("Trace", "true")) == true)
  }

  @Test(
    "B-21: The advertising id shows in the device context of every event type once set and is gone after clearing"
  )
  func advertisingID() throws {
    let rig = CoreRig()
    let drafts: [EventDraft] = [
      .track("t"), .identify("u"), .group("g"), .screen("s"), .page("p"), .alias("v"),
    ]
    rig.handle(.setAdvertisingID("4A1E1F40-0000-4000-8000-123456789ABC"))
    for draft in drafts { rig.send(draft) }
    rig.handle(.setAdvertisingID(nil))
    for draft in drafts { rig.send(draft) }
    rig.deliverAll()
    let ids = try rig.allEvents().map { event in
      ((event["context"] as? [String: Any])?["device"] as? [String: Any])?["advertisingId"] as? String
    }
    #expect(ids.prefix(6).allSatisfy { $0 == "4A1E1F40-0000-4000-8000-123456789ABC" })
    #expect(ids.suffix(6).allSatisfy { $0 == nil })
  }

  @Test("B-99, B-112: Killed while offline, restarted online: everything is delivered, in the old order")
  func restart() throws {
    let rig = CoreRig()
    rig.handle(.networkChanged(isOnline: false))
    for number in 0..<250 { rig.track("e\(number)") }
    rig.flush()
    #expect(rig.requests.isEmpty)
    #expect(rig.disk.count == 250)
    let next = CoreRig(disk: rig.disk, values: rig.values)
    next.deliverAll()
    #expect(try next.allEvents().map { $0["event"] as? String } == (0..<250).map { "e\($0)" })
    #expect(try next.requests.map { try CoreRig.events(in: $0.request.body).count } == [100, 100, 50])
    #expect(next.disk.count == 0)
  }

  @Test("B-100: Events older than seven days are dropped when they are read, those of no known time are sent")
  func expired() throws {
    let rig = CoreRig()
    rig.handle(.networkChanged(isOnline: false))
    rig.track("old")
    rig.clock.advance(by: .seconds(86_400))
    for text in ["", "yesterday", "0000-00-00T00:00:00Z"] {
      var draft = EventDraft.track("unknown")
      draft.timestamp = text
      rig.send(draft)
    }
    rig.track("young")
    rig.flush()
    rig.clock.advance(by: .seconds(6 * 86_400 + 1))
    let next = CoreRig(disk: rig.disk, values: rig.values, clock: rig.clock)
    next.deliverAll()
    #expect(
      try next.allEvents().map { $0["event"] as? String } == ["unknown", "unknown", "unknown", "young"])
    #expect(next.core.dropped == [.expired: 1] && next.disk.count == 0)
  }

  @Test("B-106: Disk cap 0: no file ever, oldest dropped at capacity, disk flush is a no-op")
  func memoryAlone() {
    let rig = CoreRig(
      options: InitOptions(
        writeKey: "k", ingestionHost: "https://in.example.com", maxQueueEvents: 10, maxDiskEvents: 0))
    rig.handle(.networkChanged(isOnline: false))
    for number in 0..<15 { rig.track("e\(number)") }
    rig.handle(.enterBackground(nil))
    rig.handle(.terminate(nil))
    #expect(rig.disk.writes == 0 && rig.disk.openings == 0)
    #expect(rig.core.dropped == [.memoryFull: 5])
    #expect(rig.core.waiting == 10)
  }

  @Test("A disk that cannot be opened leaves a client that works in memory, and says so")
  func noDisk() throws {
    let rig = CoreRig(begins: false)
    var environment = DeliveryEnvironment(
      clock: rig.clock, generator: SystemRandomNumberGenerator(), transport: NeverTransport(),
      context: TestContext(),
      network: AlwaysOnline(),
      openStorage: { _ throws(StorageFailure) in throw StorageFailure("is used by another process") },
      openValues: { _ in InMemoryKeyValues() }, log: { _ in }, isForeground: { true })
    let log = rig.log
    environment.log = { line in log.withLock { $0.append(line) } }
    rig.core = ClientCore(rig.options, environment)
    rig.begin()
    rig.track("a")
    rig.flush()
    rig.answer(200)
    #expect(rig.core.deliveredCount == 1)
    #expect(rig.reports.map(\.code) == [.storage])
    #expect(rig.lines.contains { $0.level == .error && $0.text.contains("another process") })
  }

  @Test("After 401 the error callback has the status, and reset lets the client begin again")
  func disabled() {
    let rig = CoreRig()
    rig.track("a")
    rig.flush()
    rig.answer(403)
    #expect(rig.core.lifecycle.state == .disabled)
    #expect(rig.reports.map(\.status) == [403])
    #expect(rig.core.nextDeadline == nil)
    rig.handle(.reset(nil))
    #expect(rig.core.lifecycle.state == .idle)
    rig.begin()
    #expect(rig.core.lifecycle.state == .ready)
  }

  @Test("The clock set back by a day delays nothing")
  func clockSetBack() {
    let rig = CoreRig()
    rig.track("a")
    rig.clock.set(wallTime: rig.clock.wallTime.addingTimeInterval(-86_400))
    rig.advance(by: .seconds(10))
    #expect(rig.requests.count == 1)
    rig.answer(503)
    rig.clock.set(wallTime: rig.clock.wallTime.addingTimeInterval(-86_400))
    rig.advance(by: .seconds(1))
    #expect(rig.requests.count == 2)
  }

  @Test("A transport that never returns is given up, and what it says later does not count")
  func neverReturns() {
    let rig = CoreRig()
    rig.track("a")
    rig.flush()
    rig.advance(by: .seconds(9))
    #expect(rig.cancelled == [1])
    rig.advance(by: .seconds(1))
    #expect(rig.requests.count == 2)
    rig.core.conclude(1, .success(DeliveryAnswer(status: 401)))
    #expect(rig.core.lifecycle.state == .ready)
    rig.answer(200)
    #expect(rig.core.deliveredCount == 1)
  }
}
