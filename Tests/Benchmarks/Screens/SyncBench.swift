import BenchSupport
import Dashboard
import DashboardCore
import EngineScreens
import Foundation
import JSONLines
import Platform
import Sync
import SyncSimulation

/// The Sync screen.
@MainActor
enum SyncBench {
  /// A server that often refuses, an app that is used a lot: it trips, recovers, and its queue is never short.
  private static let story = """
    { name: "bench", title: "Bench", story: "A long, bad day.", seed: 6, start: "2026-11-21T09:00:00Z",
      duration: 80000, settled: true, server: [{ kind: "eventType", count: 3 }, { kind: "event", count: 50 }],
      acts: [{ at: 0, do: "trigger", every: 20, afterChanges: true },
        { at: 1, do: "fault", fault: "rateLimit", probability: 0.2 },
        { at: 2, do: "fault", fault: "serverError", amount: 503, probability: 0.1 },
        { at: 3, do: "generate", perMinute: 30 }] }
    """

  private static func simulation() throws -> Simulation {
    try Simulation(try Scenario(json5: Data(story.utf8)))
  }

  /// Everything that a simulation records, up to so many entries.
  private static func play(_ simulation: Simulation, until count: Int) -> [RawEngineEntry] {
    var entries: [RawEngineEntry] = []
    while entries.count < count, simulation.step() {
      entries += simulation.takeEntries().map(RawEngineEntry.init)
    }
    return entries
  }

  static func figures(_ count: Int) throws -> [Figure] {
    let extra = 2_000
    let record = Array(play(try simulation(), until: count + extra).prefix(count + extra))
    let decisions = record.filter { $0.metric.name == "transition" }
    var feed = FeedSnapshot()
    let before = residentMemory()
    for entry in record.prefix(count) { feed.engines.sync.append(entry) }
    let held = residentMemory() - before
    var bench = ScreenBench("Sync", feed: feed, now: (record.last?.time ?? Timestamp(0)) + 1)
    bench.open(key: "4", "\(count) entries", "\(decisions.count) decisions")
    bench.add(
      "memory for \(count) entries", residentMemory() - before, "MiB",
      "\(Int(held)) MiB of it whether it is shown or not")
    read(Array(decisions.prefix(2_000)), &bench)

    // Input during a fast simulation: a block of entries between two frames, and a key.
    var (blocks, copying): ([Double], Double) = ([], 0)
    for start in stride(from: count, to: record.count, by: 500) {
      copying += milliseconds {
        for entry in record[start..<min(start + 500, record.count)] { feed.engines.sync.append(entry) }
      }
      blocks.append(bench.frame(of: feed))
    }
    bench.add(
      "500 new entries and a key, worst frame", blocks.max() ?? 0, bar: 50, "ms",
      "a snapshot and 500 entries: \(Int(copying / Double(blocks.count) * 1000)) µs")
    bench.finish(record) { _ = $0.screen(SyncScreen.self)?.state.log.state(at: $1) }
    try compare(&bench)
    return bench.figures
  }

  /// Reading alone, beside Foundation's decoder.
  private static func read(_ decisions: [RawEngineEntry], _ bench: inout ScreenBench) {
    let quick = milliseconds { for entry in decisions { _ = SyncRecord(entry) } }
    let usual = milliseconds {
      for entry in decisions { _ = try? JSONDecoder().decode(SyncTransition.self, from: Data(entry.json)) }
    }
    bench.add(
      "reading one decision", quick / Double(decisions.count) * 1000, "µs",
      "Foundation's decoder: \(Int(usual / Double(decisions.count) * 1000)) µs")
  }

  /// Two branches of twenty thousand entries each, half of them shared.
  private static func compare(_ bench: inout ScreenBench) throws {
    let trunk = try simulation()
    var both = play(trunk, until: 10_000)
    let branch = try trunk.branched(at: trunk.steps, as: 1, change: .clearFaults)
    both += play(trunk, until: 10_000)
    both += play(branch, until: 10_000)
    var log = SyncLog()
    log.append(both)
    let comparing = (0..<50).map { _ in
      milliseconds { _ = SyncComparison(log: log, of: 0, and: 1, columns: 60) }
    }
    bench.add(
      "two branches compared", comparing.median, bar: 5, "ms",
      SyncComparison(log: log, of: 0, and: 1, columns: 60)?.difference ?? "")
  }
}
