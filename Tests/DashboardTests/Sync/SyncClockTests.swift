import Aggregation
import Codecs
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import EngineScreens

@Suite("The time of the Sync screen")
struct SyncClockTests {
  init() { adoptUTF8() }

  /// The wall clock at which the entries came in.
  static let arrival = 5000.0

  /// The Sync screen over some entries so many seconds after the newest came in.
  static func model(_ entries: [RawEngineEntry], after seconds: Double) -> Model {
    var feed = FeedSnapshot()
    for entry in entries { feed.engines.sync.append(entry) }
    var model = Model(
      size: Size(width: 120, height: 36), now: Timestamp(arrival + seconds),
      theme: Theme(capabilities: Capabilities(depth: .none)), zone: .utc, feed: feed)
    _ = update(&model, .input(.key(KeyPress("4"))))
    return model
  }

  /// A simulation's statement at its time 1000.
  static func said(speed: Double = 1, running: Bool = true, nextAt: Double? = nil, isLive: Bool = true)
    -> [RawEngineEntry]
  {
    [
      SyncEntry.simulation(
        step: 1, at: 1000, speed: speed, running: running, nextAt: nextAt, arrival: isLive ? arrival : nil)
    ]
  }

  @Test("between two entries a simulation's time goes on at its speed, up to what is due next")
  func pace() {
    let table: [(entries: [RawEngineEntry], after: Double, time: Double)] = [
      (Self.said(), 0, 1000), (Self.said(), 2.5, 1002.5), (Self.said(speed: 10), 2.5, 1025),
      (Self.said(speed: 0.25), 4, 1001), (Self.said(nextAt: 1001), 0.5, 1000.5),
      (Self.said(nextAt: 1001), 7, 1001), (Self.said(speed: 60, nextAt: 1001), 0.01, 1000.6),
      (Self.said(running: false), 7, 1000), (Self.said(speed: 1e300), 1, 1060),
      (Self.said(speed: -5), 1, 1000),
      (Self.said(nextAt: 3), 7, 1000), (Self.said(), -3, 1000),
      // Bytes there at the opening are of an unknown age.
      (Self.said(isLive: false), 7, 1000), (Self.said(speed: 10, isLive: false), 7, 1000),
      // An app's time is ours.
      ([SyncEntry.pending(3, at: 1000, arrival: Self.arrival)], 7, 5007),
    ]
    for row in table {
      let time = Self.model(row.entries, after: row.after).syncScreen.engineTime
      #expect((time.seconds * 1e6).rounded() == row.time * 1e6, "\(row.after) s")
    }
  }

  @Test("the rail reaches to where a simulation has come to that is ahead of the clock")
  func ahead() throws {
    let feed = try SyncFixture.feed(try SyncFixture.entries("rate-limit-storm"))
    let newest = try #require(feed.store.allSeries.map { feed.store.tally(of: $0).end }.max())
    var model = LiveFixture.model(120, 36, depth: .none, now: newest - 300, feed: feed)
    #expect(view(model).buffer.lines[34].contains("now 09:04"))
    _ = update(&model, .input(.key(KeyPress("4"))))
    #expect(model.syncScreen.engineTime == newest && model.session.rail.last >= newest)
    let rail = view(model).buffer.lines[34]
    #expect(rail.contains("sim 09:09") && rail.contains("["), "\(rail)")
    // The last opening of its breaker is on it.
    let opened = try #require(model.sync.engine.incidents.last { $0.value == .breakerOpened })
    #expect(opened.time > model.session.now && rail.count { $0 == "b" } > 2, "\(rail)")
  }

  @Test("a simulation that was there at the opening and keeps our time is as far as we are")
  func opening() {
    let entries = [SyncEntry.simulation(step: 1, at: Self.arrival, nextAt: Self.arrival + 30)]
    #expect(Self.model(entries, after: 20).syncScreen.engineTime.seconds == Self.arrival + 20)
    #expect(Self.model(entries, after: 40).syncScreen.engineTime.seconds == Self.arrival + 30)
    #expect(Self.model(entries, after: 70).syncScreen.engineTime.seconds == Self.arrival)
  }

  @Test("each future has come as far as its own newest entry says")
  func futures() {
    let entries = [
      SyncEntry.simulation(step: 1, at: 1000, arrival: Self.arrival),
      SyncEntry.simulation(step: 1, branch: 1, at: 1000, arrival: Self.arrival + 2),
      SyncEntry.simulation(step: 2, branch: 1, at: 1004, arrival: Self.arrival + 3),
    ]
    var model = Self.model(entries, after: 5)
    #expect(model.syncScreen.engineTime.seconds == 1005)
    model.sync.branch = 1
    _ = update(&model, [])
    #expect(model.syncScreen.engineTime.seconds == 1006)
    // Another play has no such future.
    model.session.feed.engines.sync.append(SyncEntry.simulation(step: 0, at: 2000, arrival: Self.arrival + 5))
    _ = update(&model, [])
    #expect(model.sync.branch == 0 && model.syncScreen.engineTime.seconds == 2000)
  }

  @Test("something on the screen changes by itself as long as something on it counts, and no longer")
  func deadline() {
    let open = SyncEntry.breaker("open", at: 1000, until: 1030, arrival: Self.arrival)
    let table: [(entries: [RawEngineEntry], after: Double, wait: Double?)] = [
      // An age changes each second, a countdown each tenth of one.
      (Self.said(), 0.25, 0.75), ([open] + Self.said(), 0.25, 0.05), ([open] + Self.said(), 40.25, 0.75),
      (Self.said(speed: 10), 0.25, 0.05),
      // It stands still, has come to what is due, was there at the opening.
      (Self.said(running: false), 0.25, nil), ([open] + Self.said(running: false), 0.25, nil),
      (Self.said(nextAt: 1001), 0.25, 0.75), (Self.said(nextAt: 1001), 2, nil),
      (Self.said(isLive: false), 0.25, nil),
      // An app that wrote of late, and one that did not.
      ([SyncEntry.pending(3, at: Self.arrival)], 1.25, 0.75),
      ([SyncEntry.pending(3, at: Self.arrival)], 121, nil),
      ([SyncEntry.breaker("open", at: Self.arrival, until: Self.arrival + 300)], 200.25, 0.05),
      ([SyncEntry.breaker("open", at: Self.arrival, until: Self.arrival + 300)], 301, nil),
      ([SyncEntry.breaker("open", at: 1000, until: 1e12)], 90_000, nil),
      ([SyncEntry.breaker("open", at: Self.arrival)], 121, nil), ([], 0.25, nil),
    ]
    for (number, row) in table.enumerated() {
      let model = Self.model(row.entries, after: row.after)
      let wait = model.nextChange.map { (($0 - model.session.now) * 1e4).rounded() / 1e4 }
      #expect(wait == row.wait, "row \(number)")
    }
  }

  @Test("a playhead that stands still and another screen wake nobody")
  func stillness() {
    let open = SyncEntry.breaker("open", at: 1000, until: 1030, arrival: Self.arrival)
    var model = Self.model([open] + Self.said(), after: 0.25)
    #expect(model.nextChange != nil)
    _ = update(&model, .input(.key(KeyPress("1"))))
    #expect(model.nextChange == nil)
    _ = update(&model, .input(.key(KeyPress("4"))))
    model.session.freeze(at: Timestamp(1010))
    _ = update(&model, [])
    #expect(model.nextChange == nil && model.syncScreen.engineTime.seconds == 1010)
  }

  @Test("the countdown on the screen is that of the simulation's time")
  func countdown() {
    let open = SyncEntry.breaker("open", at: 1000, until: 1030, arrival: Self.arrival)
    var model = Self.model([open] + Self.said(), after: 0)
    #expect(view(model).buffer.lines.joined().contains("30s left"))
    _ = update(&model, .clock(Timestamp(Self.arrival + 25.5)))
    #expect(view(model).buffer.lines.joined().contains("4.5s left"))
  }
}
