import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistogramScreen

@Suite("Pictures of the Histogram screen")
struct HistogramPictureTests {
  static let sizes = [(120, 36), (80, 24), (40, 12), (20, 5), (240, 80)]

  init() { adoptUTF8() }

  private func picture(_ model: Model) -> String { view(model).buffer.lines.map { $0 + "\n" }.joined() }

  @Test("two versions, without colour", arguments: sizes)
  func plain(width: Int, height: Int) throws {
    try expectGolden(picture(HistogramFixture.model(width, height)), "histogram-\(width)x\(height)")
  }

  @Test("two versions, each look as a letter", arguments: sizes)
  func coloured(width: Int, height: Int) throws {
    let model = HistogramFixture.model(width, height, depth: .trueColor)
    try expectGolden(view(model).buffer.styledPicture, "histogram-\(width)x\(height)-colour")
  }

  @Test("in ASCII, with another pane in front, without a second side, and with nothing to show")
  func states() throws {
    try expectGolden(picture(HistogramFixture.model(80, 24, glyphs: .ascii)), "histogram-80x24-ascii")
    let tabs = Array(repeating: KeyPress(.tab), count: 4)
    try expectGolden(picture(HistogramFixture.model(80, 24, keys: tabs)), "histogram-80x24-split")
    let alone =
      [KeyPress("c"), KeyPress(.enter)] + [KeyPress("n"), KeyPress("o"), KeyPress("t"), KeyPress(.enter)]
    try expectGolden(picture(HistogramFixture.model(120, 36, keys: alone)), "histogram-120x36-alone")
    try expectGolden(
      picture(HistogramFixture.model(80, 24, keys: [KeyPress("c")])), "histogram-80x24-choosing")
    let last = [
      KeyPress("L"), KeyPress("L"), KeyPress("x"), KeyPress("P"), KeyPress(.down), KeyPress(.enter),
    ]
    try expectGolden(picture(HistogramFixture.model(120, 36, keys: last)), "histogram-120x36-log")
    var waiting = Model(
      size: Size(width: 80, height: 24), now: HistogramFixture.now, zone: .utc,
      feed: HistogramFixture.feed)
    _ = update(&waiting, .history(HistoryNews()))
    _ = update(&waiting, .input(.key(KeyPress("3"))))
    try expectGolden(picture(waiting), "histogram-80x24-waiting")
  }

  @Test(
    "every size between shows the name of the metric or of the screen, and nothing overlaps what is beside it"
  )
  func everySize() {
    for width in stride(from: 1, through: 130, by: 3) {
      for height in stride(from: 1, through: 44, by: 3) {
        let layout = HistogramLayout(size: Size(width: width, height: height))
        let panes = [
          layout[.bins], layout[.figures], layout[.versions], layout[.course], layout[.split],
          layout[.verdict],
          layout[.lines],
        ]
        .filter { !$0.isEmpty }
        for (index, pane) in panes.enumerated() {
          #expect(Rect(size: Size(width: width, height: height)).intersection(pane) == pane)
          for other in panes[(index + 1)...] { #expect(pane.intersection(other).isEmpty) }
        }
      }
    }
  }
}
