import Aggregation
import Codecs
import Dashboard
import DashboardCore
import DeliveryCore
import DeliverySimulation
import EngineScreens
import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import TerminalUI
import TestSupport

// The cost of the Delivery screen over a long record of a busy client, as JSON for `Tests/Benchmarks/run`.
//
//     delivery-screen-bench [batches]      the default is 100,000

/// One figure beside its bar; smaller is better.
struct Figure: Encodable {
  let what: String
  let figure: Double
  let bar: Double?
  let unit: String
  let text: String
}

/// An endpoint that often refuses, an app that is used a lot: the breaker trips, recovers, and batches are small.
let story = """
  { name: "bench", title: "Bench", story: "A long, bad day.", seed: 6, start: "2026-11-21T09:00:00Z", duration: 400000,
    options: { flushIntervalSeconds: 1 },
    acts: [{ at: 0, do: "generate", perMinute: 240 },
      { at: 1, do: "fault", fault: "serverError", amount: 503, probability: 0.2 },
      { at: 2, do: "fault", fault: "tooLarge", amount: 3, probability: 0.1 }] }
  """

/// Milliseconds that something takes.
func milliseconds(_ body: () -> Void) -> Double {
  let start = ContinuousClock.now
  body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

let count = max(1_000, CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000)
var feed = FeedSnapshot()
var newest: [RawEngineEntry] = []
var batches = 0
let simulation = DeliverySimulation(try DeliveryScenario(json5: Data(story.utf8)))
while batches < count, simulation.step() {
  for entry in simulation.takeEntries() {
    if entry.metric == AnyMetric(DeliveryMetrics.batch) { batches += 1 }
    let metric = MetricIdentity(
      bucket: entry.metric.bucket?.id, name: entry.metric.name, typeName: entry.metric.valueTypeString)
    let raw = RawEngineEntry(time: Timestamp(entry.timestamp), metric: metric, json: Array(entry.value))
    feed.engines.delivery.append(raw)
    newest.append(raw)
    if newest.count > 4_000 { newest.removeFirst(2_000) }
  }
}
let now = (newest.last?.time ?? Timestamp(0)) + 1
var model = Model(size: Size(width: 120, height: 36), now: now, zone: .utc, feed: feed)
var figures: [Figure] = []

// Opening the screen: frames until all of the record is taken in.
var worst = 0.0
var total = 0.0
var frames = 0
var messages: [Message] = [.input(.key(KeyPress(.character("5"))))]
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
figures.append(
  Figure(
    what: "Delivery screen, opening on \(batches) batches, worst frame", figure: worst, bar: 50, unit: "ms",
    text: "\(feed.engines.delivery.total) entries, \(frames) frames, \(Int(total)) ms"))

// Input during a fast simulation: a block of entries between two frames, and a key.
var blocks: [Double] = []
for start in stride(from: 0, to: min(2_000, newest.count), by: 500) {
  for entry in newest[start..<min(start + 500, newest.count)] { feed.engines.delivery.append(entry) }
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
    what: "Delivery screen, 500 new entries and a key, worst frame", figure: blocks.max() ?? 0, bar: 50,
    unit: "ms", text: ""))

// A filter over all that is listed, letter by letter.
var filtering: [Double] = []
for key in ["/", "5", "0", "3"] {
  filtering.append(
    milliseconds {
      _ = update(&model, [.input(.key(KeyPress(.character(Character(key)))))])
      _ = view(model)
    })
}
figures.append(
  Figure(
    what: "Delivery screen, a letter of the filter, worst frame", figure: filtering.max() ?? 0, bar: 50,
    unit: "ms", text: ""))
_ = update(&model, [.input(.key(KeyPress(.escape)))])

// The past.
var generator = SeededGenerator(seed: 4)
var moments: [Double] = []
for _ in 0..<400 {
  let moment = newest[Int.random(in: 0..<newest.count, using: &generator)].time
  moments.append(milliseconds { _ = model.screen(DeliveryScreen.self)?.state.log.state(at: moment) })
}
moments.sort()
figures.append(
  Figure(
    what: "Delivery screen, the picture of a moment, p99", figure: moments[moments.count * 99 / 100], bar: 5,
    unit: "ms", text: "median \((moments[moments.count / 2] * 100).rounded() / 100) ms"))
var drawing: [Double] = (0..<100).map { _ in milliseconds { _ = view(model) } }
drawing.sort()
figures.append(
  Figure(what: "Delivery screen, drawing", figure: drawing[50], bar: nil, unit: "ms", text: "120x36"))
try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figures))
