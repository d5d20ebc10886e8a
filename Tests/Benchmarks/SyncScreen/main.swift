import Aggregation
import Codecs
import Dashboard
import DashboardCore
import EngineScreens
import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI
import TestSupport

// The cost of the Sync screen over a long record of a busy engine, as JSON for `Tests/Benchmarks/run`.
//
//     sync-screen-bench [entries]      the default is 40,000

/// One figure beside its bar; smaller is better.
struct Figure: Encodable {
  let what: String
  let figure: Double
  let bar: Double?
  let unit: String
  let text: String
}

/// A server that often refuses, an app that is used a lot: it trips, recovers, and its queue is never short.
let story = """
  { name: "bench", title: "Bench", story: "A long, bad day.", seed: 6, start: "2026-11-21T09:00:00Z",
    duration: 80000, settled: true, server: [{ kind: "eventType", count: 3 }, { kind: "event", count: 50 }],
    acts: [{ at: 0, do: "trigger", every: 20, afterChanges: true },
      { at: 1, do: "fault", fault: "rateLimit", probability: 0.2 },
      { at: 2, do: "fault", fault: "serverError", amount: 503, probability: 0.1 },
      { at: 3, do: "generate", perMinute: 30 }] }
  """

/// Everything that a simulation records, up to so many entries.
func play(_ simulation: Simulation, until count: Int) -> [RawEngineEntry] {
  var entries: [RawEngineEntry] = []
  while entries.count < count, simulation.step() {
    for entry in simulation.takeEntries() {
      let metric = MetricIdentity(
        bucket: entry.metric.bucket?.id, name: entry.metric.name, typeName: entry.metric.valueTypeString)
      entries.append(
        RawEngineEntry(
          time: Timestamp(entry.timestamp), metric: metric, json: Array(entry.value)))
    }
  }
  return entries
}

/// Milliseconds that something takes.
func milliseconds(_ body: () -> Void) -> Double {
  let start = ContinuousClock.now
  body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

func residentMemory() -> Double {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  return pages * 4096 / 1_048_576
}

let count = max(4_000, CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 40_000)
let extra = 2_000
let record = Array(
  play(try Simulation(try Scenario(json5: Data(story.utf8))), until: count + extra).prefix(count + extra))
let decisions = record.filter { $0.metric.name == "transition" }.count
let now = (record.last?.time ?? Timestamp(0)) + 1
var feed = FeedSnapshot()
let before = residentMemory()
for entry in record.prefix(count) { feed.engines.sync.append(entry) }
let held = residentMemory() - before
var model = Model(size: Size(width: 120, height: 36), now: now, zone: .utc, feed: feed)
var figures: [Figure] = []

// Opening the screen: frames until all of the record is taken in.
var worst = 0.0
var total = 0.0
var frames = 0
var messages: [Message] = [.input(.key(KeyPress(.character("4"))))]
repeat {
  var effects: [Effect] = []
  let spent = milliseconds {
    effects = update(&model, messages)
    _ = view(model)
  }
  (worst, total, frames) = (max(worst, spent), total + spent, frames + 1)
  // Work beside the loop takes no frame's time.
  messages = []
  total += milliseconds {
    for case .work(let work) in effects { messages.append(.worked(work.id, work.run())) }
  }
} while !messages.isEmpty && frames < 10_000
let opened = residentMemory() - before
figures.append(
  Figure(
    what: "Sync screen, opening on \(count) entries, worst frame", figure: worst, bar: 50, unit: "ms",
    text: "\(decisions) decisions, \(frames) frames, \(Int(total)) ms"))
figures.append(
  Figure(
    what: "Sync screen, memory for \(count) entries", figure: opened, bar: nil, unit: "MiB",
    text: "\(Int(held)) MiB of it whether it is shown or not"))

// Reading alone, beside Foundation's decoder.
let decisionEntries = Array(record.filter { $0.metric.name == "transition" }.prefix(2_000))
let quick = milliseconds { for entry in decisionEntries { _ = SyncRecord(entry) } }
let usual = milliseconds {
  for entry in decisionEntries { _ = try? JSONDecoder().decode(SyncTransition.self, from: Data(entry.json)) }
}
figures.append(
  Figure(
    what: "Sync screen, reading one decision", figure: quick / Double(decisionEntries.count) * 1000, bar: nil,
    unit: "µs", text: "Foundation's decoder: \(Int(usual / Double(decisionEntries.count) * 1000)) µs"))

// Input during a fast simulation: a block of entries between two frames, and a key.
var blocks: [Double] = []
var copying = 0.0
for start in stride(from: count, to: record.count, by: 500) {
  copying += milliseconds {
    for entry in record[start..<min(start + 500, record.count)] { feed.engines.sync.append(entry) }
  }
  blocks.append(
    milliseconds {
      _ = update(
        &model,
        [
          .clock(now), .feed(feed), .input(.key(KeyPress(.character("?")))),
          .input(.key(KeyPress(.escape))),
        ])
      _ = view(model)
    })
}
figures.append(
  Figure(
    what: "Sync screen, 500 new entries and a key, worst frame", figure: blocks.max() ?? 0, bar: 50,
    unit: "ms",
    text: "a snapshot and 500 entries: \(Int(copying / Double(blocks.count) * 1000)) µs"))

// The past.
var generator = SeededGenerator(seed: 4)
var moments: [Double] = []
for _ in 0..<400 {
  let moment = record[Int.random(in: 0..<record.count, using: &generator)].time
  moments.append(milliseconds { _ = model.screen(SyncScreen.self)?.state.log.state(at: moment) })
}
moments.sort()
figures.append(
  Figure(
    what: "Sync screen, the picture of a moment, p99", figure: moments[moments.count * 99 / 100], bar: 5,
    unit: "ms",
    text: "median \((moments[moments.count / 2] * 100).rounded() / 100) ms"))
var drawing: [Double] = (0..<100).map { _ in milliseconds { _ = view(model) } }
drawing.sort()
figures.append(
  Figure(what: "Sync screen, drawing", figure: drawing[50], bar: nil, unit: "ms", text: "120x36"))

// Two branches of twenty thousand entries each, half of them shared.
let trunk = try Simulation(try Scenario(json5: Data(story.utf8)))
var both = play(trunk, until: 10_000)
let branch = try trunk.branched(at: trunk.steps, as: 1, change: .clearFaults)
both += play(trunk, until: 10_000)
both += play(branch, until: 10_000)
var log = SyncLog()
log.append(both)
var comparing: [Double] = (0..<50).map { _ in
  milliseconds { _ = SyncComparison(log: log, of: 0, and: 1, columns: 60) }
}
comparing.sort()
figures.append(
  Figure(
    what: "Sync screen, two branches compared", figure: comparing[25], bar: 5, unit: "ms",
    text: SyncComparison(log: log, of: 0, and: 1, columns: 60)?.difference ?? ""))
try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figures))
