import Aggregation
import Codecs
import Foundation
import History
import Platform
import TerminalUI
import TestSupport

@testable import Dashboard
@testable import DashboardCore
@testable import HistogramScreen
@testable import LiveScreen

/// A seeded file of five versions of an app, the newest of which has a second peak, and who answers questions about it.
enum HistogramFixture {
  static let now = LiveFixture.now
  static let length = 5520.0
  static let push = SeriesIdentity(bucket: "sync", name: "push", typeName: "Push", field: "total_ms")
  static let rtt = SeriesIdentity(bucket: "net", name: "rtt_ms", typeName: "Double")
  static let state = SeriesIdentity(bucket: "sync", name: "state", typeName: "String")

  /// One recorded push.
  struct Sample {
    let time: Timestamp
    let value: Double
    let labels: [SampleCube.Label]
  }

  static let samples: [Sample] = {
    var generator = SeededGenerator(seed: 8)
    let versions = ["2.3.1", "2.3.2", "2.4.0", "2.4.1"]
    return (0..<8000).map { index in
      let version = index < 9 ? "2.3.0" : versions[min(3, index / 2000)]
      var value = 130 * exp(normal(&generator) * 0.25)
      if version == "2.4.1", Double.random(in: 0..<1, using: &generator) < 0.12 {
        value = 345 + 50 * normal(&generator)
      }
      let chance = Double.random(in: 0..<1, using: &generator)
      let outcome = value > 380 && chance < 0.3 ? "fail" : value > 300 && chance < 0.5 ? "retry" : "ok"
      return Sample(
        time: now - length + Double(index) / 8000 * length,
        value: (max(5, value) * 10).rounded() / 10,
        labels: [
          .init("outcome", outcome), .init("net", index % 3 == 0 ? "cell" : "wifi"), .init("ver", version),
        ])
    }
  }()

  private static func normal(_ generator: inout SeededGenerator) -> Double {
    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }

  /// The samples of a stretch of time as a cube.
  static func cube(_ window: Range<Timestamp>? = nil) -> SampleCube {
    let step = RoundTime.step(atLeast: (window.map { $0.upperBound - $0.lowerBound } ?? length) / 256)
    var cube = SampleCube(step: step)
    for sample in samples where window?.contains(sample.time) ?? true {
      cube.record(sample.value, at: sample.time.seconds, labels: sample.labels)
    }
    return cube
  }

  private static let whole = cube()

  /// Answers a question by looking at every sample.
  static func answer(to query: HistoryQuery) -> HistoryAnswer {
    var answer = HistoryAnswer(query: query)
    answer.files = ["app.jsonl"]
    answer.range = now - length...now
    answer.series = [push, rtt, state].map { HistorySeries(identity: $0, count: 0, total: 8000) }
    if let wanted = query.histogram, let series = wanted.series {
      answer.cube = series == push ? wanted.window.map { cube($0) } ?? whole : SampleCube(step: 1)
    }
    guard query.focus == push, let filter = query.filter else { return answer }
    let found = samples.enumerated().filter { _, sample in
      query.window.contains(sample.time) && filter.values?.contains(sample.value) ?? true
        && filter.labels.allSatisfy { field, value in
          sample.labels.contains { $0.dimension == field && .value($0.value) == value }
        }
    }
    answer.page.total = found.count
    answer.page.anchor = found.isEmpty ? nil : 0
    answer.page.rows = found.prefix(40).map { index, sample in
      HistoryRow(
        place: SamplePlace(file: 0, offset: UInt64(index) * 100, time: sample.time), line: index + 1,
        value: .number(sample.value))
    }
    return answer
  }

  static let feed: FeedSnapshot = {
    var store = SeriesStore()
    for sample in samples.suffix(200) {
      store.record(store.series(for: push), time: sample.time.seconds, value: .number(sample.value))
      store.record(store.series(for: rtt), time: sample.time.seconds, value: .number(40))
      store.record(store.series(for: state), time: sample.time.seconds, value: .text("idle"))
    }
    var status = FeedStatus()
    status.sources = ["app.jsonl"]
    status.isLoaded = true
    return FeedSnapshot(store: store, status: status)
  }()

  /// A model on the Histogram screen whose questions are answered.
  static func model(
    _ width: Int, _ height: Int, depth: ColorDepth = .none, glyphs: GlyphTier = .braille,
    keys: [KeyPress] = []
  ) -> Model {
    let theme = Theme(capabilities: Capabilities(depth: depth, glyphs: glyphs))
    var model = Model(
      size: Size(width: width, height: height), now: now, theme: theme, zone: .utc, feed: feed)
    model.live.selection = .series(push)
    answer(updateAtOnce(&model, [.history(HistoryNews())]), &model)
    for key in [KeyPress("3")] + keys { press(key, &model) }
    return model
  }

  /// Presses a key and answers what the model then wants to know.
  @discardableResult
  static func press(_ key: KeyPress, _ model: inout Model) -> [Effect] {
    model.press(key, with: answer(to:))
  }

  static func answer(_ effects: [Effect], _ model: inout Model) {
    model.answer(effects, with: answer(to:))
  }
}
