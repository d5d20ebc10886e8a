import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The picture of a sync engine")
struct SyncPictureTests {
  init() { adoptUTF8() }

  @Test(
    "at any moment it is what the entries up to then come to, for every scenario",
    arguments: SyncFixture.stories)
  func past(name: String) throws {
    let entries = try SyncFixture.entries(name)
    let feed = try SyncFixture.feed(entries)
    var log = SyncLog()
    log.append(feed.engines.sync.after(0))
    #expect(log.unreadable == 0)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20 {
      let moment = entries[Int.random(in: 0..<entries.count, using: &generator)].timestamp
      let before = try SyncFixture.feed(entries.filter { $0.timestamp <= moment })
      var short = SyncLog()
      short.append(before.engines.sync.after(0))
      #expect(log.state(at: moment.timeIntervalSinceReferenceDate) == short.state())
    }
  }

  @Test(
    "the screen of a file that ends at a moment is that of the playhead at it, cell for cell",
    arguments: SyncFixture.stories)
  func playhead(name: String) throws {
    let entries = try SyncFixture.entries(name)
    let whole = try SyncFixture.feed(entries)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<trials(2, long: 8) {
      let moment = entries[Int.random(in: 0..<entries.count, using: &generator)].timestamp
      let part = try SyncFixture.feed(entries.filter { $0.timestamp <= moment })
      var travelling = SyncFixture.model(120, 36, depth: .trueColor, feed: whole)
      travelling.session.movePlayhead(to: Timestamp(moment))
      _ = update(&travelling, [])
      let ended = SyncFixture.model(120, 36, depth: .trueColor, feed: part)
      // Header, rail and footer say where the playhead stands: only the screen itself is compared.
      let (there, alone) = (view(travelling).buffer, view(ended).buffer)
      #expect(there.lines[1...33] == alone.lines[1...33])
      #expect(body(there) == body(alone))
    }
  }

  /// The cells of the screen itself, signs and looks.
  private func body(_ buffer: Buffer) -> ArraySlice<Cell> { buffer.cells[120..<34 * 120] }

  @Test("it follows the machine: state, phase, breaker and queue at the end of a storm")
  func storm() throws {
    let entries = try SyncFixture.entries("rate-limit-storm")
    var log = SyncLog()
    log.append(try SyncFixture.feed(entries).engines.sync.after(0))
    let picture = log.state()
    #expect(picture.state == .idle && picture.phase == nil && picture.pending == 0 && picture.queue.isEmpty)
    #expect(picture.opens == 4)
    #expect(picture.refusals == 5)
    #expect(picture.faults.allSatisfy { !$0.isOn })
    let open = try SyncFixture.moment(.rateLimited, in: entries)
    let then = log.state(at: open)
    #expect(then.state == .rateLimited && then.isBreakerOpen(at: open) && !then.isBreakerOpen(at: open + 31))
    #expect(then.outlook(at: open).reason(against: .syncRequested) == "the breaker is open")
  }

  @Test("a value that is not what its metric promises is counted, and numbers without sense do no harm")
  func hostile() {
    let transition = RawEngineEntry(
      time: Timestamp(1),
      metric: MetricIdentity(bucket: "sync", name: "transition", typeName: "SyncTransition"),
      json: Array("{}".utf8))
    let pending = RawEngineEntry(
      time: Timestamp(2), metric: MetricIdentity(bucket: "sync", name: "pending", typeName: "Int"),
      json: Array("-9223372036854775808".utf8))
    let odd = #"""
      {"branch":0,"byHand":false,"engineTime":1e300,"event":"\u001b[31m","from":"nowhere","pending":9223372036854775807,
      "refused":false,"sequence":-1,"to":"idle"}
      """#
    let strange = RawEngineEntry(
      time: Timestamp(-1e12),
      metric: MetricIdentity(bucket: "sync", name: "transition", typeName: "SyncTransition"),
      json: Array(odd.utf8))
    var log = SyncLog()
    log.append([transition, pending, strange])
    #expect(log.unreadable == 1)
    #expect(log.state().pending == .max)
    var entries = EngineEntries()
    for entry in [transition, pending, strange] { entries.append(entry) }
    var feed = LiveFixture.shared
    feed.engines.sync = entries
    for (width, height) in [(120, 36), (80, 24), (40, 12), (20, 5)] {
      let picture = view(SyncFixture.model(width, height, feed: feed)).buffer.lines.joined()
      #expect(!picture.unicodeScalars.contains { $0.value < 32 })
    }
  }

  @Test("a record longer than what is kept gives up its oldest part, and the newest picture stays whole")
  func bounded() {
    var log = SyncLog()
    let metric = MetricIdentity(bucket: "sync", name: "pending", typeName: "Int")
    log.append(
      (0..<90_000).lazy.map {
        RawEngineEntry(time: Timestamp(Double($0)), metric: metric, json: Array("\($0)".utf8))
      })
    #expect(log.state().pending == 89_999)
    #expect(log.state(at: 85_000.5).pending == 85_000)
    #expect(log.state(at: 10).isEmpty || log.state(at: 10).pending < 90_000)
    var entries = EngineEntries()
    for number in 0..<50_000 {
      entries.append(RawEngineEntry(time: Timestamp(Double(number)), metric: metric, json: [0x31]))
    }
    #expect(entries.total == 50_000 && entries.after(0).count <= 2 * EngineEntries.limit)
    #expect(entries.after(49_990).map(\.time.seconds) == (49_990..<50_000).map(Double.init))
  }
}
