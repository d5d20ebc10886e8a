import Testing

@testable import TerminalUI

/// One of each widget, filled with more than small areas hold and with wide signs.
private func widgets(_ theme: Theme) -> [any Widget] {
  let rows = (0..<9).map {
    TableRow(["漢字の名前 \($0)", "12", Line("▁▂▃", theme[.series1])], indent: $0 % 3, fold: .expanded)
  }
  let columns = [
    Column("NAME", width: 8, isFlexible: true), Column("N", width: 5, alignment: .trailing, dropOrder: 2),
    Column("LAST", width: 6, dropOrder: 1),
  ]
  var rule = Panel("漢字 rule", look: .rule, trailing: "漢字", theme: theme)
  rule.trailing.append("more")
  return [
    Panel("漢字 title", trailing: "sort 漢字", footer: "/ 漢字", footerTrailing: "31 of 31", theme: theme), rule,
    Table(columns: columns, rows: rows, selection: 4, offset: 2, theme: theme),
    Table(columns: columns, rows: rows, selection: 400, offset: 400, theme: theme),
    Sparkline([1, nil, .nan, .infinity, -1e308, 1e308], theme: theme), sampleChart(theme),
    Tabs(["漢字", "History", "Histogram"], selection: 0, theme: theme), Tabs([], selection: 4, theme: theme),
    Footer([.init("漢", "字"), .init("Space", "freeze")], theme: theme),
    ProgressBar("漢字", done: 31, total: 100, perSecond: 3, theme: theme),
    ProgressBar("", done: .nan, total: .infinity, perSecond: .nan, theme: theme),
    Toast("漢字 copied", theme: theme), PromptLine("/漢", Prompt("漢字 push"), hint: "字", theme: theme),
    ActionList("漢字", entries: [.init("漢", "字"), .init("u", "undo", refusal: "漢字")], theme: theme),
  ]
}

/// A curve with a gap, a hump over the limit, labels and marks.
func sampleChart(_ theme: Theme) -> Chart {
  let points = (0...60).map { index -> Chart.Point in
    let hump = index > 40 && index < 50 ? Double(index - 40) * 40 : 0
    let value = 100 + Double(index * 7919 % 11) * 2 + hump
    return Chart.Point(x: Double(index), y: index > 20 && index < 26 ? nil : value)
  }
  var chart = Chart(
    series: [.init(points, style: theme[.series1])], xRange: 0...60, yRange: 0...480, theme: theme)
  chart.yTicks = [.init(0, "0"), .init(240, "240"), .init(480, "480")]
  chart.xTicks = [.init(0, "14:30"), .init(30, "14:31"), .init(60, "now")]
  chart.markers = [.init(45, "b")]
  chart.gaps = [.init(23, "gap 4.1s")]
  chart.limit = .init(400, "limit 400ms")
  return chart
}

@Suite("Widgets")
struct WidgetTests {
  init() { adoptUTF8() }

  @Test("stay inside their area at every size from nothing on", arguments: GlyphTier.allCases)
  func bounds(glyphs: GlyphTier) {
    let theme = theme(glyphs)
    var frame = Buffer(size: Size(width: 40, height: 14))
    for y in 0..<14 { frame.write(String(repeating: "#", count: 40), at: Position(x: 0, y: y)) }
    for widget in widgets(theme) {
      for (width, height) in sizes {
        var buffer = frame
        let area = Rect(x: 3, y: 2, width: width, height: height)
        widget.render(in: area, into: &buffer)
        for y in 0..<14 {
          for x in 0..<40 where !area.contains(Position(x: x, y: y)) {
            #expect(buffer[x, y].text == "#", "\(type(of: widget)) \(width)x\(height) at \(x),\(y)")
          }
        }
      }
    }
  }

  @Test("survive areas that lie outside the buffer")
  func outside() {
    for widget in widgets(theme()) {
      for (x, y) in [(-5, -3), (30, 0), (0, 30), (35, 12)] {
        var buffer = Buffer(size: Size(width: 40, height: 14))
        widget.render(in: Rect(x: x, y: y, width: 20, height: 6), into: &buffer)
        #expect(buffer.lines.allSatisfy { SafeText.width(of: $0) == 40 })
      }
    }
  }

  private var sizes: [(Int, Int)] {
    [0, 1, 2, 3, 4, 5, 7, 11, 19, 30].flatMap { width in [0, 1, 2, 3, 4, 9].map { (width, $0) } }
  }

  @Test("a panel carries words in its four corners")
  func panel() {
    let panel = Panel(
      "Buckets 31", trailing: "sort p95/base ▼", footer: "/ filter: all", footerTrailing: "31 of 31",
      theme: theme())
    #expect(
      picture(40, 3, panel) == """
        ┌─ Buckets 31 ─────── sort p95/base ▼ ─┐
        │                                      │
        └─ / filter: all ─────────── 31 of 31 ─┘

        """)
    #expect(
      picture(20, 2, panel) == """
        ┌─ Buckets 31 ─────┐
        └─ / filter: all ──┘

        """)
    #expect(picture(10, 2, panel) == "┌─ Buc… ─┐\n└─ / f… ─┘\n")
    #expect(panel.inner(of: Rect(x: 0, y: 0, width: 40, height: 3)) == Rect(x: 1, y: 1, width: 38, height: 1))
  }

  @Test("a panel without room for a box is one rule")
  func rule() {
    var rule = Panel("sync.push.ms", look: .rule, trailing: "+ - zoom", theme: theme(.ascii))
    rule.leading.append("2m")
    rule.trailing.append("z max")
    #expect(picture(60, 1, rule) == "-- sync.push.ms -- 2m ----------------- + - zoom -- z max --\n")
    #expect(picture(40, 1, rule) == "-- sync.push.ms -- 2m ------ + - zoom --\n")
  }

  @Test("a table aligns, cuts and drops its columns in the fixed order")
  func table() {
    let table = sampleTable(theme())
    #expect(
      picture(38, 4, table) == """
         NAME              NOW    p50 LAST    
         ▾ sync                               
        ›  push.ms       183ms  141ms ▁▂▃▄ ▆▇█
           漢字の名前…       1      2 ▁▁▁     

        """)
    #expect(
      picture(21, 4, table) == """
         NAME             NOW
         ▾ sync              
        ›  push.ms      183ms
           漢字の名前…      1

        """)
    #expect(picture(8, 2, table) == " NAME   \n ▾ sync \n")
    #expect(table.shownColumns(width: 30) == [0, 1, 3])
  }

  private func sampleTable(_ theme: Theme) -> Table {
    let columns = [
      Column("NAME", width: 10, isFlexible: true), Column("NOW", width: 6, alignment: .trailing),
      Column("p50", width: 6, alignment: .trailing, dropOrder: 2), Column("LAST", width: 8, dropOrder: 1),
    ]
    let spark = Sparkline([1, 2, 3, 4, nil, 6, 7, 8], theme: theme).text(width: 8)
    return Table(
      columns: columns,
      rows: [
        TableRow(["sync"], fold: .expanded),
        TableRow(["push.ms", "183ms", "141ms", Line(spark)], indent: 2),
        TableRow(["漢字の名前がとても長い", "1", "2", "▁▁▁"], indent: 2),
      ], selection: 1, theme: theme)
  }

  @Test("a table scrolls as little as keeps the selection in sight, and finds the row under the mouse")
  func scrolling() {
    #expect(Table.offset(showing: 5, of: 10, height: 3, from: 0) == 3)
    #expect(Table.offset(showing: 5, of: 10, height: 3, from: 4) == 4)
    #expect(Table.offset(showing: 1, of: 10, height: 3, from: 4) == 1)
    #expect(Table.offset(showing: nil, of: 10, height: 3, from: 99) == 7)
    #expect(Table.offset(showing: 2, of: 3, height: 0, from: 1) == 1)
    let table = sampleTable(theme())
    let area = Rect(x: 0, y: 2, width: 30, height: 6)
    #expect(table.row(at: Position(x: 3, y: 4), in: area) == 1)
    #expect(table.row(at: Position(x: 3, y: 2), in: area) == nil)
    #expect(table.row(at: Position(x: 3, y: 7), in: area) == nil)
  }

  @Test("the screens' tabs lose their names when room is short")
  func tabs() {
    let titles = ["Live", "History", "Histogram", "Sync"]
    let tabs = Tabs(titles, selection: 1, theme: theme())
    #expect(picture(44, 1, tabs) == " 1 Live   2 History   3 Histogram   4 Sync  \n")
    #expect(picture(20, 1, tabs) == "1  2 History   3  4 \n")
    #expect(picture(8, 1, tabs) == "2       \n")
    for (width, shown) in [(44, " 2 History "), (20, " 2 History "), (8, "2")] {
      let spans = tabs.line(width: width).spans
      #expect(spans.filter { $0.style == theme()[.selection] }.map(\.text) == [shown])
    }
  }

  @Test(
    "footer hints go from the end, and the help hint is the last",
    arguments: [
      (60, " Space freeze   / filter   Enter drill                ? keys"),
      (36, " Space freeze   / filter      ? keys"), (20, "              ? keys"), (4, "? ke"),
    ])
  func footer(width: Int, row: String) {
    let footer = Footer(
      [.init("Space", "freeze"), .init("/", "filter"), .init("Enter", "drill")], theme: theme())
    #expect(picture(width, 1, footer) == row + "\n")
  }

  @Test(
    "progress says amount, rate and time left",
    arguments: [
      (312e6, 1.02e9, 120e6, "30 %  312 MB of 1.0 GB  120 MB/s  6 s left"),
      (0, 999, 0, "0 %  0 B of 999 B"), (5e9, 5e9, 1, "100 %  5.0 GB of 5.0 GB  1 B/s  0 s left"),
      (1e6, 1e12, 1e6, "0 %  1.0 MB of 1.0 TB  1.0 MB/s  277 h 46 min left"),
    ])
  func progress(done: Double, total: Double, rate: Double, words: String) {
    #expect(ProgressBar("x", done: done, total: total, perSecond: rate, theme: theme()).details == words)
  }

  @Test("a progress bar fills the room beside its words")
  func progressBar() {
    let bar = ProgressBar("app.jsonl", done: 30, total: 60, unit: .count("lines"), theme: theme())
    #expect(picture(60, 1, bar) == "app.jsonl ━━━━━━━━━━━━━━─────────────── 50 %  30 of 60 lines\n")
    let unknown = ProgressBar("a", done: 1234, total: nil, unit: .count("lines"), theme: theme(.ascii))
    #expect(unknown.details == "1.2k lines")
    #expect(unknown.share == nil)
  }

  @Test("the list of actions filters, keeps what cannot run and says why")
  func actions() {
    var list = ActionList(
      "All keys",
      entries: [
        .init("Space", "freeze"), .init("/", "filter"), .init("u", "undo", refusal: "nothing to undo"),
      ],
      selection: 9, theme: theme())
    #expect(
      picture(50, 9, list) == """
                                                          
            ┌› All keys ──────────────────── 3 of 3 ─┐    
            │ / type to filter                       │    
            │ Space  freeze                          │    
            │ /      filter                          │    
            │›u      undo (nothing to undo)          │    
            │                                        │    
            └─ Enter run ──────────────── Esc close ─┘    
                                                          

        """)
    list.query = Prompt("FI")
    #expect(list.matches.map(\.title) == ["filter"])
    #expect(list.cursor(in: Rect(x: 0, y: 0, width: 50, height: 9)) == Position(x: 10, y: 2))
  }

  @Test("actions stand under the headings of their sections, and other words find them")
  func sections() {
    var list = ActionList(
      "All keys",
      entries: [
        .init("Space", "freeze", section: "Time", synonyms: "pause"), .init("t", "go to", section: "Time"),
        .init("q", "quit", section: "Leaving"),
      ],
      selection: 2, theme: theme())
    #expect(
      picture(50, 11, list) == """
                                                          
            ┌› All keys ──────────────────── 3 of 3 ─┐    
            │ / type to filter                       │    
            │        Time                            │    
            │ Space  freeze                          │    
            │ t      go to                           │    
            │        Leaving                         │    
            │›q      quit                            │    
            │                                        │    
            └─ Enter run ──────────────── Esc close ─┘    
                                                          

        """)
    list.query = Prompt("paus")
    #expect(list.matches.map(\.title) == ["freeze"])
  }

  @Test("sparks show the last values, nothing where nothing was, and a flat line at the bottom")
  func sparks() {
    #expect(Sparkline([0, 1, 2, 3, 4, 5, 6, 7], theme: theme()).text(width: 8) == "▁▂▃▄▅▆▇█")
    #expect(Sparkline([0, 1, 2, 3, 4, 5, 6, 7], theme: theme(.ascii)).text(width: 8) == "_.:-=+*#")
    #expect(Sparkline([9, 9, 1, nil, 2], theme: theme()).text(width: 3) == "▁ █")
    #expect(Sparkline([3, 3], theme: theme()).text(width: 4) == "  ▁▁")
    #expect(Sparkline([5], range: 0...10, theme: theme()).text(width: 1) == "▅")
    #expect(Sparkline([], theme: theme()).text(width: -1) == "")
  }
}
