import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore

@Suite("Pictures of the History screen")
struct HistoryPictureTests {
  static let sizes = [(120, 36), (80, 24), (40, 12), (20, 5), (240, 80)]
  /// Those where there is room for a chart.
  static let chartSizes = sizes.filter { $0.0 >= 80 }
  /// Go to the spike, zoom in, stand on a row of the table.
  static let atSpike =
    [KeyPress("'"), KeyPress("a")] + Array(repeating: KeyPress("+"), count: 4) + [
      KeyPress(.tab), KeyPress(.tab), KeyPress(.down),
    ]

  init() { adoptUTF8() }

  private func picture(_ model: Model) -> String { view(model).buffer.lines.map { $0 + "\n" }.joined() }

  @Test("at a spike, without colour", arguments: sizes)
  func plain(width: Int, height: Int) throws {
    let model = HistoryFixture.model(width, height, keys: Self.atSpike)
    try expectGolden(picture(model), "history-\(width)x\(height)")
  }

  @Test("at a spike, each look as a letter", arguments: sizes)
  func coloured(width: Int, height: Int) throws {
    let model = HistoryFixture.model(width, height, depth: .trueColor, keys: Self.atSpike)
    try expectGolden(view(model).buffer.styledPicture, "history-\(width)x\(height)-colour")
  }

  @Test("the whole history, with a gap, in each glyph tier", arguments: GlyphTier.allCases)
  func tiers(glyphs: GlyphTier) throws {
    let model = HistoryFixture.model(120, 36, glyphs: glyphs)
    try expectGolden(picture(model), "history-120x36-whole-\(glyphs.rawValue)")
  }

  @Test("the tree as a picker, where it has no room of its own")
  func picker() throws {
    let model = HistoryFixture.model(80, 24, keys: [KeyPress(.backTab), KeyPress(.backTab)])
    try expectGolden(picture(model), "history-80x24-picker")
  }

  @Test("a selected range, a raw line, a text's values, by value, long work, nothing at all")
  func states() throws {
    let range = Self.atSpike.dropLast() + [KeyPress(.backTab)]
    var keys = Array(range) + Array(repeating: KeyPress(.right, .shift), count: 6)
    for (width, height) in Self.sizes {
      let model = HistoryFixture.model(width, height, keys: keys)
      try expectGolden(picture(model), "history-\(width)x\(height)-range")
    }
    keys = Self.atSpike + [KeyPress(.enter), KeyPress(.enter)]
    try expectGolden(picture(HistoryFixture.model(80, 24, keys: keys)), "history-80x24-raw")
    try expectGolden(
      picture(HistoryFixture.model(120, 36, keys: Self.atSpike + [KeyPress("s")])), "history-120x36-by-value")
    var model = HistoryFixture.model(120, 36)
    var news = HistoryNews()
    news.work = HistoryWork(
      kind: .indexing, progress: FeedProgress(done: 3.1e9, total: 1e10, perSecond: 4.2e8))
    _ = update(&model, .history(news))
    try expectGolden(picture(model), "history-120x36-work")
    var none = Model(size: Size(width: 80, height: 24), now: HistoryFixture.now, zone: .utc)
    _ = update(&none, .input(.key(KeyPress("2"))))
    try expectGolden(picture(none), "history-80x24-none")
  }
}
