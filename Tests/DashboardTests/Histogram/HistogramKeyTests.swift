import Aggregation
import History
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistogramScreen
@testable import HistoryScreen

@Suite("Keys of the Histogram screen")
struct HistogramKeyTests {
  private var model: Model

  init() {
    adoptUTF8()
    model = HistogramFixture.model(120, 36)
  }

  @discardableResult
  private mutating func press(_ keys: KeyPress...) -> [Effect] {
    keys.reduce(into: []) { $0 = HistogramFixture.press($1, &model) }
  }

  private mutating func type(_ text: String) { for letter in text { press(KeyPress(letter)) } }

  private var screen: String { view(model).buffer.lines.joined(separator: "\n") }
  private var sides: [String] {
    model.histogram.content.figures.map { [$0.a.name, $0.b?.name ?? "-"] } ?? []
  }
  private func counts(_ model: Model) -> [Int] { model.histogram.content.figures?.rows.map(\.a.count) ?? [] }

  @Test("3 shows the newest version against the one before it, and the sentence")
  func opens() {
    #expect(model.screen == "histogram" && sides == ["2.4.1", "2.4.0"])
    #expect(model.histogram.content.figures?.a.count == 2000)
    #expect(
      screen.contains("2.4.1 is slower")
        || screen.contains("2.4.1 has a second"))
  }

  @Test("i on other screens comes here with their metric and their stretch of time")
  mutating func fromElsewhere() {
    press(KeyPress("1"))
    press(KeyPress("i"))
    #expect(model.screen == "histogram" && model.histogram.options.sides.range == .last(Session.usualWindow))
    #expect(model.histogram.subject == .series(HistogramFixture.push))
    press(KeyPress("2"), KeyPress("+"), KeyPress("i"))
    guard case .fixed(let window) = model.histogram.options.sides.range else {
      Issue.record("no window")
      return
    }
    #expect(window == model.history.window)
    let all = HistogramFixture.samples.filter { window.contains($0.time) }
    #expect(counts(model).reduce(0, +) == all.filter { $0.labels[2].value == "2.4.1" }.count)
  }

  @Test("c chooses A, then B")
  mutating func compare() {
    press(KeyPress("c"))
    type("outcome fail")
    press(KeyPress(.enter))
    #expect(model.session.overlay == .picker(.sideB, query: Prompt(), selection: 0))
    type("outcome ok")
    press(KeyPress(.enter))
    #expect(sides == ["outcome fail", "outcome ok"] && model.session.overlay == nil)
    let fails = HistogramFixture.samples.filter { $0.labels[0].value == "fail" }.count
    #expect(model.histogram.content.figures?.a.count == fails)
  }

  @Test(
    "/ finds a metric by a query of names, and by words while it is none",
    arguments: [
      ("push", ["sync.push.total_ms"]), ("*", ["net.rtt_ms", "sync.push.total_ms"]),
      ("/tt_ms$/", ["net.rtt_ms"]), ("ms and not push", ["net.rtt_ms"]),
      ("sync push", ["sync.push.total_ms"]),
      ("(rtt", []), ("nothing", []),
    ])
  mutating func finds(query: String, names: [String]) throws {
    press(KeyPress("/"))
    type(query)
    guard case .picker(let picker, let prompt, _) = model.session.overlay else {
      Issue.record("no list")
      return
    }
    #expect(model.choices(picker, query: prompt.text) == names)
    press(KeyPress(.enter))
    #expect(names.isEmpty || model.histogram.subject?.name == names[0])
  }

  @Test("w changes the sides over")
  mutating func swap() {
    press(KeyPress("U"))
    #expect(sides == ["2.4.0", "2.4.1"])
  }

  @Test("v goes to the next older version, and round")
  mutating func version() {
    press(KeyPress("V"))
    #expect(sides == ["2.4.0", "2.3.2"])
    press(KeyPress("V"), KeyPress("V"), KeyPress("V"), KeyPress("V"))
    #expect(sides == ["2.4.1", "2.4.0"])
  }

  @Test("g splits by the next field")
  mutating func group() {
    #expect(model.histogram.content.group == "outcome")
    press(KeyPress("d"))
    #expect(model.histogram.content.group == "net")
    #expect(model.histogram.content.groups.map(\.value) == ["wifi", "cell"])
  }

  @Test("P chooses percentiles, of a list or as they are typed")
  mutating func percentiles() {
    press(KeyPress("P"), KeyPress(.down), KeyPress(.enter))
    #expect(model.histogram.options.percentiles == [50, 90, 99, 99.9])
    press(KeyPress("P"))
    type("10 99.5")
    press(KeyPress(.enter))
    #expect(model.histogram.options.percentiles == [10, 99.5] && screen.contains("p99.5"))
  }

  @Test("L goes round the scales that are possible and says which one it is")
  mutating func scale() {
    press(KeyPress("L"))
    #expect(model.histogram.content.figures?.grid.scale == .logarithmic)
    #expect(model.session.toast?.text == "logarithmic bins")
    press(KeyPress("L"))
    #expect(model.histogram.content.figures?.grid.scale == .linear)
    #expect(model.session.toast?.text == "bins as recorded: not possible here; showing bins of equal width")
  }

  @Test("x takes the lens and puts it away; as long as it is there its name stands over the rows")
  mutating func lens() {
    #expect(!screen.contains(" ×") && !model.histogram.options.hasLens)
    press(KeyPress("x"))
    #expect(screen.contains("tail ×8 after p90") && model.histogram.options.hasLens)
    press(KeyPress("x"))
    #expect(!screen.contains(" ×") && !model.histogram.options.hasLens)
  }

  @Test("no 95th percentile is named of a version with few samples")
  func fewSamples() {
    let versions = model.histogram.content.versions
    #expect(versions.contains { $0.isFew })
    for version in versions { #expect((version.p95 == nil) == version.isFew) }
  }

  @Test("X leaves out versions with few samples")
  mutating func few() {
    #expect(model.histogram.content.versions.map(\.name) == ["2.4.1", "2.4.0", "2.3.2", "2.3.1", "2.3.0"])
    press(KeyPress("~"))
    #expect(model.histogram.content.versions.map(\.name) == ["2.4.1", "2.4.0", "2.3.2", "2.3.1"])
  }

  @Test("/ chooses another metric, and one without numbers says so")
  mutating func metric() {
    press(KeyPress("/"))
    type("rtt")
    press(KeyPress(.enter))
    #expect(model.histogram.subject == .series(HistogramFixture.rtt))
    #expect(screen.contains("net.rtt_ms has no numbers"))
  }

  @Test("Enter on a row opens its samples, and q comes back to the histogram as it was")
  mutating func bin() throws {
    let before = model.histogram.content.figures?.grid
    press(KeyPress(.down), KeyPress(.down), KeyPress(.down), KeyPress(.down))
    let row = model.histogramScreen.cursor(.bins, 99)
    let wanted = try #require(before?.rows[row])
    press(KeyPress(.enter))
    #expect(model.screen == "history" && model.history.pane == .table)
    #expect(model.history.sampleFilter?.values == wanted.lower..<wanted.upper)
    #expect(model.history.sampleFilter?.labels == ["ver": "2.4.1"])
    #expect(model.session.history.answer?.page.total == counts(model)[row])
    press(KeyPress("q"))
    #expect(model.screen == "histogram" && model.histogram.content.figures?.grid == before)
    #expect(model.history.sampleFilter == nil && !model.session.isFrozen)
  }

  @Test("Enter on a version compares it, on a group keeps only it, on a time goes there")
  mutating func doors() {
    for _ in 0..<4 { press(KeyPress(.tab)) }
    let all = counts(model).reduce(0, +)
    press(KeyPress(.enter))
    #expect(model.histogram.options.sides.only == ["outcome": "ok"] && counts(model).reduce(0, +) < all)
    press(KeyPress(.escape))
    #expect(model.histogram.options.sides.only.isEmpty && counts(model).reduce(0, +) == all)
    press(KeyPress(.backTab), KeyPress(.backTab), KeyPress(.down), KeyPress(.down), KeyPress(.enter))
    #expect(sides == ["2.3.2", "2.3.1"])
    press(KeyPress(.tab), KeyPress(.left), KeyPress(.enter))
    #expect(model.screen == "history" && model.history.span == model.histogram.content.course.step)
  }

  @Test("rows do not move while the playhead moves or samples come, but they do when = is pressed")
  mutating func rowsStay() {
    let grid = model.histogram.content.figures?.grid
    press(KeyPress(.left), KeyPress(.left))
    #expect(model.session.isFrozen && model.histogram.content.figures?.grid == grid)
    #expect(model.histogram.content.figures?.a.count ?? 0 < 2000)
    press(KeyPress("F"))
    press(KeyPress("="))
    #expect(model.histogram.fitted != nil && model.histogram.content.figures?.a.count == 2000)
  }

  @Test("+ and - change the stretch of time, of which the newest part is told closely")
  mutating func range() {
    press(KeyPress("+"))
    #expect(model.histogram.options.sides.range == .last(3600))
    for _ in 0..<5 { press(KeyPress("+")) }
    #expect(model.histogram.options.sides.range == .last(60) && model.histogram.close != nil)
    let window = model.histogramScreen.window ?? Range(seconds: 0..<1)
    let wanted = HistogramFixture.samples.filter { window.contains($0.time) }
    #expect(model.histogram.content.figures?.a.count == wanted.count)
    press(KeyPress("-"))
    #expect(model.histogram.options.sides.range == .last(120))
  }

  @Test("z shows one pane alone, Tab goes round them, y copies figures and Y the command")
  mutating func others() {
    press(KeyPress(.tab))
    #expect(model.histogram.pane == .figures)
    press(KeyPress("z"))
    #expect(model.histogram.isMaximised && model.histogramScreen.layout.alone == .figures)
    press(KeyPress("z"))
    guard case .copy(let text) = press(KeyPress("y")).first else {
      Issue.record("nothing was copied")
      return
    }
    #expect(text.contains("count\t2000\t2000") && text.contains("2.4.1"))
    press(KeyPress("x"))
    #expect(
      press(KeyPress("Y")) == [
        .copy(
          "mistertop snapshot --screen histogram --size 120x36 --metric sync.push.total_ms --a ver=2.4.1 "
            + "--b ver=2.4.0 --lens app.jsonl")
      ])
  }

  @Test("words with spaces and quotes are quoted for a shell")
  func quoting() {
    #expect(
      ShellWord.quoted("a b") == "'a b'" && ShellWord.quoted("it's") == "'it'\\''s'"
        && ShellWord.quoted("a.b") == "a.b")
    // zsh would look for a command; a program for an option.
    #expect(ShellWord.quoted("=ls") == "'=ls'" && ShellWord.quoted("a=b") == "a=b")
    #expect(["-x", "--config=y", "-", "a-b"].map(ShellWord.operand) == ["./-x", "./--config=y", "-", "a-b"])
    // A mark behind the sign makes another character of it, and no other byte.
    #expect(["-\u{301}R", "+1", "-", "a+"].map(Editor.operand) == ["./-\u{301}R", "./+1", "./-", "a+"])
    // A quote with a mark on it ends a shell's word all the same.
    #expect(
      Array(ShellWord.shown("'\u{301}; id").unicodeScalars) == Array("''\\''\u{301}; id'".unicodeScalars))
    #expect(
      ShellWord.quoted("") == "''" && ShellWord.quoted("$(x)") == "'$(x)'"
        && ShellWord.quoted("ü") == "'ü'")
  }

  @Test("O is refused where the files hold no payloads, with the reason")
  mutating func overview() {
    press(KeyPress("O"))
    #expect(
      model.front is HistogramScreen
        && model.session.toast?.text.contains("the files hold no payloads") == true)
  }
}
