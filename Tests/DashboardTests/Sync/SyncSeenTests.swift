import Aggregation
import Codecs
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

/// Faults that people saw on this screen, each with a test of the mended state.
@Suite("What was seen on the Sync screen")
struct SyncSeenTests {
  init() { adoptUTF8() }

  private static func model(
    _ scenario: String, at seconds: Double? = nil, _ size: Size = Size(width: 120, height: 36),
    isDriven: Bool = false
  ) throws -> Model {
    let entries = try SyncFixture.entries(scenario)
    var model =
      isDriven
      ? try SyncFixture.driven(size.width, size.height, entries: entries)
      : SyncFixture.model(size.width, size.height, feed: try SyncFixture.feed(entries))
    if let seconds {
      model.session.freeze(at: Timestamp(try #require(entries.first).timestamp) + seconds)
      _ = update(&model, [])
    }
    return model
  }

  private func lines(_ scenario: String, at seconds: Double) throws -> [String] {
    view(try Self.model(scenario, at: seconds)).buffer.lines
  }

  private func press(_ model: inout Model, _ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  // MARK: 1. Why nothing is sent

  @Test("behind a login page the screen says so, and names the event that will happen")
  func loginPage() throws {
    let picture = try lines("captive-portal", at: 75)
    #expect(picture[1].contains("Not syncing: 5 changes wait"))
    #expect(picture.joined(separator: " ").contains("probes got a login page"))
    #expect(picture.joined().contains("Welcome to Free Wi-Fi"))
    let fires = try #require(picture.first { $0.contains("can fire") })
    #expect(fires.contains("sync requested"))
    #expect(picture.contains { $0.contains("next: the app asks for a run") })
  }

  @Test("what is given up, and what a batch or a push failed of, is told with its cause")
  func causes() throws {
    let dead = try lines("poison-item", at: 270)
    #expect(dead.contains { $0.contains("5 tries, dropped: request") })
    #expect(dead.contains { $0.contains("    refused (HTTP 422): invalid: note must not be empty") })
    let batch = try lines("poison-item", at: 5.2)
    #expect(batch.contains { $0.contains("batch failed") && $0.contains("server error (HTTP 500)") })
    let push = try lines("dead-letters", at: 4.35)
    #expect(push.contains { $0.contains("push failed") && $0.contains("server error (HTTP 500)") })
  }

  // MARK: 2. Details

  private func engine(at seconds: Double) throws -> EngineState {
    try Self.model("rate-limit-storm", at: seconds).sync.engine
  }

  @Test("a request that is refused does not begin the breaker's bar anew")
  func bar() throws {
    let (before, after) = (try engine(at: 49.9), try engine(at: 50.1))
    #expect(after.refusals == before.refusals + 1)
    #expect(before.openedAt != nil && after.openedAt == before.openedAt)
  }

  @Test("right after the third 429 the breaker is open with three of three")
  func threeOfThree() throws {
    let picture = try lines("rate-limit-storm", at: 6.33)
    #expect(picture.contains { $0.contains("breaker OPEN") && $0.contains("3/3") })
    #expect(picture.contains { $0.contains("429 in a row       3, opens at 3") })
  }

  @Test("a change whose request was answered with 429 waits, and is not on its way")
  func notSent() throws {
    let queue = try lines("rate-limit-storm", at: 10).filter { $0.contains("create eventType") }
    #expect(queue.count == 4 && !queue.contains { $0.contains("sent") })
  }

  @Test("the title of the faults names the one that is on")
  func faultTitle() throws {
    let picture = view(try Self.model("rate-limit-storm", at: 50, isDriven: true)).buffer.lines
    let title = try #require(picture.first { $0.contains(" Faults ") })
    #expect(title.contains("latency 300 ms") && title.contains("429 on") && !title.contains("1 on"))
  }

  @Test("during a probe the engine probes, whatever its state is")
  func probing() throws {
    let picture = try lines("rate-limit-storm", at: 6.04)
    #expect(picture[1].contains("Probing the server"))
    #expect(picture.contains { $0.contains("Sync engine") && $0.contains("probing, ") })
  }

  @Test("a breaker that nothing has changed was not changed last by a rule")
  func changedLast() throws {
    #expect(!(try lines("healthy-day", at: 100)).contains { $0.contains("changed last") })
    #expect(try lines("rate-limit-storm", at: 10).contains { $0.contains("changed last       by rule") })
  }

  @Test("who steps back still sees that the simulation stands")
  func standing() throws {
    var model = try Self.model("rate-limit-storm", isDriven: true)
    let stands = view(model).buffer.lines[0]
    press(&model, KeyPress(","))
    #expect(stands.contains("SIM \u{2016}"))
    #expect(view(model).buffer.lines[0].contains("SIM \u{2016}"))
  }

  @Test("[ and ] go to what stands on the rail: the openings and the faults")
  func troubles() throws {
    var model = try Self.model("rate-limit-storm")
    let incidents = Set(model.sync.engine.incidents.map(\.time))
    let all = model.sync.engine.timeline.list.filter(\.isFailure).map(\.time)
    #expect(!incidents.isEmpty)
    for _ in 0..<4 {
      press(&model, KeyPress("["))
      let moment = model.session.edge
      #expect(model.session.isFrozen)
      #expect(incidents.contains { abs($0 - moment) < 0.01 } || all.contains { abs($0 - moment) < 0.01 })
    }
    let there = model.session.edge
    press(&model, KeyPress("]"))
    #expect(model.session.edge > there)
  }

  @Test("G goes to the newest entry, at the live end, from wherever it is")
  func ends() throws {
    var model = try Self.model("rate-limit-storm")
    press(&model, KeyPress(.pageDown), KeyPress(.pageDown), KeyPress(.enter), KeyPress(.escape))
    #expect(model.session.isFrozen)
    press(&model, KeyPress("G"))
    #expect(!model.session.isFrozen && model.syncScreen.selectedEntry == model.sync.entries.last)
  }

  @Test("a toast stands in the last row and nowhere else")
  func toast() throws {
    var model = try Self.model("rate-limit-storm", at: 50)
    let before = view(model).buffer.lines
    press(&model, KeyPress("y"))
    #expect(model.session.toast != nil)
    let after = view(model).buffer.lines
    #expect(before.dropLast() == after.dropLast() && before.last != after.last)
  }

  @Test("the way back to idle has a head")
  func arrowHead() throws {
    let row = try #require(try lines("healthy-day", at: 100).first { $0.contains("\u{2500} done ") })
    #expect(row.contains("\u{2193}\u{2500}"))
  }

  @Test("a session whose answer is 401 is told with what to do")
  func session() throws {
    let picture = try lines("session-expired", at: 101)
    #expect(picture[1].contains("the session has expired"))
    #expect(picture[1...2].joined().contains("sign in again"))
  }

  // MARK: 5. Room

  @Test("an app's file gives the room of the faults to the queue")
  func room() throws {
    let entries = try SyncFixture.entries("poison-item").filter {
      !["simulation", "fault", "caption"].contains($0.metric.name)
    }
    let picture = view(SyncFixture.model(120, 36, feed: try SyncFixture.feed(entries))).buffer.lines
    #expect(!picture.contains { $0.contains(" Faults ") })
    let title = try #require(picture.first { $0.contains(" Queue ") })
    #expect(!title.contains("┬"))
  }

  @Test("under a long sentence and a story the timeline of a small terminal still has two entries")
  func smallTimeline() throws {
    var model = try Self.model("captive-portal", at: 121, Size(width: 80, height: 24), isDriven: true)
    let layout = model.syncScreen.layout
    #expect(layout[.sentence].height == 3 && layout[.story].height == 1 && layout[.timeline].height >= 3)
    press(&model, KeyPress("F"))
    let outage = try lines("server-outage", at: 900)
    #expect(outage[1...2].joined().contains("HTTP 503"))
    let small = view(try Self.model("server-outage", at: 900, Size(width: 80, height: 24))).buffer.lines
    let state = try #require(small.first { $0.hasPrefix("ERROR") })
    #expect(state.contains("HTTP 503") && !state.contains("502"))
  }

  @Test("a large terminal shows more: the whole ids, and how long the queue was over all the time")
  func large() throws {
    let model = try Self.model("rate-limit-storm", at: 50, Size(width: 240, height: 80))
    let picture = view(model).buffer.lines
    let id = try #require(model.sync.engine.queue.first?.entity)
    #expect(picture.contains { $0.contains("create eventType \(id)") && $0.contains("waits") })
    #expect(picture.contains { $0.contains(#/^ +4 /#) })
  }
}
