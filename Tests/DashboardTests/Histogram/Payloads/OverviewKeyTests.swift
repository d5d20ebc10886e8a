import Aggregation
import Codecs
import History
import Platform
import TelemetryCore
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistogramScreen
@testable import HistoryScreen
@testable import PayloadsScreen

@Suite("Keys in the payload overview")
struct OverviewKeyTests {
  init() { adoptUTF8() }

  private static let processor = "cpuMetrics.cumulativeCPUTime"

  /// A file that holds nothing but payloads, of which the answers are given at once.
  private func model(
    _ width: Int = 120, _ height: Int = 36, _ archive: PayloadArchive = OverviewFixture.archive,
    keys: [KeyPress] = []
  ) -> Model {
    var model = Model(size: Size(width: width, height: height), now: Timestamp(810_000_000), zone: .utc)
    _ = update(&model, .input(.key(KeyPress("3"))))
    press([], &model, archive)
    press(keys, &model, archive)
    return model
  }

  private func press(
    _ keys: [KeyPress], _ model: inout Model, _ archive: PayloadArchive = OverviewFixture.archive
  ) {
    answer(updateAtOnce(&model, [.history(HistoryNews())]), &model, archive)
    for key in keys { answer(updateAtOnce(&model, [.input(.key(key))]), &model, archive) }
  }

  private func answer(_ effects: [Effect], _ model: inout Model, _ archive: PayloadArchive) {
    for case .ask(let query) in effects {
      var result = HistoryAnswer(query: query)
      result.range = Timestamp(790_000_000)...Timestamp(809_999_999)
      result.series = archive.figures.map { figure in
        let isNumber = figure.name == Self.processor
        return HistorySeries(
          identity: SeriesIdentity(
            bucket: "payload", name: figure.name, typeName: isNumber ? "PayloadScalar" : "PayloadHistogram",
            field: isNumber ? "value" : "bins"), count: 1, total: 1)
      }
      if query.histogram?.wantsPayloads == true { result.payloads = archive }
      var news = HistoryNews()
      news.answer = result
      answer(updateAtOnce(&model, [.history(news)]), &model, archive)
    }
  }

  private func select(_ label: String, _ model: inout Model) throws {
    let content = model.payloads.content
    let place = try #require(content.lines.firstIndex { $0.label == label }, "\(label)")
    let steps = place - (content.selected ?? 0)
    press(Array(repeating: KeyPress(steps < 0 ? .up : .down), count: abs(steps)), &model)
    #expect(model.payloads.content.selectedLine?.label == label)
  }

  @Test("files of nothing but payloads begin with it: the newest version against the one before it")
  func opening() {
    let model = model()
    #expect(model.front is PayloadsScreen && model.nextChange.map { $0 > model.session.now } ?? true)
    let overview = model.payloads.content.overview
    #expect(overview?.a.name == "2.4.1" && overview?.b?.name == "2.4.0")
    #expect(view(model).buffer.lines.joined().contains("A 2.4.1 vs B 2.4.0"))
  }

  @Test("Enter on times shows their histogram, O comes back to where one was")
  func enterTimes() throws {
    var model = model()
    try select("resume", &model)
    press([KeyPress(.enter)], &model)
    #expect(model.front is HistogramScreen)
    #expect(
      model.histogram.subject == .payload("applicationLaunchMetrics.histogrammedApplicationResumeTime"))
    press([KeyPress("O")], &model)
    #expect(model.front is PayloadsScreen)
    #expect(model.payloads.content.selectedLine?.label == "resume")
    try select("rate, pooled", &model)
    press([KeyPress(.enter)], &model)
    #expect(model.histogram.subject == .payload(PayloadFixture.hangs))
  }

  @Test("Enter on a number shows its samples in History")
  func enterNumber() throws {
    var model = model()
    try select("CPU time", &model)
    press([KeyPress(.enter)], &model)
    #expect(model.screen == "history" && model.history.focus?.fullName == "payload.\(Self.processor).value")
  }

  @Test("Enter folds and unfolds all else")
  func enterFold() throws {
    var model = model()
    try select("Memory", &model)
    press([KeyPress(.enter)], &model)
    #expect(!model.payloads.content.lines.contains { $0.label == "peak" })
    press([KeyPress(.enter)], &model)
    #expect(model.payloads.content.lines.contains { $0.label == "peak" })
    try select("Hangs", &model)
  }

  @Test("the sides are chosen there too")
  func sides() {
    var model = model(keys: [KeyPress("U")])
    #expect(model.payloads.content.overview?.sides.map(\.name) == ["2.4.0", "2.4.1"])
    press([KeyPress("V"), KeyPress("c")], &model)
    #expect(model.session.overlay != nil)
    press([KeyPress(.escape), KeyPress("Y")], &model)
    #expect(
      model.payloadsScreen.command.joined(separator: " ").contains(
        "--overview --a version=2.4.1 --b version=2.4.0"))
  }

  @Test("a press selects a line, another one opens it")
  func mouse() throws {
    var model = model()
    let layout = model.payloadsScreen.layout
    let press = InputEvent.mouse(
      MouseEvent(.press, button: .left, at: Position(x: 10, y: layout.table.y + 1)))
    _ = update(&model, .input(press))
    #expect(model.payloads.content.selectedLine?.id == .findings)
    _ = update(&model, .input(press))
    #expect(model.payloads.content.selectedLine?.fold == .collapsed)
  }

  @Test("without payloads it says so, and how they come in")
  func nothing() {
    let model = model(80, 24, PayloadArchive())
    #expect(model.payloadsScreen.emptiness?.title == "The files hold no payloads")
  }
}
