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
      result.original = query.histogram?.original.map {
        OriginalAnswer(
          query: $0, json: Array(#"{"payload":{"appVersion":"2.4.1","odd":[1]},"source":"x#1"}"#.utf8))
      }
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

  @Test("O on times shows their histogram, O there comes back to where one was")
  func histogramOfTimes() throws {
    var model = model()
    try select("resume", &model)
    press([KeyPress("O")], &model)
    #expect(model.front is HistogramScreen)
    #expect(
      model.histogram.subject == .payload("applicationLaunchMetrics.histogrammedApplicationResumeTime"))
    press([KeyPress("O")], &model)
    #expect(model.front is PayloadsScreen)
    #expect(model.payloads.content.selectedLine?.label == "resume")
    try select("rate, pooled", &model)
    press([KeyPress("O")], &model)
    #expect(model.histogram.subject == .payload(PayloadFixture.hangs))
    press([KeyPress(.enter)], &model)
    #expect(model.front is PayloadsScreen && model.payloads.pages.count == 1)
  }

  @Test("Enter leads from a figure to its payloads, their members and their JSON, Esc back")
  func ways() throws {
    var model = model()
    try select("CPU time", &model)
    press([KeyPress(.enter)], &model)
    let list = try #require(model.payloads.pages.last)
    #expect(list.title == "60 payloads with CPU time" && list.rows.count == 60)
    #expect(list.rows[0].cells[0] == "A" && list.rows[0].cells[1] == "180s")
    press([KeyPress(.down), KeyPress(.enter)], &model)
    let members = try #require(model.payloads.pages.last)
    #expect(members.title.hasPrefix("Payload day-") && model.payloads.pages.count == 2)
    #expect(members.rows.contains { $0.cells[0] == Self.processor && $0.cells[1].hasSuffix("s") })
    #expect(
      members.rows.contains { $0.cells[0] == PayloadFixture.launches && $0.cells[1].contains("bins, mean") })
    press([KeyPress(.enter)], &model)
    let json = try #require(model.payloads.pages.last)
    #expect(json.rows.map { $0.cells[0] }.prefix(2) == ["{", #"  "appVersion" : "2.4.1","#])
    #expect(view(model).buffer.lines.joined().contains(#""odd" : ["#))
    press([KeyPress(.escape), KeyPress(.escape), KeyPress(.escape)], &model)
    #expect(model.payloads.pages.isEmpty && model.payloads.content.selectedLine?.label == "CPU time")
  }

  @Test("Enter on a fact of a family leads to its diagnostics, their members and the JSON of the payload")
  func diagnostics() throws {
    var model = model()
    try select("SIGSEGV in libsystem_kernel.dylib < App x2 < UIKitCore", &model)
    press([KeyPress(.enter)], &model)
    try select("first 2.4.0, last 2.4.1", &model)
    press([KeyPress(.enter)], &model)
    let list = try #require(model.payloads.pages.last)
    #expect(list.rows.map { $0.cells[2] } == ["2.4.1", "2.4.1", "2.4.0"])
    #expect(list.rows[0].cells[3] == "libsystem_kernel.dylib +0x1234")
    press([KeyPress(.enter)], &model)
    #expect(
      model.payloads.pages.last?.rows.contains {
        $0.cells[0].contains(#""reason" : "EXC_BAD_ACCESS, SIGSEGV""#)
      } == true)
    press([KeyPress(.enter)], &model)
    #expect(model.payloads.pages.last?.rows[0].cells[0] == "{")
  }

  @Test("T shows a figure, a kind or a family over all versions in order")
  func versions() throws {
    var model = model()
    try select("CPU time", &model)
    press([KeyPress("T")], &model)
    let page = try #require(model.payloads.pages.last)
    #expect(page.title == "CPU time by version")
    #expect(
      page.rows.map { Array($0.cells.prefix(3)) } == [
        ["2.4.0", "104s/d", "30d"], ["2.4.1", "156s/d", "30d"],
      ])
    press([KeyPress(.enter)], &model)
    #expect(model.session.toast?.text.hasPrefix("nothing is behind this row; ") == true)
    #expect(
      model.payloadsScreen.description
        == "CPU time by version. version 2.4.0, value 104s/d, n 30d, \(Self.percentiles(page))")
    press([KeyPress(.escape)], &model)
    try select("Crashes by module", &model)
    press([KeyPress("T")], &model)
    #expect(
      model.payloads.pages.last?.rows.map { Array($0.cells.prefix(4)) } == [
        ["2.4.0", "33 (0.4 to 185)", "1", "30"], ["2.4.1", "67 (0.9 to 371)", "2", "30"],
      ])
  }

  private static func percentiles(_ page: OverviewPage) -> String {
    let cells = page.rows[0].cells
    return "p50 \(cells[3]), p95 \(cells[4]), \(cells[5])"
  }

  @Test("D tells the selected line in words")
  func words() throws {
    var model = model()
    try select("peak", &model)
    let words = model.payloadsScreen.description
    #expect(words.hasPrefix("peak memory: ") && words.contains(" days) of 2.4.1, "), "\(words)")
    #expect(words.hasSuffix(", within chance"), "\(words)")
    try select("Crashes by module", &model)
    #expect(
      model.payloadsScreen.description.hasPrefix("Crashes by module: +100%: 67 (0.9 to 371) against 33"))
  }

  @Test("the hint of Enter is what it does on the selected line")
  func enterHint() throws {
    var model = model()
    let last = { (model: Model) in view(model).buffer.lines.last ?? "" }
    try select("CPU time", &model)
    #expect(last(model).contains("Enter payloads"))
    try select("Memory", &model)
    #expect(last(model).contains("Enter fold"))
    press([KeyPress(.enter)], &model)
    #expect(last(model).contains("Enter unfold"))
  }

  @Test("files of payloads that cannot be read are counted, and listed by !")
  func unreadable() {
    var model = model()
    press([KeyPress("!")], &model)
    #expect(model.session.overlay == nil)
    model.session.unreadPayloads = ["up/a.json: line 1: nothing to read", "b.gz: is damaged"].map {
      FeedRejection(payloads: $0)
    }
    #expect(view(model).buffer.lines[0].contains("bad 2"))
    press([KeyPress("!")], &model)
    let lines = view(model).buffer.lines.joined(separator: "\n")
    #expect(
      lines.contains("Unreadable files and lines") && lines.contains("line 1: nothing to read"), "\(lines)")
    #expect(lines.contains("is damaged") && !lines.contains("byte 0"))
  }

  @Test("the pages are drawn at every size", arguments: [(240, 80), (120, 36), (80, 24), (40, 12), (20, 5)])
  func pageSizes(width: Int, height: Int) throws {
    var model = model(width, height)
    press([KeyPress(.enter)], &model)
    #expect(model.payloads.pages.count == 1)
    let list = view(model).buffer.lines.joined(separator: "\n")
    #expect(list.contains("›") && list.contains("A"))
    press([KeyPress(.enter), KeyPress(.enter)], &model)
    #expect(model.payloads.pages.count == 3 && !view(model).buffer.lines.isEmpty)
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
