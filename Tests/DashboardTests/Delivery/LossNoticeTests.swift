import Codecs
import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("What was lost stays on the Delivery screen until it was seen")
struct LossNoticeTests {
  init() { adoptUTF8() }

  private func refusals() throws -> (state: ClientState, moment: Timestamp) {
    let scenario = try DeliveryFixture.scenario("bad-batch")
    let moment = scenario.start.addingTimeInterval(60)
    let entries = DeliveryFixture.entries(of: scenario).filter { $0.timestamp <= moment }
    return (try DeliveryFixture.state(entries), Timestamp(moment))
  }

  @Test("a loss that was not seen is told days later, with its time; one that was seen for ten minutes")
  func sentence() throws {
    let (state, moment) = try refusals()
    func words(_ later: Double, seen: Timestamp?) -> String {
      EngineSentence(of: state, at: moment + later, zone: .utc, seen: seen).wordings[0]
    }
    let loss = try #require(state.lastLoss)
    let told = "28 events were set aside, the last after a 422, and can be sent again"
    #expect(words(60, seen: nil).hasSuffix(" \(told)."))
    #expect(words(60, seen: loss).hasSuffix(" \(told)."))
    #expect(words(700, seen: nil).hasSuffix(" \(told), at 15:00:55 the last time."))
    #expect(words(86_400 * 3, seen: nil).contains(told))
    #expect(!words(700, seen: loss).contains("can be sent again"))
    #expect(words(700, seen: loss - 1).contains(told))
  }

  @Test("a loss is seen once a key was pressed after it had come to the screen")
  func rule() {
    var notice = LossNotice()
    let start = Timestamp(1000)
    notice.update(nil, lastInput: .distantFuture, now: start)
    notice.update(start, lastInput: start, now: start)
    #expect(notice.seen == nil)
    notice.update(start, lastInput: start, now: start + 500)
    #expect(notice.seen == nil)
    notice.update(start, lastInput: start + 600, now: start + 600)
    #expect(notice.seen == start)
    notice.update(start + 700, lastInput: start + 600, now: start + 701)
    #expect(notice.seen == start)
    // An older loss, looked at in the past, does not make a newer one seen.
    notice.update(start, lastInput: start + 600, now: start + 800)
    notice.update(start, lastInput: start + 900, now: start + 900)
    #expect(notice.seen == start)
  }

  @Test("the key that shows the screen does not count, the next one does")
  func keys() throws {
    var model = try DeliveryFixture.model(120, 36, "bad-batch", after: 60)
    let loss = try #require(model.delivery.engine.lastLoss)
    #expect(model.delivery.own.seen == nil)
    _ = update(&model, .clock(model.session.now + 5))
    #expect(model.delivery.own.seen == nil)
    _ = update(&model, .input(.key(KeyPress(.down))))
    #expect(model.delivery.own.seen == loss)
  }

  @Test("events that are set aside are on the screen with the endpoint's words, and Ctrl-R sends them again")
  func setAside() throws {
    var model = try DeliveryFixture.model(120, 36, "bad-batch", after: 60, isDriven: true)
    #expect(model.delivery.engine.setAside == 28)
    #expect(view(model).buffer.lines.contains { $0.contains("28     set aside, the last by 422") })
    #expect(
      update(&model, .input(.key(.control("r")))) == [.toClient(.perform(.sendRefusedAgain, branch: 0))])
    var none = try DeliveryFixture.model(120, 36, "ordinary-evening", after: 60, isDriven: true)
    #expect(update(&none, .input(.key(.control("r")))) == [])
    #expect(none.session.toast?.text.contains("no event is set aside") == true)
  }

  @Test("set-aside events that are sent again are delivered, and no longer set aside")
  func sentAgain() throws {
    var scenario = try DeliveryFixture.scenario("bad-batch")
    scenario.acts.append(DeliveryTimedAct(at: .seconds(100), .sendRefusedAgain))
    let entries = DeliveryFixture.entries(of: scenario)
    let state = try DeliveryFixture.state(entries)
    #expect(state.setAside == 0 && state.deliveredEvents == 35)
    let act = try #require(entries.last { $0.metric == AnyMetric(DeliveryMetrics.act) })
    #expect(try act.decode(DeliveryAct.self).argument == "28")
  }
}
