import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore

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

  @Test("Enter opens the whole of a rejected line, Esc goes back to the list")
  func rejectedLine() throws {
    var model = model(80, 24, KeyPress("!"))
    let effects = update(&model, .input(.key(KeyPress(.enter))))
    guard case .readLine(let rejection, let place)? = effects.first else {
      Issue.record("nothing is read")
      return
    }
    let line = RawLine(
      source: rejection.source, line: rejection.line, offset: rejection.offset,
      text: #"{"metric":{"name":"cut"},"timestamp":1,"more":"behind the excerpt"}"#)
    _ = update(&model, .rejectedLine(line, selection: place))
    #expect(picture(model).contains("behind the excerpt"))
    _ = update(&model, .input(.key(KeyPress(.escape))))
    #expect(model.session.overlay == .rejections(selection: place))
  }

  static let strangers = [
    ("mapped", #"{"ts":1795454102.5,"op":"read","ms":12}"#, "has no metric with a name and a type"),
    ("text", "Nov 23 17:15:02 web-1 nginx: started", "is not valid JSON"),
  ]

  @Test("a file of which no line can be read shows one, why, and what to do", arguments: strangers)
  func unreadable(name: String, line: String, reason: String) throws {
    var feed = FeedSnapshot()
    feed.status.sources = ["/var/log/app.log"]
    feed.status.rejected = 2000
    feed.status.rejections = [
      FeedRejection(
        source: "/var/log/app.log", line: 1, offset: 0, reason: reason, excerpt: Array(line.utf8))
    ]
    try expectGolden(
      picture(LiveFixture.model(80, 24, depth: .none, feed: feed)), "live-80x24-unreadable-\(name)")
    #expect(!picture(LiveFixture.model(20, 5, depth: .none, feed: feed)).contains("No samples yet"))
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
