import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Of what the endpoint refuses, only the bad event is set aside.
@Suite("Refused events")
struct RefusalTests {
  /// Twenty events of which one is bad, after everything was answered.
  private static func rig(_ status: Int = 400) throws -> CoreRig {
    let rig = CoreRig()
    for number in 0..<20 { rig.send(.track(number == 13 ? "bad" : "e\(number)")) }
    try answerAll(rig, status)
    return rig
  }

  private static func answerAll(_ rig: CoreRig, _ status: Int) throws {
    rig.flush()
    while rig.core.machine.inFlight != nil {
      let isBad = try rig.events(of: rig.requests.count - 1).contains { $0["event"] as? String == "bad" }
      rig.answer(isBad ? status : 200, detail: isBad ? "no event called bad" : nil)
    }
  }

  @Test(
    "One bad event of twenty is set aside with the endpoint's words, the others are delivered",
    arguments: [400, 422])
  func one(status: Int) throws {
    let rig = try Self.rig(status)
    #expect(rig.core.deliveredCount == 19 && rig.core.dropped == [.refused: 1])
    let refused = rig.core.refusedEvents
    #expect(refused.count == 1 && refused[0].status == status && refused[0].answer == "no event called bad")
    #expect(refused[0].json.contains("\"bad\""))
  }

  @Test("A refused event is sent again on request, under its old id")
  func again() throws {
    let rig = try Self.rig()
    let id = rig.core.refusedEvents[0].messageID
    rig.handle(.sendRefusedAgain)
    rig.deliverAll()
    #expect(rig.core.deliveredCount == 20 && rig.core.refusedEvents.isEmpty)
    let last = try rig.events(of: rig.requests.count - 1)
    #expect(last.map { $0["messageId"] as? String } == [id])
  }

  @Test("An event sent again is on disk before it is forgotten as refused")
  func kept() throws {
    let rig = try Self.rig()
    rig.handle(.sendRefusedAgain)
    #expect(rig.disk.count == 1 && rig.core.refusedEvents.isEmpty)
    let full = try Self.rig()
    full.disk.state.withLock { $0.refusesWrites = true }
    full.handle(.sendRefusedAgain)
    #expect(full.core.refusedEvents.count == 1)
  }

  @Test("Without a disk, a refused event is kept in memory alone")
  func noDisk() throws {
    let rig = CoreRig(
      options: InitOptions(writeKey: "k", ingestionHost: "https://in.example.com", maxDiskEvents: 0))
    rig.track("a")
    rig.flush()
    rig.answer(400)
    #expect(rig.core.refusedEvents.count == 1)
    #expect(rig.core.refusedValues.value("refused") == nil)
  }

  @Test("At most a hundred are kept, the newest ones")
  func limit() {
    let rig = CoreRig()
    for number in 0..<130 {
      rig.track("\(number)")
      rig.flush()
      rig.answer(400)
      rig.advance(by: .seconds(9))
    }
    let kept = rig.core.refusedEvents
    #expect(kept.count == 100 && kept[0].json.contains("\"event\":\"30\""))
  }

  @Test(
    "A web page is no answer of the endpoint",
    arguments: ["<!DOCTYPE html><html>", "\n<HTML><body>Log in", "<?xml version=\"1.0\"?>\n<html>"])
  func loginPage(page: String) {
    let rig = CoreRig()
    rig.track("a")
    rig.flush()
    rig.answer(200, detail: page)
    #expect(rig.core.deliveredCount == 0 && rig.core.waiting == 1 && rig.core.lastAnswer == "loginPage")
    rig.advance(by: .seconds(2))
    rig.answer(200)
    #expect(rig.core.deliveredCount == 1)
  }

  @Test("Any other body of a 200 is a delivery", arguments: ["", "{}", "ok", "<ok/>", "html"])
  func otherBodies(body: String) {
    let rig = CoreRig()
    rig.track("a")
    rig.flush()
    rig.answer(200, detail: body)
    #expect(rig.core.deliveredCount == 1)
  }
}
