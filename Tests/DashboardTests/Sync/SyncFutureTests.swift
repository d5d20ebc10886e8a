import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The futures in the record of a sync engine")
struct SyncFutureTests {
  @Test("a future begins with the picture of the one that it left, after the step that both have")
  func beginning() throws {
    let futures = try SyncFutures("rate-limit-storm", share: 0.6, change: nil)
    let shared = try SyncFutures.log(futures.shared).state()
    let log = try SyncFutures.log(futures.shared + futures.trunk + futures.branch)
    let origin = try #require(log.origin(of: 1))
    #expect(origin.parent == 0 && origin.step == futures.step && origin.time == futures.moment)
    #expect(log.origin(of: 0) == nil && log.branches == [0, 1])
    var begun = log.state(of: 1, at: origin.time)
    // Only what a simulation says of itself tells the two apart.
    #expect(begun.simulation?.branch == 1 && begun.simulation?.parent == 0)
    begun.basics.simulation = shared.simulation
    #expect(begun.differences(from: shared) == [])
    #expect(shared.decisions > 10 && shared.opens > 0)
    // Nothing was changed: both come to the same end.
    var (one, other) = (log.state(), log.state(of: 1))
    #expect(
      one.decisions == other.decisions && one.opens == other.opens && one.runs.count == other.runs.count)
    (one.basics.simulation, other.basics.simulation) = (nil, nil)
    #expect(one.arrows == other.arrows && one.outcomes == other.outcomes && one.queue == other.queue)
  }

  @Test("before it began a future is the one that it left", arguments: SyncFixture.stories)
  func before(name: String) throws {
    let futures = try SyncFutures(name, share: 0.5)
    let log = try SyncFutures.log(futures.shared + futures.trunk + futures.branch)
    for entry in futures.shared.indices.filter({ $0 % 17 == 0 }) {
      let moment = Timestamp(futures.shared[entry].timestamp)
      guard moment < futures.moment else { break }
      #expect(log.state(of: 1, at: moment).differences(from: log.state(of: 0, at: moment)) == [])
    }
  }

  @Test(
    "two futures that are written in turns come to what each comes to alone, at every moment",
    arguments: SyncFixture.stories)
  func turns(name: String) throws {
    var generator = SeededGenerator(seed: 11)
    let futures = try SyncFutures(name, share: Double.random(in: 0.1..<0.9, using: &generator))
    let trunk = try SyncFutures.log(futures.shared + futures.trunk)
    let branch = try SyncFutures.log(futures.shared + futures.branch)
    for _ in 0..<trials(1, long: 5) {
      let log = try SyncFutures.log(futures.inTurns(using: &generator))
      #expect(log.unreadable == 0 && log.branches == [0, 1])
      #expect(log.state().differences(from: trunk.state()) == [])
      #expect(log.state(of: 1).differences(from: branch.state(of: 1)) == [])
      for entry in (futures.trunk + futures.branch).indices.filter({ $0 % 13 == 0 }) {
        let moment = (futures.trunk + futures.branch)[entry].timestamp.timeIntervalSinceReferenceDate
        #expect(log.state(at: moment).differences(from: trunk.state(at: moment)) == [])
        #expect(log.state(of: 1, at: moment).differences(from: branch.state(of: 1, at: moment)) == [])
      }
      #expect(log.change(of: 1) == branch.change(of: 1))
    }
  }

  @Test(
    "a record that ends at a moment gives the picture of the playhead at it, for each future",
    arguments: SyncFixture.stories)
  func ended(name: String) throws {
    var generator = SeededGenerator(seed: 12)
    let futures = try SyncFutures(name, share: 0.4)
    let all = futures.inTurns(using: &generator)
    let log = try SyncFutures.log(all)
    for _ in 0..<20 {
      let moment = all[Int.random(in: 0..<all.count, using: &generator)].timestamp
      let part = try SyncFutures.log(all.filter { $0.timestamp <= moment })
      let reached = Timestamp(moment)
      #expect(part.state().differences(from: log.state(at: reached)) == [])
      guard reached >= futures.moment else { continue }
      #expect(part.state(of: 1).differences(from: log.state(of: 1, at: reached)) == [])
    }
  }

  @Test("a start anew forgets everything of the play before, which is there for who looks back")
  func restart() throws {
    let futures = try SyncFutures("rate-limit-storm", share: 0.5)
    let first = try SyncFutures.log(futures.shared + futures.trunk + futures.branch)
    let other = try SyncFixture.entries("offline-commute")
    let alone = try SyncFutures.log(other)
    let log = try SyncFutures.log(futures.shared + futures.trunk + futures.branch + other)
    #expect(log.branches == [0] && log.state().differences(from: alone.state()) == [])
    // Both scenarios may lie anywhere in time: what was written last counts where they overlap.
    let start = try #require(other.first).timestamp.timeIntervalSinceReferenceDate
    for entry in futures.trunk.indices.filter({ $0 % 29 == 0 }) {
      let moment = futures.trunk[entry].timestamp.timeIntervalSinceReferenceDate
      let play = moment < start ? first : alone
      #expect(log.state(at: moment).differences(from: play.state(at: moment)) == [])
    }
  }

  @Test("the same play again, before its own end: a moment that comes twice is that of the second time")
  func earlier() throws {
    let entries = try SyncFixture.entries("rate-limit-storm")
    let log = try SyncFutures.log(entries + entries)
    let alone = try SyncFutures.log(entries)
    #expect(log.branches == [0] && log.state().differences(from: alone.state()) == [])
    for entry in entries.indices.filter({ $0 % 31 == 0 }) {
      let moment = entries[entry].timestamp.timeIntervalSinceReferenceDate
      #expect(log.state(at: moment).differences(from: alone.state(at: moment)) == [])
    }
    let half = Array(entries.prefix(entries.count / 2))
    let again = try SyncFutures.log(entries + half)
    let end = try #require(entries.last).timestamp.timeIntervalSinceReferenceDate
    #expect(again.state(at: end).differences(from: again.state()) == [])
  }

  @Test("what is said at the first step is kept, however often the simulation says that it is there")
  func firstStep() throws {
    let scenario = try Scenario(
      json5: Data(
        #"{"name": "empty", "title": "Empty", "story": "Nothing.", "duration": 60, "start": "2026-11-21T09:00:00Z", "seed": 3}"#
          .utf8))
    let simulation = try Simulation(scenario)
    simulation.perform(byHand: .fault(FaultSetting(.latency, amount: 700)))
    simulation.perform(byHand: .change(SimulatedChange(.create, kind: "event", count: 3)))
    simulation.setSpeed(10)
    simulation.setRunning(false)
    simulation.setRunning(true)
    let picture = try SyncFutures.log(simulation.takeEntries()).state()
    #expect(picture.faults.count == 1 && picture.pending == 3 && picture.queue.count == 3)
    #expect(picture.simulation?.speed == 10)
  }

  @Test("what does not say whose it is belongs to the future that was written last")
  func unsaid() {
    var log = SyncLog()
    log.append([
      SyncEntry.simulation(step: 0), SyncEntry.pending(4, at: 1), SyncEntry.simulation(step: 1, at: 1),
      SyncEntry.simulation(step: 1, branch: 1, at: 1), SyncEntry.pending(9, at: 2),
      SyncEntry.simulation(step: 1, at: 1), SyncEntry.pending(5, at: 3),
    ])
    #expect(log.state().pending == 5 && log.state(of: 1).pending == 9)
    #expect(log.state(of: 1, at: 1.5).pending == 4)
  }

  @Test("a future under a number that was used before is another one, and those that came from it are gone")
  func reused() {
    var log = SyncLog()
    log.append([
      SyncEntry.simulation(step: 0), SyncEntry.pending(4, at: 1), SyncEntry.simulation(step: 1, at: 1),
      SyncEntry.simulation(step: 1, branch: 1, at: 1), SyncEntry.pending(9, at: 2),
      SyncEntry.simulation(step: 2, branch: 1, at: 2),
      SyncEntry.simulation(step: 2, branch: 2, parent: 1, at: 2),
    ])
    #expect(log.branches == [0, 1, 2] && log.state(of: 2).pending == 9)
    #expect(log.state(of: 2, at: 1.5).pending == 4)
    log.append([SyncEntry.simulation(step: 0, branch: 1, at: 0)])
    #expect(log.branches == [0, 1] && log.state(of: 1).pending == 0)
  }

  @Test("of more futures than are kept the newest stay, and all of them together stay small")
  func many() {
    var log = SyncLog()
    log.append([
      SyncEntry.simulation(step: 0), SyncEntry.pending(4, at: 1), SyncEntry.simulation(step: 1, at: 1),
    ])
    for branch in 1...3000 {
      log.append([
        SyncEntry.simulation(
          step: 1, branch: branch, parent: branch > 1 ? branch - 1 : 0, at: Double(branch)),
        SyncEntry.pending(branch, at: Double(branch)),
        SyncEntry.simulation(step: 2, branch: branch, at: Double(branch)),
      ])
    }
    #expect(log.branches.count == SyncLog.branchLimit && log.branches.first == 0)
    for branch in log.branches {
      #expect(!log.state(of: branch).isEmpty && log.state(of: branch, at: 0.5).simulation != nil)
    }
    var short = SyncLog()
    short.append([SyncEntry.simulation(step: 1, at: 1)])
    for branch in 1...100 { short.append([SyncEntry.simulation(step: 1, branch: branch, at: 2)]) }
    #expect(short.branches == [0] + Array(38...100))
    // A writer that had to make room does not come back.
    short.append([SyncEntry.simulation(step: 2, branch: 5, at: 3), SyncEntry.pending(7, at: 3)])
    #expect(short.branches == [0] + Array(38...100) && short.state().pending == 0)
  }

  @Test("what was due right before the hand is not taken for its doing")
  func dueBefore() {
    var log = SyncLog()
    let fault =
      #"{"fault":"offline","amount":0,"unit":"","probability":1,"scope":"all","on":true,"byHand":true,"branch":1}"#
    log.append([
      SyncEntry.simulation(step: 0, at: 10),
      SyncEntry.simulation(step: 0, branch: 1, at: 10, nextAt: 10.0009),
      SyncEntry.mutation("a", .queued, at: 10.0009, branch: 1),
      SyncEntry.simulation(step: 1, branch: 1, at: 10.0009, nextAt: 40),
      SyncEntry.raw("fault", "SyncFault", fault, at: 10.002),
      SyncEntry.simulation(step: 2, branch: 1, at: 10.002, nextAt: 40),
      SyncEntry.mutation("b", .queued, at: 30, branch: 1),
      SyncEntry.simulation(step: 3, branch: 1, at: 30, nextAt: 40),
    ])
    #expect(log.change(of: 1) == "offline on")
  }

  @Test("what was done by hand first in a future is told in words")
  func changes() throws {
    let constants = try JSONDecoder().decode(
      SyncConfiguration.self, from: Data(#"{"maximumBackoffSeconds": 60}"#.utf8))
    let acts: [(SimulationAct?, String)] = [
      (nil, "no change"), (.configure(constants), "backoff.maximum 300 s -> 60 s"),
      (.fault(FaultSetting(.latency, amount: 400, probability: 0.5)), "latency 400 ms in 50 % on"),
      (.clearFaults, "429 off"), (.resetBreaker, "breaker reset"), (.requestSync, "sync requested"),
      (.clearPending, "pending cleared"),
      (.change(SimulatedChange(.create, kind: "event", count: 3)), "3 x create event"),
    ]
    for (act, words) in acts {
      let futures = try SyncFutures("rate-limit-storm", share: 0.2, change: act)
      let log = try SyncFutures.log(futures.shared + futures.branch)
      #expect(log.change(of: 1) == words)
      #expect(log.change(of: 0) == "no change")
    }
  }
}

/// Entries as a feed has read them, made by hand.
enum SyncEntry {
  static func simulation(
    step: Int, branch: Int = 0, parent: Int? = nil, at time: Double = 0, speed: Double = 1,
    running: Bool = true,
    nextAt: Double? = nil, arrival: Double? = nil
  ) -> RawEngineEntry {
    let parent = parent ?? (branch == 0 ? nil : 0)
    let more = (parent.map { ",\"parent\":\($0)" } ?? "") + (nextAt.map { ",\"nextAt\":\($0)" } ?? "")
    return raw(
      "simulation", "SyncSimulationRecord",
      #"{"scenario":"s","seed":1,"step":\#(step),"branch":\#(branch),"speed":\#(speed),"running":\#(running)\#(more)}"#,
      at: time, arrival)
  }

  static func pending(_ count: Int, at time: Double, arrival: Double? = nil) -> RawEngineEntry {
    raw("pending", "Int", "\(count)", at: time, arrival)
  }

  static func raw(
    _ name: String, _ typeName: String, _ json: String, at time: Double, _ arrival: Double? = nil
  ) -> RawEngineEntry {
    RawEngineEntry(
      time: Timestamp(time), metric: MetricIdentity(bucket: "sync", name: name, typeName: typeName),
      json: Array(json.utf8),
      arrival: arrival.map { Timestamp($0) })
  }
}
