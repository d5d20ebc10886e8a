import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("Keys of the Live screen")
struct LiveKeyTests {
  static let feed = FeedSnapshot(store: LiveFixture.store(length: 900), status: LiveFixture.shared.status)

  private static let found = FoundIncidents(in: feed.store)

  var model = LiveFixture.model(120, 36, depth: .none, feed: feed)

  init() {
    adoptUTF8()
    model[LiveScreen.self].isTree = true
    model.open(Self.feed, Self.found)
  }

  @discardableResult
  mutating func press(_ keys: KeyPress...) -> [Effect] {
    var effects: [Effect] = []
    for key in keys { effects += update(&model, .input(.key(key))) }
    return effects
  }

  mutating func type(_ text: String) {
    for character in text { press(KeyPress(.character(character))) }
  }

  var selected: String {
    switch model.live.selection {
    case .series(let identity): return identity.fullName
    case .bucket(let bucket): return "[\(bucket ?? "")]"
    case .structure(_, let name, _): return "{\(name)}"
    case .idle: return "[silent]"
    case nil: return ""
    }
  }

  func lines() -> String { view(model).buffer.lines.joined(separator: "\n") }

  // MARK: The playhead

  @Test("Space, p and Z freeze and run again", arguments: [" ", "p", "Z"] as [Character])
  mutating func freeze(key: Character) {
    press(KeyPress(key))
    #expect(model.session.isFrozen)
    #expect(lines().contains("‖ 14:32:08"))
    #expect(lines().contains("+0 new"))
    press(KeyPress(key))
    #expect(!model.session.isFrozen)
  }

  @Test(
    "← and h move the playhead back, → and l on again",
    arguments: [(Key.left, Key.right), (.character("h"), .character("l"))])
  mutating func scrub(back: Key, on: Key) {
    let edge = model.session.edge
    press(KeyPress(back), KeyPress(back))
    #expect(model.session.edge == edge - 12)
    press(KeyPress(on))
    #expect(model.session.edge == edge - 6)
    #expect(model.session.isFrozen)
  }

  @Test("F returns to the live end; there it says why not")
  mutating func follow() {
    press(KeyPress("F"))
    #expect(model.session.toast?.text == "Return to the live end: this is the live end")
    press(KeyPress(.left), KeyPress("F"))
    #expect(!model.session.isFrozen)
  }

  // MARK: The window

  @Test(
    "+ shortens the window, - lengthens it, = and 0 bring the usual one back",
    arguments: ["=", "0"] as [Character])
  mutating func zoom(reset: Character) {
    press(KeyPress("+"))
    #expect(model.session.window == 60)
    press(KeyPress("-"), KeyPress("-"))
    #expect(model.session.window == 300)
    press(KeyPress(reset))
    #expect(model.session.window == 120)
  }

  @Test("the zoom ends say so")
  mutating func zoomEnds() {
    for _ in 0..<9 { press(KeyPress("+")) }
    #expect(model.session.window == 10)
    #expect(model.session.toast?.text.contains("shortest") == true)
    for _ in 0..<30 { press(KeyPress("-")) }
    #expect(model.session.toast?.text.contains("longest") == true)
    #expect(!lines().isEmpty)
  }

  @Test("_ lets the value axis stand still or fit itself")
  mutating func autoScale() {
    press(KeyPress("_"))
    #expect(!model.live.isAutoScaled && lines().contains(", axis held"))
    press(KeyPress("_"))
    #expect(model.live.isAutoScaled && !lines().contains(", axis held"))
  }

  // MARK: Moving

  @Test(
    "arrows and jk move the selection by name",
    arguments: [(Key.down, Key.up), (.character("j"), .character("k"))])
  mutating func move(down: Key, up: Key) {
    let start = selected
    press(KeyPress(down))
    #expect(selected == "sync.queue_count")
    press(KeyPress(up))
    #expect(selected == start)
  }

  @Test(
    "g and Home go to the first row, G and End to the last",
    arguments: [(Key.character("g"), Key.character("G")), (.home, .end)])
  mutating func ends(first: Key, last: Key) {
    press(KeyPress(last))
    #expect(selected == "maybe")
    press(KeyPress(first))
    #expect(selected == "[db]")
  }

  @Test("G goes to the live end, too")
  mutating func liveEnd() {
    press(KeyPress(.left), KeyPress("G"))
    #expect(!model.session.isFrozen)
  }

  @Test(
    "pages and half pages move the selection",
    arguments: [
      (KeyPress(.pageDown), KeyPress(.pageUp)), (.control("f"), .control("b")),
      (.control("d"), .control("u")),
    ])
  mutating func pages(down: KeyPress, up: KeyPress) {
    press(KeyPress("g"), down)
    let index = model.liveScreen.selectedIndex ?? 0
    #expect(index >= 10)
    press(up)
    #expect(model.liveScreen.selectedIndex == 0)
  }

  // MARK: Rows

  @Test("Enter folds a bucket and opens a metric's samples")
  mutating func enter() {
    press(KeyPress("g"), KeyPress(.enter))
    #expect(model.live.folded == [.bucket("db")])
    #expect(lines().contains("▸ db") && lines().contains("+2 rows"))
    press(KeyPress(.enter), KeyPress(.down), KeyPress(.enter))
    #expect(lines().contains("Samples of db.wal_bytes"))
    press(KeyPress(.down))
    guard case .samples(_, let selection) = model.session.overlay else {
      return #expect(Bool(false), "no list")
    }
    #expect(selection == 1)
  }

  @Test("Y copies no name that a file does not have, and says why")
  mutating func unsayableName() {
    var feed = model.session.feed
    feed.status.sources = ["app.jsonl", "b\u{FFFD}.jsonl"]
    _ = update(&model, .feed(feed))
    // A file may be named so.
    guard case .copy(let command) = press(KeyPress("Y")).first else {
      return #expect(Bool(false), "nothing is copied")
    }
    #expect(command.hasSuffix(" app.jsonl 'b\u{FFFD}.jsonl'"), "\(command)")
    feed.status.unreadFiles = 1
    _ = update(&model, .feed(feed))
    #expect(press(KeyPress("Y")).isEmpty)
    #expect(
      model.session.toast?.text == "Nothing copied: a file's name is not valid UTF-8")
  }

  @Test("Enter on a sample asks for its line, which Esc leaves for the samples again")
  mutating func rawLine() {
    press(KeyPress(.enter), KeyPress(.down))
    guard case .findLine(let query) = press(KeyPress(.enter)).first else {
      return #expect(Bool(false), "nothing is looked for")
    }
    #expect(query.identity.fullName == "sync.push_ms" && query.selection == 1)
    let line = RawLine(source: "/a/app.jsonl", line: 12, offset: 3400, text: "{\"metric\":\u{1B}")
    _ = update(&model, .line(line, query))
    #expect(lines().contains("app.jsonl") && lines().contains("line 12, byte 3400"))
    #expect(lines().contains("{\"metric\":") && !lines().contains("\u{1B}"))
    #expect(press(KeyPress("y")) == [.copy("{\"metric\":\u{FFFD}")])
    press(KeyPress(.escape))
    #expect(model.session.overlay == .samples(query.identity, selection: 1))
    _ = update(&model, .line(nil, query))
    #expect(model.session.toast?.text.contains("not in the last 64 MB") == true)
  }

  @Test("Enter folds a struct's fields")
  mutating func structures() {
    press(KeyPress("g"), KeyPress(.down), KeyPress(.down), KeyPress(.down), KeyPress(.down))
    #expect(selected == "{report}")
    press(KeyPress(.enter))
    #expect(!lines().contains("totalMs"))
  }

  @Test("/ filters by the words of a name; Enter keeps it, Esc ends it")
  mutating func filter() {
    press(KeyPress("/"))
    type("net ms")
    #expect(model.live.content.rows.map(\.label) == ["net", "rtt_ms"])
    #expect(view(model).cursor != nil)
    press(KeyPress(.enter))
    #expect(model.session.overlay == nil && model.live.filter == "net ms")
    #expect(lines().contains("/ net ms"))
    press(KeyPress(.escape))
    #expect(model.live.filter.isEmpty && model.live.content.rows.count == 26)
  }

  @Test("a filter that nothing passes says so")
  mutating func emptyFilter() {
    press(KeyPress("/"))
    type("zzz")
    #expect(lines().contains("nothing matches"))
    press(KeyPress(.escape))
    #expect(selected == "sync.push_ms")
  }

  @Test("n and N go round the matches; without a filter they say why not")
  mutating func matches() {
    press(KeyPress("n"))
    #expect(model.session.toast?.text == "Next match of the filter: there is no filter")
    press(KeyPress("/"))
    type("_ms")
    press(KeyPress(.enter))
    let start = selected
    press(KeyPress("n"))
    #expect(selected != start)
    press(KeyPress("N"))
    #expect(selected == start)
  }

  @Test(
    "s and F6 sort by the next column, I turns the order round",
    arguments: [Key.character("s"), .function(6)])
  mutating func sort(key: Key) {
    press(KeyPress(key))
    #expect(model.live.sort == .now)
    #expect(lines().contains("── s now ▼"))
    press(KeyPress(key))
    let p50 = model.live.content.rows.compactMap { $0.series }.map {
      model.liveScreen.stats(of: $0, columns: 1)
    }
    #expect(p50.first?.p50 != nil)
    let first = model.live.content.rows.first?.label
    press(KeyPress("I"))
    #expect(model.live.isInverted && model.live.content.rows.first?.label != first)
  }

  @Test("rows never swap by themselves after a sort")
  mutating func stillRows() {
    press(KeyPress("s"), KeyPress("s"))
    let rows = model.live.content.rows
    var feed = Self.feed
    for id in feed.store.allSeries {
      feed.store.record(id, time: LiveFixture.now, value: .number(Double(id.rawValue) * 1e6))
    }
    _ = update(&model, [.clock(LiveFixture.now + 1), .feed(feed)])
    #expect(model.live.content.rows == rows)
  }

  @Test("e and E go through the alerts and select their metrics")
  mutating func alerts() {
    press(KeyPress("g"), KeyPress("e"))
    #expect(selected == "sync.push_ms")
    #expect(model.session.toast?.text.contains("p95") == true && model.session.isFrozen)
    for key in ["e", "E"] as [Character] {
      var met: Set<String> = []
      for _ in 0..<8 {
        press(KeyPress(key))
        met.insert(selected)
      }
      #expect(met == ["sync.push_ms", "ui.frame_ms", "net.tx_bytes"])
    }
  }

  @Test("b lists the rejected lines, with nothing raw in them")
  mutating func rejections() {
    press(KeyPress("!"))
    let text = lines()
    #expect(text.contains("Rejected lines") && text.contains("line 977 byte 140112"))
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    press(KeyPress(.up))
    #expect(model.session.overlay == .rejections(selection: 1))
  }

  // MARK: Looking

  @Test("Tab and Shift-Tab go round the panes, z shows one alone")
  mutating func panes() {
    press(KeyPress(.tab))
    #expect(model.live.pane == .chart)
    press(KeyPress("z"))
    #expect(model.liveScreen.layout[.chart].width == 120 && model.liveScreen.layout[.tree].isEmpty)
    press(KeyPress("z"), KeyPress(.backTab))
    #expect(model.live.pane == .tree && !model.liveScreen.layout[.tree].isEmpty)
  }

  @Test("y copies the row, and a list whole")
  mutating func copy() {
    let effects = press(KeyPress("y"))
    guard case .copy(let text) = effects.first else { return #expect(Bool(false), "nothing copied") }
    let cells = text.split(separator: "\t")
    #expect(cells.first == "sync.push_ms" && cells.last == "over its limit")
    #expect(cells.dropFirst().dropLast().map { $0.prefix(3) } == ["now", "p50", "p95", "n 2"])
    #expect(cells[1].hasSuffix(" ms") && !(model.session.toast?.text ?? "").contains("\u{FFFD}"))
    press(KeyPress(.enter))
    guard case .copy(let list) = press(KeyPress("y")).first else { return #expect(Bool(false), "no list") }
    #expect(
      list.split(separator: "\n").count
        == model.session.samples(of: SeriesIdentity(bucket: "sync", name: "push_ms", typeName: "Double"))
        .count)
  }

  @Test("M turns the mouse off and on")
  mutating func mouse() {
    #expect(press(KeyPress("M")) == [.mouse(false)])
    #expect(press(KeyPress("M")) == [.mouse(true)])
  }

  @Test("Ctrl-L draws everything again")
  mutating func redraw() {
    #expect(press(.control("l")) == [.redraw])
  }

  @Test(
    "? and F1 list every action; typing filters, Enter runs, Esc closes",
    arguments: [Key.character("?"), .function(1)])
  mutating func help(key: Key) {
    press(KeyPress(key))
    #expect(
      lines().contains("Keys")
        && lines().contains("\(model.helpList.count) of \(model.helpList.count)")
        && model.helpList.count > model.table.actions.count)
    type("zoom in")
    press(KeyPress(.enter))
    #expect(model.session.overlay == nil && model.session.window == 60)
    press(KeyPress(key), KeyPress(.down), KeyPress(.escape))
    #expect(model.session.overlay == nil)
  }

  @Test("help says why an action cannot run now")
  mutating func refusals() {
    press(KeyPress("?"))
    type("match")
    #expect(lines().contains("there is no filter"))
  }

  @Test("a metric that is not kept apart is not said to be missing")
  mutating func manyMetrics() {
    var store = SeriesStore(limits: .init(series: 2))
    for number in 0..<4 {
      let series = SeriesIdentity(bucket: "b", name: "n\(number)_ms", typeName: "Double")
      store.record(store.series(for: series, at: Double(number)), time: Double(number), value: .number(1))
    }
    var many = LiveFixture.model(120, 36, feed: FeedSnapshot(store: store))
    _ = many.arrange("live", Arrangement(metric: "b.n0_ms"))
    #expect(many.unknownMetric == "b.n0_ms" && many.amongKept == " among the 2 that are kept apart")
    _ = model.arrange("live", Arrangement(metric: "no.such"))
    #expect(model.unknownMetric == "no.such" && model.amongKept.isEmpty)
  }

  @Test("a frame whose filter lets no row through knows it", arguments: [("zzz", false), ("push", true)])
  mutating func filteredFrame(filter: String, hasRows: Bool) {
    var arrangement = Arrangement()
    arrangement.filter = filter
    _ = model.arrange("live", arrangement)
    #expect(model.hasRows == hasRows)
  }

  // MARK: Leaving

  @Test("Esc closes and never quits")
  mutating func escape() {
    press(KeyPress(.left), KeyPress("?"))
    for _ in 0..<5 { #expect(press(KeyPress(.escape)) == []) }
    #expect(model.session.overlay == nil && !model.session.isFrozen)
  }

  @Test("q and F10 go back, and quit at the top", arguments: [Key.character("q"), .function(10)])
  mutating func back(key: Key) {
    press(KeyPress(.enter))
    #expect(press(KeyPress(key)) == [])
    #expect(model.session.overlay == nil)
    #expect(press(KeyPress(key)) == [.quit])
  }

  @Test("q at the top leaves a receipt: what was read and the worst of each group; Q leaves none")
  mutating func receipt() {
    #expect(model.receipt.isEmpty)
    press(KeyPress("q"))
    let lines = model.receipt
    // Two of its 18 series are fields of one metric.
    #expect(lines.first == "app.jsonl +2: 17 metrics, 20580 values up to 14:32:07, 3 lines rejected")
    #expect(
      lines.dropFirst().map { $0.prefix(20) } == [
        "  ! sync.push_ms  p9", "  ↑ ui.frame_ms   on", "  ↓ net.tx_bytes  on",
      ])
    model.wantsReceipt = false
    press(KeyPress("Q"))
    #expect(model.receipt.isEmpty)
  }

  @Test("Q and Ctrl-C quit at once, whatever is open", arguments: [KeyPress("Q"), .control("c")])
  mutating func quit(key: KeyPress) {
    press(KeyPress(.enter))
    #expect(press(key) == [.quit])
  }

  @Test("Ctrl-C quits while a filter is typed")
  mutating func quitWhileTyping() {
    press(KeyPress("/"))
    #expect(press(.control("c")) == [.quit])
  }

  @Test("Ctrl-Z suspends")
  mutating func suspend() {
    #expect(press(.control("z")) == [.suspend])
  }

  @Test("a key that means nothing says so and changes nothing")
  mutating func unknown() {
    let before = view(model)
    for (key, name) in [(KeyPress("w"), "w"), (KeyPress(.function(9)), "F9"), (KeyPress(.insert), "Ins")] {
      #expect(press(key) == [])
      #expect(model.session.toast?.text == "\(name) does nothing here: ? lists the keys")
    }
    model.session.toast = nil
    #expect(view(model) == before)
  }

  @Test("no key has two meanings, and each action has one made of letters, signs or arrows only")
  func table() {
    for table in model.tables {
      var seen: Set<KeyPress> = []
      for action in table.actions.map(\.description) {
        #expect(!action.keys.isEmpty)
        for key in action.keys { #expect(seen.insert(key).inserted, "\(key.text) twice") }
      }
    }
  }

  @Test("every key of the footer is a key of the table")
  func footer() {
    let keys = Set(
      model.table.actions.flatMap { $0.description.keyText.split(separator: " ").map(String.init) })
    let footer = view(model).buffer.lines.last ?? ""
    for hint in ["Space", "/", "Enter", "e", "s", "i", "y", "q", "?"] {
      #expect(footer.contains(hint) && keys.contains(hint), "\(hint)")
    }
  }
}
