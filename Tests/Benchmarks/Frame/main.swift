import Aggregation
import Codecs
import Dashboard
import DashboardCore
import Foundation
import Platform
import TerminalUI
import TestSupport

// The cost of one frame of the Live screen, and of folding samples: figures in milliseconds of CPU.
//
//     frame-bench [columns rows [metrics]]      the default is 200 60 40
//     frame-bench memory SERIES                 what a store of four million samples takes

if CommandLine.arguments.dropFirst().first == "memory" {
  reportMemory(series: max(1, CommandLine.arguments.last.flatMap { Int($0) } ?? 1), samples: 4_000_000)
  exit(0)
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let size = Size(width: arguments.first ?? 200, height: arguments.dropFirst().first ?? 60)
let end = 816_964_327.0
let metrics = max(1, arguments.dropFirst(2).first ?? 40)

/// CPU seconds of this process.
func cpu() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func report(_ name: String, _ value: Double, _ unit: String) {
  print("\(name): \((value * 1000).rounded() / 1000) \(unit)")
}

var store = SeriesStore()
var generator = SeededGenerator(seed: 1)
let ids = (0..<metrics).map { number in
  store.series(
    for: SeriesIdentity(bucket: "bucket\(number % 6)", name: "metric\(number)_ms", typeName: "Double"))
}
@MainActor func value() -> SeriesValue { .number(Double.random(in: 5...300, using: &generator)) }

/// One sample of each metric at a time.
@MainActor func record(at time: Double) {
  for id in ids { store.record(id, time: time, value: value()) }
}

// As many samples however many metrics share them: an hour of them, then two minutes that are denser.
let hour = max(1, 900_000 / metrics)
let minutes = max(2, 120_000 / metrics)
var started = cpu()
for step in 0..<hour { record(at: end - 3600 + 3600 * Double(step) / Double(hour)) }
report("fold one sample", (cpu() - started) / Double(hour * metrics) * 1e6, "µs")
for step in 0..<minutes { record(at: end - 120 + 120 * Double(step) / Double(minutes)) }

var model = Model(size: size, now: Timestamp(end), zone: .utc, feed: FeedSnapshot(store: store))
var last = view(model).buffer
let frames = 300
var (updating, drawing, comparing, cells) = (0.0, 0.0, 0.0, 0)
for frame in 0..<frames {
  // A thousand samples a second, sixty frames a second.
  let now = end + Double(frame) / 60
  for sample in 0..<17 {
    store.record(ids[(frame * 17 + sample) % metrics], time: now, value: value())
  }
  let start = cpu()
  _ = update(&model, [.clock(Timestamp(now)), .feed(FeedSnapshot(store: store))])
  let updated = cpu()
  let picture = view(model).buffer
  let drawn = cpu()
  cells += picture.diff(from: last).reduce(0) { $0 + $1.count }
  last = picture
  comparing += cpu() - drawn
  updating += updated - start
  drawing += drawn - updated
}
let each = 1000 / Double(frames)
print("\(size.width)x\(size.height), \(metrics) metrics, 1,000 samples/s, \(frames) frames")
report("update", updating * each, "ms")
report("view", drawing * each, "ms")
report("diff", comparing * each, "ms")
report("frame", (updating + drawing + comparing) * each, "ms")
report("cells changed", Double(cells) / Double(frames), "a frame")
