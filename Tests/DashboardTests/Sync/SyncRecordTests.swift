import Codecs
import Foundation
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import EngineScreens

@Suite("The record of a sync engine in a long or a broken file")
struct SyncRecordTests {
  init() { adoptUTF8() }

  @Test("a long record is folded beside the loop, a short one at once, and both come to the same")
  func longRecord() throws {
    var feed = FeedSnapshot()
    let count = 3 * SyncScreen.batchLimit + 17
    for number in 0..<count { feed.engines.sync.append(SyncEntry.pending(number, at: Double(number))) }
    var model = Model(size: Size(width: 120, height: 36), now: Timestamp(1e6), zone: .utc, feed: feed)
    #expect(model.nextChange == nil)
    let effects = update(&model, .input(.key(KeyPress("4"))))
    let works = effects.compactMap { if case .work(let work) = $0 { work } else { nil } }
    let work = try #require(works.first)
    #expect(works.count == 1 && model.syncScreen.backlog == count)
    // While it goes on no frame is asked for, and nothing is folded twice.
    #expect(model.nextChange == nil)
    #expect(update(&model, .clock(Timestamp(1e6))) == [])
    _ = update(&model, .worked(work.id, work.run()))
    #expect(model.syncScreen.backlog == 0 && model.sync.engine.pending == count - 1)
    feed.engines.sync.append(SyncEntry.pending(count, at: Double(count)))
    #expect(update(&model, .feed(feed)) == [])
    #expect(model.syncScreen.backlog == 0 && model.sync.engine.pending == count)
    var log = SyncLog()
    log.append(feed.engines.sync.after(0))
    #expect(model.sync.engine.differences(from: log.state()) == [])
    // A picture without a person is whole at once.
    var other = Model(size: Size(width: 120, height: 36), now: Timestamp(1e6), zone: .utc, feed: feed)
    _ = other.arrange("sync", Arrangement())
    #expect(other.sync.engine.differences(from: log.state()) == [])
  }

  @Test("what comes after so many entries is the same however much was read before and is still there")
  func after() {
    var generator = SeededGenerator(seed: 41)
    var entries = EngineEntries()
    for number in 0..<100_000 {
      entries.append(SyncEntry.pending(number, at: Double(number)))
      guard number % 9_973 == 0 || number < 3 else { continue }
      #expect(entries.total == number + 1 && entries.total - entries.forgotten <= EngineEntries.limit + 2048)
      #expect(entries.forgotten == 0 || entries.total - entries.forgotten >= EngineEntries.limit)
      for _ in 0..<5 {
        let count = Int.random(in: 0...(number + 5), using: &generator)
        let limit = Int.random(in: 0...5000, using: &generator)
        let times = entries.after(count, limit: limit).map(\.time.seconds)
        let first = max(count, entries.forgotten)
        let end = min(entries.total, first + limit)
        #expect(times == (first < end ? (first..<end).map(Double.init) : []))
      }
    }
    // A snapshot does not change afterwards.
    let snapshot = entries
    entries.append(SyncEntry.pending(1, at: -1))
    #expect(snapshot.total == 100_000 && snapshot.after(99_999).map(\.time.seconds) == [99_999])
  }

  @Test(
    "any part of a record, cut anywhere and with entries missing or doubled, gives a picture and no crash")
  func prefixes() throws {
    var generator = SeededGenerator(seed: 42)
    let futures = try SyncFutures("rate-limit-storm", share: 0.4)
    let all = try SyncFixture.feed(futures.inTurns(using: &generator)).engines.sync.after(0)
    let again = try SyncFixture.feed(try SyncFixture.entries("poison-item")).engines.sync.after(0)
    for round in 0..<trials(150, long: 1000) {
      let first = Int.random(in: 0..<all.count, using: &generator)
      var part = Array(all[first...].prefix(Int.random(in: 0..<all.count, using: &generator)))
      if round % 3 == 0 { part.removeAll { _ in Int.random(in: 0..<10, using: &generator) == 0 } }
      if round % 5 == 0 { part += part.suffix(50) + again.prefix(round) }
      if round % 7 == 0 { part.shuffle(using: &generator) }
      var log = SyncLog()
      log.append(part)
      #expect(log.unreadable == 0)
      for branch in log.branches + [7] {
        let moment = all[Int.random(in: 0..<all.count, using: &generator)].time
        for picture in [log.state(of: branch), log.state(of: branch, at: moment)] {
          #expect(picture.pending >= 0 && picture.queue.count == picture.waiting.count)
        }
        _ = log.change(of: branch)
        let comparison = SyncComparison(log: log, of: 0, and: branch, until: moment, columns: 20)
        #expect(comparison.map { $0.one.depths.count == 20 && $0.end >= $0.start } ?? true)
      }
    }
  }

  @Test("values that cannot be read are counted, each once, and the rest is taken in")
  func unreadable() {
    var log = SyncLog()
    log.append([
      SyncEntry.simulation(step: 0), SyncEntry.raw("pending", "Int", "\"x\"", at: 1),
      SyncEntry.raw("transition", "SyncTransition", "{\"branch\":0}", at: 1),
      SyncEntry.raw("wizard", "Int", "1", at: 1),
      SyncEntry.raw("configuration", "SyncConfiguration", "{\"batchSize\":0}", at: 1),
      SyncEntry.pending(4, at: 2),
    ])
    #expect(log.unreadable == 4 && log.state().pending == 4)
  }

  @Test("times and numbers without sense do no harm")
  func senseless() {
    for time in [-1e12, 1e12, 0, -5] {
      var log = SyncLog()
      log.append([
        SyncEntry.simulation(step: 0, at: 100), SyncEntry.pending(3, at: 101), SyncEntry.pending(4, at: time),
        SyncEntry.pending(5, at: 103), SyncEntry.simulation(step: .max, at: 104),
        SyncEntry.simulation(step: .max, branch: .max, parent: .min, at: 104),
        SyncEntry.simulation(step: .min, branch: .min, parent: 0, at: time, speed: 1e308, nextAt: 1e12),
        SyncEntry.pending(.max, at: 105), SyncEntry.simulation(step: .max, at: 106),
      ])
      #expect(log.state(at: 103.5).pending == 5 && log.state(at: 99).isEmpty)
      #expect(log.state(of: .min, at: 200).pending == .max || time > 200)
      let comparison = SyncComparison(log: log, of: 0, and: .min, columns: 5)
      #expect(comparison?.difference.isEmpty == false)
      #expect(BranchName.text(.max).hasPrefix("t"))
    }
  }
}
