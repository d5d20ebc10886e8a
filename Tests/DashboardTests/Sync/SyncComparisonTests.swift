import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("Two futures compared")
struct SyncComparisonTests {
  /// A trunk of which three futures branch off, one of them from another one.
  ///
  /// | future | queue |
  /// |---|---|
  /// | t1 | 2 at 1 s, 12 at 12 s, 0 at 40 s |
  /// | t2, left t1 at 10 s | 4 at 12 s, 0 at 20 s |
  /// | t3, left t2 at 15 s | 9 at 30 s |
  static func log() -> SyncLog {
    var log = SyncLog()
    log.append([
      SyncEntry.simulation(step: 0), SyncEntry.pending(2, at: 1), SyncEntry.simulation(step: 1, at: 10),
      SyncEntry.mutation("a", .queued, at: 12), SyncEntry.pending(12, at: 12),
      SyncEntry.simulation(step: 2, at: 12),
      SyncEntry.breaker("open", at: 14), SyncEntry.breaker("closed", at: 16),
      SyncEntry.breaker("open", at: 18),
      SyncEntry.simulation(step: 3, at: 18),
      SyncEntry.mutation("a", .acknowledged, at: 40), SyncEntry.pending(0, at: 40),
      SyncEntry.simulation(step: 4, at: 50),
      SyncEntry.simulation(step: 1, branch: 1, at: 10), SyncEntry.mutation("a", .queued, at: 12, branch: 1),
      SyncEntry.pending(4, at: 12), SyncEntry.simulation(step: 2, branch: 1, at: 15),
      SyncEntry.mutation("a", .acknowledged, at: 20, branch: 1), SyncEntry.pending(0, at: 20),
      SyncEntry.simulation(step: 3, branch: 1, at: 30),
      SyncEntry.simulation(step: 2, branch: 2, parent: 1, at: 15), SyncEntry.pending(9, at: 30),
      SyncEntry.simulation(step: 3, branch: 2, parent: 1, at: 30),
    ])
    return log
  }

  @Test("the difference is told in one line")
  func difference() throws {
    let log = Self.log()
    let comparison = try #require(SyncComparison(log: log, of: 0, and: 1, columns: 8))
    #expect(comparison.difference == "t2: 2 opens fewer, 20 s less late, queue peak 12 -> 4")
    #expect(comparison.start.seconds == 10 && comparison.end.seconds == 50)
    #expect((comparison.one.opens, comparison.other.opens) == (2, 0))
    #expect((comparison.one.secondsLate, comparison.other.secondsLate) == (28, 8))
    #expect((comparison.one.acknowledged, comparison.other.acknowledged) == (1, 1))
    let back = try #require(SyncComparison(log: log, of: 1, and: 0, columns: 8))
    #expect(back.difference == "t1: 2 opens more, 20 s more late, queue peak 4 -> 12")
  }

  @Test(
    "queues are drawn on one scale, each column its highest; a future is nothing where it has not come to")
  func columns() throws {
    let comparison = try #require(SyncComparison(log: Self.log(), of: 0, and: 1, columns: 8))
    // Columns of five seconds from 10 to 50 seconds.
    #expect(comparison.one.depths == [12, 12, 12, 12, 12, 12, 0, 0])
    #expect(comparison.other.depths == [4, 4, 0, 0, 0, nil, nil, nil])
    #expect(SyncComparison(log: Self.log(), of: 0, and: 1, columns: 0)?.one.depths == [])
  }

  @Test("at the playhead they are compared up to there")
  func playhead() throws {
    let log = Self.log()
    let early = try #require(SyncComparison(log: log, of: 0, and: 1, until: Timestamp(11), columns: 2))
    #expect(early.difference == "no difference so far" && early.end.seconds == 11)
    #expect(early.one.depths == [2, 2] && early.other.depths == [2, 2])
    let later = try #require(SyncComparison(log: log, of: 0, and: 1, until: Timestamp(15), columns: 5))
    #expect(later.difference == "t2: 1 open fewer, queue peak 12 -> 4")
    #expect((later.one.secondsLate, later.other.secondsLate) == (3, 3))
    let before = try #require(SyncComparison(log: log, of: 0, and: 1, until: Timestamp(3), columns: 2))
    #expect(before.difference == "no difference so far" && before.end == before.start)
  }

  @Test("two futures that come from a third are compared from where the first of them left it")
  func cousins() throws {
    let log = Self.log()
    let cousins = try #require(SyncComparison(log: log, of: 0, and: 2, columns: 8))
    // The change of 12 s still waits in t3 when it has come to 30 s.
    #expect(
      cousins.start.seconds == 10
        && cousins.difference == "t3: 2 opens fewer, 10 s less late, queue peak 12 -> 9")
    let child = try #require(SyncComparison(log: log, of: 1, and: 2, columns: 3))
    #expect(child.start.seconds == 15 && child.one.depths == [4, 0, 0] && child.other.depths == [4, 4, 9])
    #expect(SyncComparison(log: log, of: 1, and: 1, columns: 3) == nil)
    #expect(SyncComparison(log: log, of: 1, and: 7, columns: 3) == nil)
    #expect(SyncComparison(log: SyncLog(), of: 0, and: 1, columns: 3) == nil)
  }

  @Test("a future in which nothing is due has come as far as the other one")
  func quiet() throws {
    var log = SyncLog()
    log.append([
      SyncEntry.simulation(step: 1), SyncEntry.simulation(step: 1, branch: 1, nextAt: 100),
      SyncEntry.pending(3, at: 40), SyncEntry.simulation(step: 1), SyncEntry.pending(5, at: 80),
    ])
    let comparison = try #require(SyncComparison(log: log, of: 0, and: 1, columns: 4))
    #expect(comparison.one.depths == [0, 0, 0, 5] && comparison.other.depths == [0, 3, 3, 3])
  }

  @Test(
    "without a change there is no difference, in any scenario at any step", arguments: SyncFixture.stories)
  func same(name: String) throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<trials(1, long: 3) {
      let share = Double.random(in: 0..<1, using: &generator)
      let futures = try SyncFutures(name, share: share, change: nil)
      let log = try SyncFutures.log(futures.inTurns(using: &generator))
      let comparison = try #require(SyncComparison(log: log, of: 0, and: 1, columns: 40))
      #expect(comparison.difference == "no difference so far")
      #expect(comparison.one.depths == comparison.other.depths)
      #expect(comparison.one.acknowledged == comparison.other.acknowledged)
    }
  }

  @Test("a shorter backoff makes the queue less late, told from the record of both")
  func backoff() throws {
    let constants = try JSONDecoder().decode(
      SyncConfiguration.self, from: Data(#"{"maximumBackoffSeconds": 20, "baseBackoffSeconds": 10}"#.utf8))
    let futures = try SyncFutures("rate-limit-storm", share: 0.1, change: .configure(constants))
    let log = try SyncFutures.log(futures.shared + futures.trunk + futures.branch)
    let comparison = try #require(SyncComparison(log: log, of: 0, and: 1, columns: 30))
    let opens = log.state().opens - log.state(at: futures.moment).opens
    #expect(comparison.one.opens == opens)
    #expect(comparison.other.opens == log.state(of: 1).opens - log.state(at: futures.moment).opens)
    #expect(comparison.difference.hasPrefix("t2: "))
  }
}

extension SyncEntry {
  static func mutation(
    _ id: String, _ state: SyncMutation.State, at time: Double, branch: Int = 0
  ) -> RawEngineEntry {
    raw(
      "mutation", "SyncMutation",
      #"{"id":"\#(id)","kind":"event","operation":"create","entity":"e","bytes":1,"attempts":0,"#
        + #""state":"\#(state.rawValue)","createdAt":\#(time),"branch":\#(branch)}"#, at: time)
  }

  static func breaker(
    _ state: String, at time: Double, until: Double? = nil, branch: Int = 0, arrival: Double? = nil
  ) -> RawEngineEntry {
    raw(
      "breaker", "SyncBreaker",
      #"{"state":"\#(state)","consecutive":3,"threshold":3,"multiplier":1,"refusedCalls":0,"byHand":false,"#
        + (until.map { "\"until\":\($0)," } ?? "") + #""branch":\#(branch)}"#, at: time, arrival)
  }
}
