import Aggregation
import Codecs
import Foundation
import History
import JSONLines
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Commands
@testable import Dashboard
@testable import DashboardCore
@testable import HistogramScreen
@testable import HistoryScreen

/// One metric of a file as it was made, with what its figures are.
private struct MadeMetric {
  let name: String
  var values: [Double] = []
  var others = 0

  mutating func sort() { sorted = values.sorted() }
  private(set) var sorted: [Double] = []

  func percentile(_ percentile: Int) -> Double {
    sorted[max(1, (percentile * sorted.count + 99) / 100) - 1]
  }
}

/// A random file of numbers, some of which are whole, huge, tiny, negative, null or alone.
private struct MadeFile {
  var metrics: [MadeMetric] = []
  var text = ""

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for number in 0...Int(random.next() % 4) {
      var metric = MadeMetric(name: ["call_ms", "size_bytes", "fps", "load_percent"][number])
      let (shape, scale) = (random.next() % 5, [1, 100, 1e-6, 1e9, 1e200][Int(random.next() % 5)])
      let sizes = [1, 2, 3, 19, 20, 21, 60, 100, 100, 300, 300, 1000, 4096]
      for index in 0..<sizes[Int(random.next() % 13)] {
        var value = scale * random.normal()
        if shape == 0 { value = value.rounded() }
        if shape == 1 { value = abs(value) }
        if shape == 2 { value = Double(random.next() % 12) }
        if shape == 3 { value = scale * exp(random.normal()) }
        let isNull = random.next() % 50 == 0
        if isNull { metric.others += 1 } else { metric.values.append(value) }
        let base64 = Data((isNull ? "null" : "\(value)").utf8).base64EncodedString()
        text += #"{"metric":{"bucket":"b","name":"\#(metric.name)","valueTypeString":"Double"},"#
        text += #""timestamp":\#(800_000_000 + index),"value":"\#(base64)"}"# + "\n"
      }
      metric.sort()
      metrics.append(metric)
    }
  }
}

@Suite("One figure, wherever it is shown")
struct ConsistencyTests {
  private static let percentiles = [50.0, 90, 95, 99]

  /// A figure of a metric: its name, and what one place has of it.
  private typealias Figures = [String: Double]

  private func truth(_ metric: MadeMetric) -> Figures {
    var figures: Figures = ["n": Double(metric.values.count)]
    guard !metric.values.isEmpty else { return figures }
    (figures["min"], figures["max"]) = (metric.sorted.first, metric.sorted.last)
    for percentile in Self.percentiles { figures["p\(Int(percentile))"] = metric.percentile(Int(percentile)) }
    return figures
  }

  private func figures(
    _ moments: Moments, _ quantiles: [Quantile], deviation: Double? = nil
  ) -> Figures {
    var figures: Figures = ["n": Double(moments.count)]
    guard moments.count > 0 else { return figures }
    (figures["min"], figures["max"]) = (moments.minimum, moments.maximum)
    (figures["mean"], figures["stddev"]) = (moments.mean, moments.standardDeviation)
    for (percentile, quantile) in zip(Self.percentiles, quantiles) {
      figures["p\(Int(percentile))"] = quantile.value
    }
    return figures
  }

  /// The feed's facts about a file.
  private func store(_ text: String) -> SeriesStore {
    var state = IngestState(limits: SeriesStore.Limits())
    var intake = MemberIntake(member: TailMember(index: 0, path: "m.jsonl"))
    Array(text.utf8).withUnsafeBytes { intake.take($0, at: 0) }
    state.take(&intake, at: Timestamp(800_010_000))
    _ = state.caughtUp()
    return state.store
  }

  /// Live's view: the window of all samples.
  private func live(_ store: SeriesStore, _ identity: SeriesIdentity) throws -> Figures {
    let id = try #require(store.id(of: identity))
    let summary = store.summary(of: id, from: 799_000_000, to: 801_000_000, percentiles: Self.percentiles)
    #expect(summary.isExact)
    return figures(summary.moments, summary.quantiles)
  }

  /// The Histogram screen of all samples.
  private func histogram(_ history: HistoryStore, _ identity: SeriesIdentity) throws -> Figures {
    let cube = try history.cube(of: identity)
    let side = HistogramSource.samples(cube, close: nil).side("all", SampleCube.Choice()).side
    var figures: Figures = ["n": Double(side.count)]
    guard side.count > 0 else { return figures }
    (figures["max"], figures["mean"]) = (side.maximum, side.average()?.value)
    figures["stddev"] = side.standardDeviation
    for (percentile, quantile) in zip(Self.percentiles, side.quantiles(Self.percentiles)) {
      figures["p\(Int(percentile))"] = quantile.value
    }
    return figures
  }

  /// History's view of a selected stretch, here all of the file.
  private func history(_ history: HistoryStore, _ identity: SeriesIdentity, _ store: SeriesStore) throws
    -> [String: String]
  {
    let all = Timestamp(799_000_000)..<Timestamp(801_000_000)
    let answer = try history.answer(
      HistoryQuery(window: all, focus: identity, columns: 10, playhead: all.upperBound, selection: all))
    let model = Model(
      size: Size(width: 80, height: 24), now: Timestamp(801_000_000), feed: FeedSnapshot(store: store))
    let statistics = try #require(model.screen(HistoryScreen.self)).statistics(
      try #require(answer.selection), of: identity, in: all)
    return Dictionary(uniqueKeysWithValues: statistics.parts.map { ($0.name, $0.value) })
  }

  /// The output of `stats`, in the format for machines.
  private func stats(_ path: String) async throws -> [String: Figures] {
    let out = Recorder<String>()
    var request = StatsCommand.Request(paths: [path])
    (request.format, request.workers) = (.csv, 2)
    _ = await StatsCommand(request).run(
      console: Console(write: { out.append($0) }, writeError: { _ in }))
    let lines = out.all.joined().split(separator: "\r\n").map { $0.components(separatedBy: ",") }
    let names = try #require(lines.first)
    return Dictionary(
      uniqueKeysWithValues: lines.dropFirst().map { cells in
        let row = Dictionary(uniqueKeysWithValues: zip(names, cells))
        var figures: Figures = ["n": Double(row["numbers"] ?? "") ?? -1]
        for name in ["min", "max", "mean", "stddev", "p50", "p90", "p95", "p99"] {
          figures[name] = row[name].flatMap(Double.init)
        }
        return (row["name"] ?? "", figures)
      })
  }

  @Test(
    "of random files Live, History, Histogram and stats show the same count, extremes, mean, spread and percentiles"
  )
  func places() async throws {
    let folder = try TemporaryFolder()
    var compared = 0
    for seed in 0..<UInt64(trials(40, long: 200)) {
      let file = MadeFile(seed: seed)
      let path = try folder.write(file.text, to: "m\(seed).jsonl")
      let printed = try await stats(path)
      let store = store(file.text)
      let maintainer = IndexMaintainer(paths: [path], cache: nil, workers: 1)
      _ = maintainer.refresh()
      for metric in file.metrics {
        let identity = SeriesIdentity(bucket: "b", name: metric.name, typeName: "Double")
        let unit = ValueUnit(name: metric.name)
        let known = truth(metric)
        let places = [
          ("live", try live(store, identity)),
          ("histogram", try histogram(maintainer.history, identity)),
          ("stats", printed[metric.name] ?? [:]),
        ]
        for (place, figures) in places {
          // Percentiles, extremes and counts are the numbers themselves.
          for (name, value) in known where figures[name] != nil || place == "stats" {
            #expect(figures[name] == value, "\(seed) \(metric.name) \(place) \(name)")
          }
        }
        let history = try history(maintainer.history, identity, store)
        for name in ["p50", "p95", "max", "min"] where known[name] != nil {
          let sign = name.hasPrefix("p") && metric.values.count < 20 ? "~" : ""
          #expect(history[name] == known[name].map { sign + unit.text($0) }, "\(seed) \(metric.name) \(name)")
        }
        if let mean = places[0].1["mean"] { #expect(history["mean"] == unit.text(mean)) }
        for name in ["mean", "stddev"] {
          let shown = Set(places.compactMap { $0.1[name].map(unit.text) })
          #expect(shown.count <= 1, "\(seed) \(metric.name) \(name): \(shown)")
          compared += shown.count
        }
      }
    }
    #expect(compared > trials(100, long: 500))
  }
}
