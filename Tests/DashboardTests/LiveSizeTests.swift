import Aggregation
import TerminalUI
import Testing

@testable import Dashboard

@Suite("Every size of the Live screen")
struct LiveSizeTests {
  static let heights = [5, 9, 12, 14, 16, 20, 24, 28, 30, 33, 36, 80]
  static let feed = FeedSnapshot(store: LiveFixture.store(length: 300), status: LiveFixture.shared.status)

  init() { adoptUTF8() }

  @Test("no box is cut, the selection and the ? are seen", arguments: heights)
  func walk(height: Int) {
    var model = LiveFixture.model(20, height, depth: .none, feed: Self.feed)
    for width in 20...240 {
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
    let lines = view(model).buffer.lines
    let cells = lines.map(Array.init)
    #expect(lines.contains { $0.contains("?") }, "\(name): no ?")
    if wantsSelection { #expect(lines.contains { $0.contains("›") }, "\(name): no selection") }
    for (y, row) in cells.enumerated() {
      for (x, sign) in row.enumerated() where sign == "┌" {
        #expect(isWhole(cells, x, y), "\(name): the box at \(x),\(y) is cut")
      }
    }
    let corners = ["┌", "┐", "└", "┘"].map { corner in
      lines.reduce(0) { $0 + $1.filter { String($0) == corner }.count }
    }
    #expect(Set(corners).count == 1, "\(name): corners \(corners)")
  }

  /// Whether the box with this top left corner has its other corners and closed sides.
  func isWhole(_ cells: [[Character]], _ x: Int, _ y: Int) -> Bool {
    guard let right = cells[y][x...].firstIndex(of: "┐") else { return false }
    guard let bottom = (y..<cells.count).first(where: { cells[$0][x] == "└" }) else { return false }
    guard cells[bottom][right] == "┘" else { return false }
    return (y + 1..<bottom).allSatisfy { cells[$0][x] == "│" && cells[$0][right] == "│" }
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
      (120, 36, LiveLayout.Step.wide), (119, 36, .medium), (120, 35, .medium), (99, 40, .stacked),
      (200, 24, .stacked),
      (79, 40, .narrow), (120, 16, .narrow), (59, 40, .list), (120, 12, .list), (39, 40, .tiny),
      (120, 11, .tiny),
    ])
  func steps(width: Int, height: Int, step: LiveLayout.Step) {
    #expect(LiveLayout(size: Size(width: width, height: height)).step == step)
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
