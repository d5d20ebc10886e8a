import Aggregation
import History
import TelemetryCore
import TerminalUI
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("Pictures of the payload overview")
struct OverviewPictureTests {
  static let sizes = [(120, 36), (80, 24), (40, 12), (20, 5), (240, 80)]

  init() { adoptUTF8() }

  private func buffer(
    _ state: OverviewState, _ width: Int, _ height: Int, depth: ColorDepth = .none,
    glyphs: GlyphTier = .braille
  ) -> Buffer {
    let theme = Theme(capabilities: Capabilities(depth: depth, glyphs: glyphs))
    let frame = ScreenFrame(size: Size(width: width, height: height))
    var buffer = Buffer(size: frame.size, repertoire: theme.capabilities.repertoire)
    OverviewView(state: state, theme: theme, step: frame.step).drawBody(in: frame.body, into: &buffer)
    return buffer
  }

  private func picture(_ buffer: Buffer) -> String { buffer.lines.map { $0 + "\n" }.joined() }

  @Test("two versions, without colour", arguments: sizes)
  func plain(width: Int, height: Int) throws {
    try expectGolden(
      picture(buffer(OverviewFixture.state(width, height), width, height)), "overview-\(width)x\(height)")
  }

  @Test("the call stacks of diagnostics", arguments: sizes)
  func diagnostics(width: Int, height: Int) throws {
    let state = OverviewFixture.atStacks(width, height)
    try expectGolden(picture(buffer(state, width, height)), "overview-stacks-\(width)x\(height)")
  }

  @Test("each look as a letter", arguments: sizes)
  func coloured(width: Int, height: Int) throws {
    let buffer = buffer(OverviewFixture.state(width, height), width, height, depth: .trueColor)
    try expectGolden(buffer.styledPicture, "overview-\(width)x\(height)-colour")
  }

  @Test("payloads that are simulated, mixed and localized say so, and ASCII is enough")
  func marks() throws {
    var archive = OverviewFixture.archive
    for place in archive.payloads.indices {
      archive.payloads[place].isMixed = archive.payloads[place].version == "2.4.1" && place > 10
      archive.payloads[place].isSimulated = archive.payloads[place].version == "2.4.0"
      archive.payloads[place].facts["localized"] = "\(place % 3 == 0)"
    }
    var state = OverviewState()
    OverviewFixture.refresh(&state, 80, 24, archive)
    try expectGolden(picture(buffer(state, 80, 24, glyphs: .ascii)), "overview-80x24-marks-ascii")
    try expectGolden(picture(buffer(state, 20, 5)), "overview-20x5-marks")
  }

  @Test("one side alone has nothing to compare")
  func alone() throws {
    var state = OverviewState()
    let key = OverviewSummary.Key(payloads: ValueVersion(), a: SampleCube.Choice(), b: nil, names: ["all"])
    OverviewFixture.refresh(&state, 80, 24, key: key)
    try expectGolden(picture(buffer(state, 80, 24)), "overview-80x24-alone")
  }
}
