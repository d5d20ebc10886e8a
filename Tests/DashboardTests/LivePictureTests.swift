import Aggregation
import Platform
import TerminalUI
import Testing

@testable import Dashboard

@Suite("Pictures of the Live screen")
struct LivePictureTests {
  static let sizes = [(120, 36), (80, 24), (40, 12), (20, 5), (240, 80)]

  init() { adoptUTF8() }

  @Test("without colour", arguments: sizes)
  func plain(width: Int, height: Int) throws {
    let frame = view(LiveFixture.model(width, height, depth: .none))
    try expectGolden(frame.buffer.lines.map { $0 + "\n" }.joined(), "live-\(width)x\(height)")
  }

  @Test("with colour, each look as a letter", arguments: sizes)
  func coloured(width: Int, height: Int) throws {
    let frame = view(LiveFixture.model(width, height))
    try expectGolden(frame.buffer.styledPicture, "live-\(width)x\(height)-colour")
  }

  private func picture(_ model: Model) -> String { view(model).buffer.lines.map { $0 + "\n" }.joined() }

  private func model(_ width: Int, _ height: Int, _ keys: KeyPress...) -> Model {
    var model = LiveFixture.model(width, height, depth: .none)
    for key in keys { _ = update(&model, .input(.key(key))) }
    return model
  }

  @Test("frozen, moved back, with new samples waiting")
  func frozen() throws {
    var model = model(80, 24, KeyPress(" "), KeyPress(.left), KeyPress(.left))
    var feed = LiveFixture.shared
    let id = feed.store.allSeries[0]
    for step in 0..<312 {
      feed.store.record(id, time: LiveFixture.now + Double(step) / 100, value: .number(150))
    }
    _ = update(&model, [.clock(LiveFixture.now + 4), .feed(feed)])
    try expectGolden(picture(model), "live-80x24-frozen")
  }

  @Test("help, the samples of a metric, rejected lines")
  func overlays() throws {
    try expectGolden(picture(model(80, 24, KeyPress("?"))), "live-80x24-help")
    try expectGolden(picture(model(80, 24, KeyPress(.enter))), "live-80x24-samples")
    try expectGolden(picture(model(80, 24, KeyPress("!"))), "live-80x24-rejected")
  }

  @Test("a maximised chart, in each glyph tier", arguments: GlyphTier.allCases)
  func tiers(glyphs: GlyphTier) throws {
    var model = LiveFixture.model(80, 24, depth: .none, glyphs: glyphs)
    try expectGolden(picture(model), "live-80x24-\(glyphs.rawValue)")
    for key in [KeyPress(.tab), KeyPress("z")] { _ = update(&model, .input(.key(key))) }
    try expectGolden(picture(model), "live-80x24-chart-\(glyphs.rawValue)")
  }

  @Test("before the first sample: waiting, reading, and what went wrong")
  func empty() throws {
    var feed = FeedSnapshot()
    feed.status.sources = ["app.jsonl"]
    try expectGolden(picture(LiveFixture.model(80, 24, depth: .none, feed: feed)), "live-80x24-waiting")
    feed.status.progress = FeedProgress(done: 3.1e8, total: 1e9, perSecond: 4.2e8)
    try expectGolden(picture(LiveFixture.model(80, 24, depth: .none, feed: feed)), "live-80x24-reading")
    feed.status.problem = "app.jsonl: permission denied"
    try expectGolden(picture(LiveFixture.model(80, 24, depth: .none, feed: feed)), "live-80x24-problem")
  }
}
