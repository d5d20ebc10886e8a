import BenchSupport
import Foundation
import MisterMetricsCore
import Telemetry

/// Times signposts and prints the figures as JSON for `Tests/Benchmarks/run`: `signpost-bench`.
@main
struct SignpostBench {
  private static let count = 1000

  @MainActor
  static func main() throws {
    MetricManager.installGlobal(MetricMemoryStore())
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorder = try PayloadRecorder(folder: folder, version: "1.0")
    let signposters = [
      ("global store", Signposter(category: "Bench")),
      ("given store", Signposter(category: "Bench", in: MetricNoopStore().erased)),
      ("sink", Signposter(category: "Bench", sink: { _ in })),
      ("payload recorder", recorder.makeSignposter(category: "Bench")),
    ]
    var figures: [Figure] = []
    for (label, signposter) in signposters { figures += measure(signposter, label) }
    figures.append(measureDisabled())
    try Figure.print(figures)
  }

  /// The cost of begin, end and event to their caller, in bursts of intervals that are open at the same time.
  private static func measure(_ signposter: Signposter, _ label: String) -> [Figure] {
    let ids = (0..<count).map { _ in signposter.makeSignpostID() }
    var states: [SignpostIntervalState] = []
    states.reserveCapacity(count)
    var (begins, ends, events): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<200 {
      begins.append(
        nanoseconds { for id in ids { states.append(signposter.beginInterval("Interval", id: id)) } })
      ends.append(nanoseconds { for state in states { signposter.endInterval("Interval", state) } })
      events.append(nanoseconds { for _ in 0..<count { signposter.emitEvent("Event") } })
      states.removeAll(keepingCapacity: true)
      // The queue is emptied between bursts, so that none of them finds it full.
      Thread.sleep(forTimeInterval: 0.02)
    }
    return [("begin", begins), ("end", ends), ("event", events)].map {
      Figure(
        "signpost \($0.0), \(label)", $0.1.median, bar: 200, "ns",
        "bursts of \(count)")
    }
  }

  private static func measureDisabled() -> Figure {
    let signposter = Signposter.disabled
    let bursts = (0..<200).map { burst in
      nanoseconds {
        for _ in 0..<count {
          let state = signposter.beginInterval("Interval", "burst \(burst)")
          signposter.endInterval("Interval", state, "burst \(burst)")
        }
      }
    }
    return Figure(
      "signpost begin or end, disabled", bursts.median / 2, bar: 5, "ns",
      "bursts of \(count)")
  }

  /// The time of one of the calls in `body`.
  private static func nanoseconds(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body) / .nanoseconds(1) / Double(count)
  }
}
