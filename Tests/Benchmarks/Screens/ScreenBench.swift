import BenchSupport
import Codecs
import Dashboard
import DashboardCore
import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import TerminalUI
import TestSupport

/// The cost of an engine's screen over a long record of a busy engine.
///
///     screen-bench sync|delivery [COUNT]      40,000 entries, or 100,000 batches
@main
@MainActor
struct ScreenBench {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let count = arguments.dropFirst().first.flatMap { Int($0) }
    switch arguments.first {
    case "sync": try Figure.print(SyncBench.figures(max(4_000, count ?? 40_000)))
    case "delivery": try Figure.print(DeliveryBench.figures(max(1_000, count ?? 100_000)))
    default:
      FileHandle.standardError.write(Data("usage: screen-bench sync|delivery [COUNT]\n".utf8))
      exit(2)
    }
  }

  let name: String
  var model: Model
  private(set) var figures: [Figure] = []
  private let now: Timestamp

  init(_ name: String, feed: FeedSnapshot, now: Timestamp) {
    (self.name, self.now) = (name, now)
    model = Model(size: Size(width: 120, height: 36), now: now, zone: .utc, feed: feed)
  }

  mutating func add(_ what: String, _ figure: Double, bar: Double? = nil, _ unit: String, _ text: String = "")
  {
    figures.append(Figure("\(name) screen, \(what)", figure, bar: bar, unit, text))
  }

  /// Opens the screen: frames until all of the record is taken in.
  mutating func open(key: Character, _ record: String, _ contents: String) {
    var (worst, total, frames) = (0.0, 0.0, 0)
    var messages: [Message] = [.input(.key(KeyPress(.character(key))))]
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
    add(
      "opening on \(record), worst frame", worst, bar: 50, "ms",
      "\(contents), \(frames) frames, \(Int(total)) ms")
  }

  /// Milliseconds of a frame with new entries, a key that opens help and one that closes it.
  mutating func frame(of feed: FeedSnapshot) -> Double {
    milliseconds {
      _ = update(
        &model,
        [
          .clock(now), .feed(feed), .input(.key(KeyPress(.character("?")))), .input(.key(KeyPress(.escape))),
        ])
      _ = view(model)
    }
  }

  /// Asks for the picture of random moments of the record, and draws.
  mutating func finish(_ record: [RawEngineEntry], picture: (Model, Timestamp) -> Void) {
    var generator = SeededGenerator(seed: 4)
    let moments = (0..<400).map { _ in
      let moment = record[Int.random(in: 0..<record.count, using: &generator)].time
      return milliseconds { picture(model, moment) }
    }
    add(
      "the picture of a moment, p99", moments.quantile(0.99), bar: 5, "ms",
      "median \((moments.median * 100).rounded() / 100) ms")
    add("drawing", (0..<100).map { _ in milliseconds { _ = view(model) } }.median, "ms", "120x36")
  }
}

extension RawEngineEntry {
  /// An entry as a tail reads it.
  init(_ entry: MetricEntry) {
    let metric = MetricIdentity(
      bucket: entry.metric.bucket?.id, name: entry.metric.name, typeName: entry.metric.valueTypeString)
    self.init(time: Timestamp(entry.timestamp), metric: metric, json: Array(entry.value))
  }
}
