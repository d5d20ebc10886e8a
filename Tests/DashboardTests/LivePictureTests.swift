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
}
