import Aggregation
import History
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistogramScreen
@testable import HistoryScreen
@testable import HostsScreen

@Suite("Keys of the Hosts screen")
struct HostsKeyTests {
  init() { adoptUTF8() }

  private func header(_ model: Model) -> String { view(model).buffer.lines[0] }
  private func names(_ model: Model) -> [String] { model[HostsScreen.self].rows.map(\.row.name) }

  @Test("the oddest host comes first and the silent one last; the rows are those of the shared metric")
  func order() {
    let model = HostsFixture.model(120, 36)
    #expect(names(model).first == "web-07" && names(model).last == "web-03")
    #expect(names(model).count == 12 && model[HostsScreen.self].focus == HostsFixture.focus)
    #expect(view(model).buffer.lines[1].contains("web-07"))
    #expect(view(model).buffer.lines[1].contains("web-03 silent for 35s"))
  }

  @Test("Enter narrows all screens to the host, whose name is in every header; Esc widens again")
  func narrowing() {
    var model = HostsFixture.model(120, 36)
    HostsFixture.press(KeyPress(.enter), &model)
    #expect(model.session.scope == .host("web-07") && model.session.history.asked?.scope == .host("web-07"))
    // The screen still lists all hosts.
    #expect(names(model).count == 12 && header(model).contains("host web-07"))
    for key in ["2", "3"] {
      HostsFixture.press(KeyPress(Character(key)), &model)
      #expect(model.session.history.asked?.scope == .host("web-07"), "\(key)")
      #expect(header(model).contains("host web-07"), "\(key)")
    }
    // Screens drawn from the feed are of all hosts, and their headers name that.
    for key in ["1", "4", "5"] {
      HostsFixture.press(KeyPress(Character(key)), &model)
      #expect(header(model).contains("all hosts"), "\(key)")
    }
    HostsFixture.press(KeyPress("6"), &model)
    HostsFixture.press(KeyPress(.escape), &model)
    #expect(model.session.scope == .all && model.session.history.asked?.scope == .all)
    #expect(model.screen == "hosts" && !header(model).contains("host web-07"))
    HostsFixture.press(KeyPress(.escape), &model)
    #expect(model.screen == "live")
  }

  @Test("History shows the host's samples only; a second Enter on the host widens")
  func history() {
    var model = HostsFixture.model(120, 36)
    HostsFixture.press(KeyPress("j"), &model)
    HostsFixture.press(KeyPress(.enter), &model)
    let host = model.session.scope.host
    HostsFixture.press(KeyPress("2"), &model)
    #expect(model.session.history.answer?.summary.count == 720)
    HostsFixture.press(KeyPress("6"), &model)
    #expect(model[HostsScreen.self].selection == host)
    HostsFixture.press(KeyPress(.enter), &model)
    #expect(model.session.scope == .all)
    HostsFixture.press(KeyPress("2"), &model)
    #expect(model.session.history.answer?.summary.count ?? 0 > 8000)
  }

  @Test("i compares the host with all others, also while narrowed, and q comes back")
  func comparing() {
    for keys in [[], [KeyPress(.enter)]] {
      var model = HostsFixture.model(120, 36, keys: keys)
      HostsFixture.press(KeyPress("i"), &model)
      #expect(model.screen == "histogram" && model.session.scope == .all)
      #expect(model.session.history.asked?.histogram?.host == "web-07")
      let figures = model.histogram.content.figures
      #expect(figures?.a.name == "web-07" && figures?.a.count == 720)
      #expect(
        figures?.b?.name == "all other hosts"
          && figures?.b?.count == HostsFixture.samples.joined().count - 720)
      HostsFixture.press(KeyPress("q"), &model)
      #expect(model.screen == "hosts")
    }
  }

  @Test("the filter lists the hosts that it matches; Esc clears it before it widens")
  func filtering() {
    var model = HostsFixture.model(120, 36, keys: [KeyPress(.enter)] + "/web-1".map { KeyPress($0) })
    HostsFixture.press(KeyPress(.enter), &model)
    #expect(Set(names(model)) == ["web-10", "web-11"])
    #expect(["web-10", "web-11"].contains(model[HostsScreen.self].selection))
    HostsFixture.press(KeyPress(.escape), &model)
    #expect(names(model).count == 12 && model.session.scope == .host("web-07"))
  }

  @Test("a click selects a row and a double click narrows to it; the selection keeps its host")
  func mouse() throws {
    var model = HostsFixture.model(120, 36)
    let lines = view(model).buffer.lines
    let y = try #require(lines.indices.last { lines[$0].contains(" web-04 ") })
    for _ in 0..<2 {
      for kind in [MouseEvent.Action.press, .release] {
        let event = InputEvent.mouse(MouseEvent(kind, button: .left, at: Position(x: 10, y: y)))
        model.answer(updateAtOnce(&model, [.input(event)])) { HostsFixture.answer($0) }
      }
    }
    #expect(model[HostsScreen.self].selection == "web-04" && model.session.scope == .host("web-04"))
  }

  @Test("one host says in a sentence how to see more")
  func alone() {
    let model = HostsFixture.model(120, 36, hosts: 1)
    #expect(
      view(model).buffer.lines[1].contains(
        "There is one host, web-01: open a folder with a file for each host to compare them"))
  }

  @Test("y copies the row, and Y the files of the host where the screen is narrowed")
  func copying() {
    var model = HostsFixture.model(120, 36, keys: [KeyPress(.enter)])
    let rows = model.hostsScreen.copiedLines ?? []
    #expect(rows.count == 2 && rows[1].hasPrefix("web-07\t"))
    #expect(model.session.files(isNarrowed: false).count == 12)
    #expect(model.session.files(isNarrowed: true) == ["/fleet/web-07.jsonl"])
    HostsFixture.press(KeyPress("+"), &model)
    #expect(model.hostsScreen.command.contains("--window"))
  }
}

@Suite("Silent hosts")
struct HostSilenceTests {
  private let now = Timestamp(1000)

  private func row(_ last: Double?) -> HostRow {
    var row = HostRow(name: "h")
    row.lastTime = last.map { Timestamp($0) }
    return row
  }

  @Test(
    "a host is silent after 30 seconds, while others go on",
    arguments: [
      (971.0, 999.0, nil), (970, 999, 30), (900, 999, 100), (970, 969, nil), (970, 1004, 30),
      (970, 5000, nil),
    ] as [(Double, Double, Double?)])
  func age(last: Double, other: Double, age: Double?) {
    let silence = HostSilence(of: [row(last), row(other)], now: now)
    #expect(silence.age(of: row(last)) == age)
  }

  @Test("the screen is drawn again when the next host becomes silent, and each second while one is")
  func deadline() {
    #expect(HostSilence(of: [row(990), row(999)], now: now).deadline == Timestamp(1020))
    #expect(HostSilence(of: [row(960), row(999)], now: now).deadline == Timestamp(1001))
    #expect(HostSilence(of: [row(900), row(nil)], now: now).deadline == nil)
    #expect(HostSilence().age(of: row(0)) == nil)
  }

  @Test("three hosts that stop are marked within 35 seconds, without an event")
  func marked() {
    var model = HostsFixture.model(120, 36)
    let others = (0..<12).map { "h\($0)" }
    func news(_ ages: [Double], at time: Timestamp) -> Message {
      var news = HistoryNews()
      var answer = HostsFixture.answer(
        model.session.history.asked ?? HistoryQuery(window: time..<time + 1, playhead: time))
      answer.hosts?.rows = zip(others, ages).map { name, age in
        var row = HostRow(name: name)
        row.lastTime = time - age
        return row
      }
      news.answer = answer
      return .history(news)
    }
    let ages = (0..<12).map { $0 < 3 ? 1.0 : 0.0 }
    let start = HostsFixture.now
    _ = updateAtOnce(&model, [news(ages, at: start)])
    #expect(model[HostsScreen.self].silence.age(of: model[HostsScreen.self].rows[0].row) == nil)
    // The others go on; three do not.
    let later = start + 34
    _ = updateAtOnce(&model, [.clock(later), news(ages.map { $0 == 1 ? 35 : 0.5 }, at: later)])
    let state = model[HostsScreen.self]
    let silent = state.rows.filter { state.silence.age(of: $0.row) != nil }
    #expect(Set(silent.map(\.row.name)) == ["h0", "h1", "h2"] && state.rows.suffix(3) == silent[...])
  }
}

@Suite("Heat of a host's cell")
struct HostHeatTests {
  /// The fleet: half of its values up to 40, three quarters up to 50, nearly all up to 60.
  private var fleet: HistoryColumn {
    var spread = ValueSpread(40)
    (spread.p75, spread.p95) = (50, 60)
    return HistoryColumn(
      count: 1000, numbers: 1000, minimum: 1, maximum: 99, mean: 40, spread: spread, firstTime: Timestamp(0),
      lastTime: Timestamp(1))
  }

  @Test(
    "the further above the fleet's band, the hotter; one large value among a few is not hot",
    arguments: [
      (1000, 40.0, 45.0, 0), (1000, 40, 61, 1), (1000, 40, 70, 2), (1000, 60, 85, 3), (1000, 99, 132, 4),
      (10, 40, 132, 1), (10, 60, 132, 4), (1000, -9, -5, 0), (1000, 40, .infinity, 4),
    ])
  func levels(count: Int, mean: Double, p95: Double, level: Int) {
    #expect(HostHeat.level(of: HostCell(count: count, mean: mean, p95: p95), in: fleet) == level)
  }

  @Test("in a fleet of equal values, every larger one is very far above")
  func equalValues() {
    var fleet = fleet
    fleet.spread = ValueSpread(7)
    #expect(HostHeat.level(of: HostCell(count: 99, mean: 7, p95: 7), in: fleet) == 1)
    #expect(HostHeat.level(of: HostCell(count: 99, mean: 8, p95: 8), in: fleet) == 4)
    #expect(HostHeat.level(of: HostCell(count: 99, mean: 8, p95: 8), in: nil) == 0)
  }
}
