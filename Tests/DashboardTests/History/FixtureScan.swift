import Aggregation
import DashboardCore
import Foundation
import History
import Platform
import TestSupport

/// Answers a question by looking at every line of the fixture.
struct FixtureScan {
  let query: HistoryQuery

  /// A sample of the focus.
  private struct Found {
    let index: Int
    let entry: HistoryFixture.Entry
    let value: SeriesValue

    var number: Double? { if case .number(let value) = value { value } else { nil } }
    var place: SamplePlace {
      SamplePlace(file: index < 3000 ? 0 : 1, offset: UInt64(index) * 118, time: entry.time)
    }
  }

  private var all: [HistoryFixture.Entry] { HistoryFixture.entries }

  private func found(_ window: Range<Timestamp>) -> [Found] {
    guard let focus = query.focus, let known = Self.known[focus] else { return [] }
    return known.compactMap { index, value in
      let entry = all[index]
      guard window.contains(entry.time) else { return nil }
      if let narrowed = query.narrowed, word(value) != narrowed { return nil }
      return Found(index: index, entry: entry, value: value)
    }
  }

  private func word(_ value: SeriesValue) -> String {
    switch value {
    case .text(let text): text
    case .bool(let value): value ? "true" : "false"
    case .number, .null: ""
    }
  }

  var answer: HistoryAnswer {
    var answer = HistoryAnswer(query: query)
    answer.files = HistoryFixture.files
    if let first = all.first, let last = all.last { answer.range = first.time...last.time }
    let inside = found(query.window)
    answer.density = Self.density
    answer.series = series
    answer.chart = chart(inside)
    for pin in query.pins {
      var other = query
      (other.focus, other.narrowed) = (pin, nil)
      let scan = FixtureScan(query: other)
      answer.pins[pin] = scan.chart(scan.found(query.window))
    }
    answer.summary = summary(inside)
    answer.selection = query.selection.map { summary(found($0)) }
    let ordered = ordered(inside)
    answer.page = page(ordered)
    if query.wantsDetail, let anchor = answer.page.anchor {
      answer.detail = detail(ordered[answer.page.first + anchor])
    }
    if let span = query.storeSpan { answer.store = store(span) }
    return answer
  }

  private static let density: TimeDensity = {
    var store = SeriesStore()
    let id = store.series(for: HistoryFixture.push)
    for entry in HistoryFixture.entries { store.record(id, time: entry.time.seconds, value: .null) }
    return store.density
  }()

  private func store(_ span: Double) -> SeriesStore {
    var store = SeriesStore()
    for entry in all where entry.time <= query.playhead && entry.time >= query.playhead - span {
      for field in entry.fields {
        store.record(
          store.series(for: entry.identity(field.name)), time: entry.time.seconds, value: field.value)
      }
    }
    return store
  }

  /// The samples of each series, by the numbers of their lines.
  private static let known: [SeriesIdentity: [(Int, SeriesValue)]] = {
    var known: [SeriesIdentity: [(Int, SeriesValue)]] = [:]
    for (index, entry) in HistoryFixture.entries.enumerated() {
      for field in entry.fields {
        known[entry.identity(field.name), default: []].append((index, field.value))
      }
    }
    return known
  }()

  private var series: [HistorySeries] {
    Self.known.map { identity, samples in
      let inside = samples.filter { query.window.contains(all[$0.0].time) }
      var one = HistorySeries(identity: identity, count: inside.count, total: samples.count)
      var counts: [String: Int] = [:]
      for (_, value) in inside where !word(value).isEmpty { counts[word(value), default: 0] += 1 }
      let sum = counts.values.reduce(0, +)
      one.values = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        TextShare(text: $0.key, count: $0.value, share: Double($0.value) / Double(sum))
      }
      return one
    }
  }

  private func quantile(_ sorted: [Double], _ percentile: Double) -> Double {
    sorted[max(0, Quantile.rank(ofPercentile: percentile, count: sorted.count) - 1)]
  }

  private func chart(_ inside: [Found]) -> HistoryChart {
    var chart = HistoryChart()
    let length = query.window.upperBound - query.window.lowerBound
    while chart.step < length / Double(max(1, query.columns)) { chart.step *= 2 }
    while chart.step / 2 >= length / Double(max(1, query.columns)) { chart.step /= 2 }
    chart.firstKey = Int64((query.window.lowerBound.seconds / chart.step).rounded(.down))
    let end = Int64((query.window.upperBound.seconds / chart.step).rounded(.up))
    var columns: [Int64: [Found]] = [:]
    for one in inside {
      columns[Int64((one.entry.time.seconds / chart.step).rounded(.down)), default: []].append(one)
    }
    chart.columns = (chart.firstKey..<end).map { columns[$0].map(column) }
    guard query.narrowed == nil else { return chart }
    chart.texts = TextColumns(
      (chart.firstKey..<end).map { key in
        (columns[key] ?? []).compactMap { one in
          if case .text(let text) = one.value { TextColumns.Count(text: text, count: 1) } else { nil }
        }
      })
    return chart
  }

  private func column(_ inside: [Found]) -> HistoryColumn {
    let numbers = inside.compactMap { one -> Double? in
      if case .bool(let value) = one.value { return value ? 1 : 0 }
      return one.number
    }.sorted()
    return HistoryColumn(
      count: inside.count, numbers: numbers.count, minimum: numbers.first ?? 0, maximum: numbers.last ?? 0,
      mean: numbers.isEmpty ? 0 : numbers.reduce(0, +) / Double(numbers.count),
      spread: numbers.isEmpty
        ? ValueSpread(0)
        : ValueSpread(ValueSpread.percentiles.map { Quantile(exact: quantile(numbers, $0)) })
          ?? ValueSpread(0),
      firstTime: inside.first?.entry.time ?? Timestamp(0),
      lastTime: inside.last?.entry.time ?? Timestamp(0))
  }

  private func summary(_ inside: [Found]) -> HistorySummary {
    var summary = HistorySummary()
    let numbers = inside.compactMap(\.number).sorted()
    summary.count = inside.count
    summary.numbers = numbers.count
    (summary.minimum, summary.maximum) = (numbers.first, numbers.last)
    if !numbers.isEmpty {
      summary.mean = numbers.reduce(0, +) / Double(numbers.count)
      summary.quantiles = [50, 95, 99].map { Quantile(exact: quantile(numbers, $0)) }
    }
    summary.nulls = inside.filter { $0.value == .null }.count
    (summary.firstTime, summary.lastTime) = (inside.first?.entry.time, inside.last?.entry.time)
    return summary
  }

  private func ordered(_ inside: [Found]) -> [Found] {
    guard case .value(let isDescending) = query.page.order else { return inside }
    return inside.sorted { left, right in
      let (a, b) = (left.number ?? 0, right.number ?? 0)
      return a != b ? (isDescending ? a > b : a < b) : left.index < right.index
    }
  }

  private func page(_ ordered: [Found]) -> HistoryPage {
    var page = HistoryPage()
    page.total = ordered.count
    guard !ordered.isEmpty else { return page }
    let anchor: Int =
      switch query.page.anchor {
      case .playhead: max(0, (ordered.lastIndex { $0.entry.time <= query.playhead } ?? 0))
      case .row(let row): min(row, ordered.count - 1)
      case .sample(let place, let offset): (ordered.firstIndex { $0.place == place } ?? 0) + offset
      }
    let index = max(0, min(ordered.count - 1, anchor))
    page.first = max(0, index - query.page.before)
    page.anchor = index - page.first
    page.rows = ordered[page.first..<min(ordered.count, index + query.page.after)].map(row)
    return page
  }

  private func row(_ one: Found) -> HistoryRow {
    HistoryRow(
      place: one.place, line: one.index + 1, value: one.value,
      fields: one.entry.fields.compactMap { field in
        guard let name = field.name, name != query.focus?.field else { return nil }
        return HistoryField(name: name, value: field.value)
      })
  }

  private func detail(_ one: Found) -> HistoryDetail {
    var detail = HistoryDetail(
      row: row(one), path: HistoryFixture.files[one.place.file],
      rawLine: "{\"metric\":{\"bucket\":\"sync\",\"name\":\"push\u{1B}[31m\"},\"date\":\(one.entry.time)}")
    let hour = found(one.entry.time - 1800..<one.entry.time + 1800)
    detail.hourCount = hour.count
    if let value = one.number {
      let below = hour.filter { ($0.number ?? 0) <= value }.count
      let share = Double(below) / Double(hour.count)
      detail.rank = share...share
    }
    if let outcome = one.entry.fields.first(where: { $0.name == "outcome" })?.value {
      let count = hour.filter { $0.entry.fields.contains { $0.name == "outcome" && $0.value == outcome } }
        .count
      detail.peers = [HistoryPeers(field: "outcome", value: word(outcome), count: count)]
    }
    detail.others = [
      ("net", "rtt_ms", "Double", SeriesValue.number(212), 41.0),
      ("net", "reachable", "Bool", .bool(false), nil),
      ("mem", "footprint_bytes", "Int", .number(212_000_000), 211_000_000),
      ("sync", "state", "String", .text("backoff"), nil),
    ].map { bucket, name, type, value, usual in
      HistoryNeighbour(
        identity: SeriesIdentity(bucket: bucket, name: name, typeName: type), value: value,
        time: one.entry.time, usual: usual.map(Quantile.init(exact:)))
    }
    return detail
  }
}
