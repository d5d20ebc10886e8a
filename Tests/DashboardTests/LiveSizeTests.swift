import Aggregation
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("Every size of the Live screen")
struct LiveSizeTests {
  static let heights = [5, 9, 12, 14, 16, 20, 24, 28, 30, 33, 36, 80]
  static let feed = FeedSnapshot(store: LiveFixture.store(length: 300), status: LiveFixture.shared.status)

  init() { adoptUTF8() }

  /// Every other width in a long run, the odd ones at half of the heights.
  static func widths(at height: Int) -> StrideThrough<Int> {
    stride(from: 20 + (heights.firstIndex(of: height) ?? 0) % 2, through: 240, by: trials(14, long: 2))
  }

  @Test("no box is cut, the selection and the ? are seen", arguments: heights)
  func walk(height: Int) {
    var model = LiveFixture.model(20, height, depth: .none, feed: Self.feed)
    for width in Self.widths(at: height) {
      _ = update(&model, .input(.resize(Size(width: width, height: height))))
      check(model, "\(width)x\(height)")
    }
  }

  @Test(
    "the same with the cursor at the end, frozen, filtered and maximised",
    arguments: [(30, 12), (61, 17), (83, 25), (104, 31), (121, 37)])
  func states(width: Int, height: Int) {
    var model = LiveFixture.model(width, height, depth: .none, feed: Self.feed)
    for key in [
      KeyPress("G"), KeyPress(" "), KeyPress(.tab), KeyPress("z"), KeyPress(.tab), KeyPress("z"),
      KeyPress(.tab),
    ] {
      _ = update(&model, .input(.key(key)))
      check(model, "\(width)x\(height) after \(key.text)", wantsSelection: model.live.isMaximised == false)
    }
  }

  func check(_ model: Model, _ name: String, wantsSelection: Bool = true) {
    let signs = Signs(view(model).buffer)
    #expect(signs.count("?") > 0, "\(name): no ?")
    if wantsSelection { #expect(signs.count("›") > 0, "\(name): no selection") }
    for (x, y) in signs.places("┌") {
      #expect(isWhole(signs, x, y), "\(name): the box at \(x),\(y) is cut")
    }
    let corners = ["┌", "┐", "└", "┘"].map { signs.count($0) }
    #expect(Set(corners).count == 1, "\(name): corners \(corners)")
  }

  /// The base signs of a picture, row by row; texts would take most of the time of these tests.
  struct Signs {
    let size: Size
    let values: [UInt32]

    init(_ buffer: Buffer) {
      size = buffer.size
      values = buffer.cells.map { $0.scalars.0 }
    }

    func count(_ sign: Unicode.Scalar) -> Int { values.reduce(0) { $0 + ($1 == sign.value ? 1 : 0) } }

    func places(_ sign: Unicode.Scalar) -> [(x: Int, y: Int)] {
      values.indices.filter { values[$0] == sign.value }.map { ($0 % size.width, $0 / size.width) }
    }

    func has(_ sign: Unicode.Scalar, _ x: Int, _ y: Int) -> Bool { values[y * size.width + x] == sign.value }
  }

  /// True if the box with this top left corner has its other corners and closed sides.
  private func isWhole(_ signs: Signs, _ x: Int, _ y: Int) -> Bool {
    guard let right = (x..<signs.size.width).first(where: { signs.has("┐", $0, y) }) else { return false }
    guard let bottom = (y..<signs.size.height).first(where: { signs.has("└", x, $0) }) else { return false }
    guard signs.has("┘", right, bottom) else { return false }
    return (y + 1..<bottom).allSatisfy { signs.has("│", x, $0) && signs.has("│", right, $0) }
  }

  @Test("no size traps, however small")
  func smallest() {
    var model = LiveFixture.model(20, 5, feed: Self.feed)
    for width in 0...19 {
      for height in 0...13 {
        _ = update(&model, .input(.resize(Size(width: width, height: height))))
        #expect(view(model).buffer.size == Size(width: width, height: height))
        _ = update(&model, .input(.key(KeyPress("?"))))
        _ = view(model)
        _ = update(&model, .input(.key(KeyPress(.escape))))
        _ = update(&model, .input(.key(KeyPress(.enter))))
        _ = view(model)
        _ = update(&model, .input(.key(KeyPress(.escape))))
      }
    }
  }

  @Test(
    "the steps of collapse follow the smaller of both sides",
    arguments: [
      (120, 36, LayoutStep.wide), (119, 36, .medium), (120, 35, .medium), (99, 40, .stacked),
      (200, 24, .stacked),
      (79, 40, .narrow), (120, 16, .narrow), (59, 40, .list), (120, 12, .list), (39, 40, .tiny),
      (120, 11, .tiny),
    ])
  func steps(width: Int, height: Int, step: LayoutStep) {
    #expect(LiveLayout(size: Size(width: width, height: height)).step == step)
  }

  /// Names as the README's app has them, none longer than 24.
  private static let names = ["startup_time_ms", "launched_from_cold_start", "token_refresh_ms", "locale"]

  private func named(_ width: Int, _ height: Int) -> Model {
    var store = SeriesStore()
    for (index, name) in Self.names.enumerated() {
      let identity = SeriesIdentity(bucket: "app", name: name, typeName: "Double")
      let id = store.series(for: identity)
      for step in 0..<(index == 3 ? 0 : 30) {
        store.record(id, time: LiveFixture.now - Double(step), value: .number(1))
      }
    }
    return LiveFixture.model(width, height, depth: .none, feed: FeedSnapshot(store: store))
  }

  @Test("sparklines and chart make room for the names", arguments: [(120, 36), (80, 24), (240, 80)])
  func names(width: Int, height: Int) {
    let model = named(width, height)
    let text = view(model).buffer.lines.joined(separator: "\n")
    for name in Self.names { #expect(text.contains(name + " "), "\(width)x\(height) \(name)") }
    #expect(model.liveScreen.layout.sparkWidth >= 8)
    #expect(
      model.liveScreen.layout[.tree].width <= model.session.size.width * 53 / 100
        || model.liveScreen.layout.isFlat)
  }

  @Test("short names leave sparklines and chart as they are")
  func shortNames() {
    let layout = LiveLayout(size: Size(width: 120, height: 36), nameWidth: 16)
    #expect(layout[.tree].width == 56)
    #expect(layout.sparkWidth == 8)
    #expect(LiveLayout(size: Size(width: 120, height: 36), nameWidth: 500)[.tree].width == 63)
    #expect(LiveLayout(size: Size(width: 120, height: 36), nameWidth: 500).sparkWidth == 8)
  }

  @Test("in a list names lose their parents, but for those that would be alike")
  func parents() {
    var store = SeriesStore()
    for (bucket, field) in [("net", nil), ("auth", nil), ("db", "totalMs")] as [(String, String?)] {
      let identity = SeriesIdentity(bucket: bucket, name: "failure", typeName: "T", field: field)
      store.record(store.series(for: identity), time: LiveFixture.now, value: .number(1))
    }
    let model = LiveFixture.model(40, 12, depth: .none, feed: FeedSnapshot(store: store))
    #expect(model.live.content.rows.map(\.label) == ["auth.failure", "totalMs", "net.failure"])
    let text = view(model).buffer.lines.joined(separator: "\n")
    #expect(text.contains(" auth.failure ") || text.contains("›auth.failure "))
    #expect(!text.contains("no sam"))
  }

  @Test("all glyph tiers and depths draw", arguments: GlyphTier.allCases, ColorDepth.allCases)
  func tiers(glyphs: GlyphTier, depth: ColorDepth) {
    for (width, height) in [(120, 36), (80, 24), (40, 12), (20, 5)] {
      let model = LiveFixture.model(width, height, depth: depth, glyphs: glyphs, feed: Self.feed)
      let lines = view(model).buffer.lines
      #expect(lines.contains { $0.contains("push_ms") })
      guard glyphs == .ascii else { continue }
      let odd = lines.joined().unicodeScalars.filter { $0.value > 126 && !"«»µ…".unicodeScalars.contains($0) }
      #expect(odd.isEmpty, "\(width)x\(height): \(Set(odd.map(String.init)))")
    }
  }
}
