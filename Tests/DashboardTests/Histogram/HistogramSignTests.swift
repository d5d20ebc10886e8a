import Aggregation
import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistogramScreen
@testable import LiveScreen

@Suite("Histograms of values below zero")
struct HistogramSignTests {
  /// Two versions of a metric around zero, with the middle of each.
  private func model(_ older: Double, _ newer: Double, size: Size) -> Model {
    var cube = SampleCube(step: 32)
    for index in 0..<400 {
      let isNew = index % 2 == 0
      let time = HistogramFixture.now.seconds - Double(400 - index)
      cube.record(
        (isNew ? newer : older) + Double(index % 5), at: time,
        labels: [.init("version", isNew ? "2.0" : "1.0")])
    }
    var model = Model(
      size: size, now: HistogramFixture.now, zone: .utc, feed: HistogramFixture.feed)
    model.live.selection = .series(HistogramFixture.push)
    var effects = updateAtOnce(&model, [.history(HistoryNews()), .input(.key(KeyPress("3")))])
    for _ in 0..<3 {
      for case .ask(let query) in effects {
        var news = HistoryNews()
        news.answer = HistogramFixture.answer(to: query)
        if query.histogram?.series != nil { news.answer?.cube = cube }
        effects = updateAtOnce(&model, [.history(news)])
      }
    }
    return model
  }

  @Test(
    "versions on both sides of zero are drawn",
    arguments: [(-500.0, 500.0), (500, -500), (-500, -900), (-3, 3), (-1e300, 1), (0, 0)],
    [(120, 36), (100, 30), (80, 24)])
  func versions(middles: (Double, Double), size: (Int, Int)) {
    let model = model(middles.0, middles.1, size: Size(width: size.0, height: size.1))
    let lines = view(model).buffer.lines.joined(separator: "\n")
    #expect(lines.contains("2.0"))
    #expect(lines.contains("1.0"))
  }

  @Test(
    "a bar of any length has no column below zero, and ends",
    arguments: [-.infinity, -1e300, -20, -0.5, 0, 0.5, 20, 1e300, .infinity, .nan],
    [nil, -.infinity, -20, 0, 20, 1e300, .nan] as [Double?])
  func bar(a: Double, b: Double?) {
    let line = HistogramBar(a: a, b: b, signs: Theme().signs).line(Theme())
    let longest = max(a > 0 ? min(a, 10_000) : 0, b.map { $0 > 0 ? min($0, 10_000) : 0 } ?? 0)
    #expect(line.width(.unicode) <= Int(longest) + 1)
  }

  @Test("the bar of A is as long as it is, wherever that of B ends", arguments: [0.0, 2, 10, 15])
  func barOfBoth(b: Double) {
    let bar = HistogramBar(a: 10, b: b, signs: Theme().signs).line(Theme()).text
    #expect(bar.count { $0 == "━" || $0 == "│" } == (b > 9 ? 11 : 10), "\(bar)")
    #expect(bar.contains("│") == (b > 0), "\(bar)")
  }
}
