import Aggregation
import Codecs
import Foundation
import History
import Platform
import TerminalUI
import TestSupport

@testable import Dashboard
@testable import DashboardCore
@testable import HostsScreen
@testable import LiveScreen

/// A seeded fleet of twelve hosts over an hour, one of them slow, one for some minutes, and one silent since 35 s.
enum HostsFixture {
  static let now = LiveFixture.now
  static let length = 3600.0
  static let focus = SeriesIdentity(bucket: "net", name: "request_ms", typeName: "Double")
  static let state = SeriesIdentity(bucket: "net", name: "state", typeName: "String")
  static let names = (1...11).map { "web-\($0 < 10 ? "0" : "")\($0)" } + ["\u{1B}[31mred\u{202E}host\n"]

  struct Sample {
    let time: Timestamp
    let value: Double
  }

  /// The samples of each host, in order of time.
  static let samples: [[Sample]] = {
    var generator = SeededGenerator(seed: 11)
    return names.indices.map { host in
      stride(from: now.seconds - length, through: now.seconds - (host == 2 ? 35 : 1), by: 5).map { time in
        let age = now.seconds - time
        let factor = host == 6 ? 3.3 : host == 3 && age > 1200 && age < 1500 ? 4 : 1
        let noise = (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
        return Sample(time: Timestamp(time), value: (40 * factor * exp(0.4 * noise)).rounded())
      }
    }
  }()

  static let feed: FeedSnapshot = {
    var store = SeriesStore()
    for sample in samples.joined() {
      store.record(store.series(for: focus), time: sample.time.seconds, value: .number(sample.value))
      store.record(store.series(for: state), time: sample.time.seconds, value: .text("up"))
    }
    var status = FeedStatus()
    status.sources = names.map { "/fleet/\($0).jsonl" }
    return FeedSnapshot(store: store, status: status)
  }()

  /// The answer to a question about the first hosts.
  static func answer(_ query: HistoryQuery, hosts count: Int = names.count) -> HistoryAnswer {
    var answer = HistoryAnswer(query: query)
    answer.files = names.prefix(count).map { "/fleet/\($0).jsonl" }
    answer.range = now - length...now - 1
    answer.series = [focus, state].map { HistorySeries(identity: $0, count: 1, total: 1) }
    let scoped = names.prefix(count).indices.filter { query.scope == .all || query.scope == .host(names[$0]) }
    if query.focus != nil {
      answer.chart = chart(of: scoped.flatMap { samples[$0] }, query)
      answer.summary.count = scoped.reduce(0) { $0 + samples[$1].count }
    }
    answer.hosts = query.hosts.map { compare($0, query, count) }
    if query.histogram?.series != nil {
      var cube = SampleCube(step: 64)
      for host in scoped {
        let isOwn = query.histogram?.host == names[host]
        for sample in samples[host] {
          cube.record(
            sample.value, at: sample.time.seconds,
            labels: isOwn ? [SampleCube.Label(SampleCube.hostDimension, names[host])] : [])
        }
      }
      cube.settle()
      answer.cube = cube
    }
    return answer
  }

  private static func compare(_ wanted: HostsQuery, _ query: HistoryQuery, _ count: Int) -> HostsAnswer {
    var hosts: [HostComparison.Host] = []
    for (name, samples) in zip(names, samples).prefix(count) {
      var cell = IndexCell()
      for sample in samples where query.focus == focus && query.window.contains(sample.time) {
        cell.numbers += 1
        cell.minimum = min(cell.minimum, sample.value)
        cell.maximum = max(cell.maximum, sample.value)
        cell.sketch.record(sample.value, limit: 48)
      }
      hosts.append(HostComparison.Host(name: name, cell: cell, lastTime: samples.last?.time))
    }
    var answer = HostComparison(of: hosts, by: query.focus).answer(wanted)
    answer.chart = chart(of: samples.prefix(count).flatMap { $0 }, query)
    for row in wanted.cells.clamped(to: answer.rows.indices) {
      guard let host = names.firstIndex(of: answer.rows[row].name) else { continue }
      answer.rows[row].cells = chart(of: samples[host], query).columns.map { column in
        column.map { HostCell(count: $0.numbers, mean: $0.mean, p95: $0.spread.p95) }
      }
    }
    return answer
  }

  private static func chart(of samples: [Sample], _ query: HistoryQuery) -> HistoryChart {
    var chart = HistoryChart()
    let length = query.window.upperBound - query.window.lowerBound
    chart.step = 1.0 / 4096
    func keys() -> ClosedRange<Double> {
      let first = (query.window.lowerBound.seconds / chart.step).rounded(.down)
      return first...max(first, (query.window.upperBound.seconds / chart.step).rounded(.up) - 1)
    }
    while length / chart.step > 1e6 || Int(keys().upperBound - keys().lowerBound) + 1 > query.columns {
      chart.step *= 2
    }
    chart.firstKey = Int64(keys().lowerBound)
    var values = [[Double]](repeating: [], count: Int(keys().upperBound - keys().lowerBound) + 1)
    for sample in samples where query.window.contains(sample.time) {
      values[Int((sample.time.seconds / chart.step).rounded(.down) - keys().lowerBound)].append(sample.value)
    }
    chart.columns = values.map(column)
    return chart
  }

  private static func column(_ values: [Double]) -> HistoryColumn? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    var spread = ValueSpread(sorted[sorted.count / 2])
    spread.p5 = sorted[sorted.count / 20]
    spread.p25 = sorted[sorted.count / 4]
    spread.p75 = sorted[sorted.count * 3 / 4]
    spread.p95 = sorted[sorted.count * 19 / 20]
    return HistoryColumn(
      count: values.count, numbers: values.count, minimum: sorted[0], maximum: sorted[sorted.count - 1],
      mean: values.reduce(0, +) / Double(values.count), spread: spread, firstTime: now, lastTime: now)
  }

  /// A model on the Hosts screen whose questions are answered.
  static func model(
    _ width: Int, _ height: Int, depth: ColorDepth = .none, glyphs: GlyphTier = .braille,
    hosts count: Int = names.count, keys: [KeyPress] = []
  ) -> Model {
    let theme = Theme(capabilities: Capabilities(depth: depth, glyphs: glyphs))
    var model = Model(
      size: Size(width: width, height: height), now: now, theme: theme, zone: .utc, feed: feed)
    model.live.selection = .series(focus)
    model.answer(update(&model, .history(HistoryNews()))) { answer($0, hosts: count) }
    for key in [KeyPress("6")] + keys { press(key, &model, hosts: count) }
    return model
  }

  @discardableResult
  static func press(_ key: KeyPress, _ model: inout Model, hosts count: Int = names.count) -> [Effect] {
    model.press(key) { answer($0, hosts: count) }
  }
}
