import BenchSupport
import Dashboard
import DashboardCore
import DeliveryCore
import DeliverySimulation
import EngineScreens
import Foundation
import MisterMetricsCore
import Platform
import TerminalUI

/// The Delivery screen.
@MainActor
enum DeliveryBench {
  /// An endpoint that often refuses, an app that is used a lot: the breaker trips, recovers, and batches are small.
  private static let story = """
    { name: "bench", title: "Bench", story: "A long, bad day.", seed: 6, start: "2026-11-21T09:00:00Z", duration: 400000,
      options: { flushIntervalSeconds: 1 },
      acts: [{ at: 0, do: "generate", perMinute: 240 },
        { at: 1, do: "fault", fault: "serverError", amount: 503, probability: 0.2 },
        { at: 2, do: "fault", fault: "tooLarge", amount: 3, probability: 0.1 }] }
    """

  static func figures(_ count: Int) throws -> [Figure] {
    var feed = FeedSnapshot()
    var newest: [RawEngineEntry] = []
    var batches = 0
    let simulation = DeliverySimulation(try DeliveryScenario(json5: Data(story.utf8)))
    while batches < count, simulation.step() {
      for entry in simulation.takeEntries() {
        if entry.metric == AnyMetric(DeliveryMetrics.batch) { batches += 1 }
        let raw = RawEngineEntry(entry)
        feed.engines.delivery.append(raw)
        newest.append(raw)
        if newest.count > 4_000 { newest.removeFirst(2_000) }
      }
    }
    var bench = ScreenBench("Delivery", feed: feed, now: (newest.last?.time ?? Timestamp(0)) + 1)
    bench.open(key: "5", "\(batches) batches", "\(feed.engines.delivery.total) entries")

    // Input during a fast simulation: a block of entries between two frames, and a key.
    var blocks: [Double] = []
    for start in stride(from: 0, to: min(2_000, newest.count), by: 500) {
      for entry in newest[start..<min(start + 500, newest.count)] { feed.engines.delivery.append(entry) }
      blocks.append(bench.frame(of: feed))
    }
    bench.add("500 new entries and a key, worst frame", blocks.max() ?? 0, bar: 50, "ms")
    filter(&bench)
    bench.finish(newest) { _ = $0.screen(DeliveryScreen.self)?.state.log.state(at: $1) }
    return bench.figures
  }

  /// A filter over all that is listed, letter by letter.
  private static func filter(_ bench: inout ScreenBench) {
    let letters = ["/", "5", "0", "3"].map { key in
      milliseconds {
        _ = update(&bench.model, [.input(.key(KeyPress(.character(Character(key)))))])
        _ = view(bench.model)
      }
    }
    bench.add("a letter of the filter, worst frame", letters.max() ?? 0, bar: 50, "ms")
    _ = update(&bench.model, [.input(.key(KeyPress(.escape)))])
  }
}
