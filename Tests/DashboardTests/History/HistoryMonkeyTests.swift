import Aggregation
import History
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore
@testable import HistoryScreen

/// Answers that no honest file would give, and keys in any order.
@Suite("The History screen and the worst of answers")
struct HistoryMonkeyTests {
  static let times = [
    -1e12, -978_307_200, 0, 1e-9, HistoryFixture.now.seconds, HistoryFixture.now.seconds + 3600, 1e12,
  ].map { Timestamp($0) }
  static let values = [
    0, -0.0, 1e-300, 2.3e-308, 1, -1, 1e15, -1e300, Double.greatestFiniteMagnitude,
    -Double.greatestFiniteMagnitude,
  ]
  static let counts = [0, 1, 2, 999, 1_000_000, Int.max]
  static let texts = [
    "", "ok", "\u{1B}[2J", "\u{202E}x", String(repeating: "e\u{301}", count: 500), "日本語", "\n\t\0",
  ]

  init() { adoptUTF8() }

  private struct Worst {
    var generator: SeededGenerator

    mutating func one<Value>(_ values: [Value], _ usual: Value) -> Value {
      values.randomElement(using: &generator) ?? usual
    }

    mutating func value() -> SeriesValue {
      one([.number(one(values, 0)), .text(one(texts, "")), .bool(true), .null], .null)
    }

    mutating func time() -> Timestamp { one(HistoryMonkeyTests.times, Timestamp(0)) }

    mutating func place() -> SamplePlace {
      SamplePlace(
        file: one([0, 1, Int.max], 0), offset: one([0, UInt64.max], 0), time: time())
    }

    mutating func row() -> HistoryRow {
      HistoryRow(
        place: place(), line: one([1, Int.max], 1), value: value(),
        fields: (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          HistoryField(name: one(texts, ""), value: value())
        })
    }

    mutating func identity() -> SeriesIdentity {
      SeriesIdentity(
        bucket: one([nil, "sync"] + texts.map { Optional($0) }, nil), name: one(texts, ""), typeName: "T",
        field: one([nil, "f"], nil))
    }

    mutating func column() -> HistoryColumn? {
      if Bool.random(using: &generator) { return nil }
      let (a, b) = (one(values, 0), one(values, 0))
      return HistoryColumn(
        count: one(counts, 0), numbers: one(counts, 0), minimum: min(a, b), maximum: max(a, b), mean: a,
        spread: ValueSpread(b), firstTime: time(), lastTime: time())
    }

    mutating func summary() -> HistorySummary {
      var summary = HistorySummary()
      (summary.count, summary.numbers, summary.nulls) = (one(counts, 0), one(counts, 0), one(counts, 0))
      (summary.minimum, summary.maximum, summary.mean) = (one(values, 0), one(values, 0), one(values, 0))
      summary.quantiles = [Quantile(exact: one(values, 0)), Quantile(exact: one(values, 0))]
      return summary
    }

    private var values: [Double] { HistoryMonkeyTests.values }
    private var counts: [Int] { HistoryMonkeyTests.counts }
    private var texts: [String] { HistoryMonkeyTests.texts }

    mutating func answer(_ query: HistoryQuery) -> HistoryAnswer {
      var answer = HistoryAnswer(query: query)
      let (a, b) = (time(), time())
      answer.range = one([nil, min(a, b)...max(a, b)], nil)
      answer.series = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        HistorySeries(
          identity: identity(), count: one(counts, 0), total: one(counts, 0),
          values: texts.map { TextShare(text: $0, count: one(counts, 0), share: 0.5) })
      }
      answer.chart.step = one([0.001, 1, 1e9, 1e-300], 1)
      answer.chart.firstKey = one([0, Int64.max, Int64.min], 0)
      answer.chart.columns = (0..<Int.random(in: 0...300, using: &generator)).map { _ in column() }
      (answer.summary, answer.selection) = (summary(), summary())
      answer.page.rows = (0..<Int.random(in: 0...90, using: &generator)).map { _ in row() }
      answer.page.first = one([0, 5, 1_000_000, 1 << 60], 0)
      answer.page.total = one([0, answer.page.first + answer.page.rows.count, 1 << 61], 0)
      answer.page.anchor = one([nil, 0, answer.page.rows.count - 1], nil)
      if let row = answer.page.rows.randomElement(using: &generator) {
        var detail = HistoryDetail(row: row, path: one(texts, ""), rawLine: one(texts, ""))
        detail.rank = one([nil, 0...1, -1e300...1e300], nil)
        detail.hourCount = one(counts, 0)
        detail.others = (0..<5).map { _ in
          HistoryNeighbour(
            identity: identity(), value: value(), time: time(),
            usual: one([nil] + values, nil).map {
              Quantile(value: $0, lower: one(values, 0), upper: one(values, 1))
            })
        }
        answer.detail = detail
      }
      return answer
    }
  }

  private static let historyTable: ActionTable = {
    var model = HistoryFixture.model(100, 30)
    model.show("history")
    return model.table
  }()

  static let keys: [KeyPress] =
    historyTable.actions.flatMap(\.description.keys).filter { $0 != KeyPress("Q") && $0 != .control("c") }
    + "0123456789:-mshz".map { KeyPress($0) } + [KeyPress(.enter), KeyPress(.enter), KeyPress(.escape)]

  @Test("no answer and no key makes it trap, and nothing raw is drawn", arguments: 0..<trials(3, long: 12))
  func monkey(seed: Int) {
    var worst = Worst(generator: SeededGenerator(seed: UInt64(seed)))
    var model = HistoryFixture.model(100, 30)
    for _ in 0..<250 {
      var messages: [Message] = []
      switch Int.random(in: 0..<12, using: &worst.generator) {
      case 0:
        let size = Size(
          width: Int.random(in: 0...200, using: &worst.generator),
          height: Int.random(in: 0...50, using: &worst.generator))
        messages.append(.input(.resize(size)))
      case 1:
        let place = Position(
          x: Int.random(in: 0..<200, using: &worst.generator),
          y: Int.random(in: 0..<50, using: &worst.generator))
        let action = worst.one([MouseEvent.Action.press, .drag, .release, .wheelUp, .wheelDown], .press)
        messages.append(.input(.mouse(MouseEvent(action, button: .left, at: place))))
      case 2, 3:
        var news = HistoryNews()
        news.answer = worst.answer(
          model.session.history.asked
            ?? HistoryQuery(window: Timestamp(0)..<Timestamp(1), playhead: Timestamp(0)))
        news.version = worst.one(Self.counts, 0)
        messages.append(.history(news))
      default: messages.append(.input(.key(worst.one(Self.keys, KeyPress("2")))))
      }
      _ = update(&model, messages)
      let text = view(model).buffer.lines.joined()
      #expect(!text.unicodeScalars.contains { $0.value < 32 || $0 == "\u{202E}" })
      #expect(
        model.history.window.seconds.lowerBound.isFinite && model.history.window.seconds.upperBound.isFinite)
      #expect(model.nextChange.map { $0.seconds.isFinite } ?? true)
    }
  }
}
