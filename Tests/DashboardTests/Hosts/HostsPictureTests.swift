import TerminalUI
import Testing

@testable import DashboardCore

@Suite("Pictures of the Hosts screen")
struct HostsPictureTests {
  static let sizes = [(120, 36), (80, 24), (40, 12), (20, 5), (240, 80)]

  init() { adoptUTF8() }

  private func picture(_ model: Model) -> String { view(model).buffer.lines.map { $0 + "\n" }.joined() }

  @Test("a slow host, a silent one and one with a hostile name, without colour", arguments: sizes)
  func plain(width: Int, height: Int) throws {
    try expectGolden(picture(HostsFixture.model(width, height)), "hosts-\(width)x\(height)")
  }

  @Test("each look as a letter", arguments: [(120, 36), (80, 24), (40, 12)])
  func coloured(width: Int, height: Int) throws {
    let model = HostsFixture.model(width, height, depth: .trueColor)
    try expectGolden(view(model).buffer.styledPicture, "hosts-\(width)x\(height)-colour")
  }

  @Test("in ASCII, narrowed to a host, and with one host alone")
  func states() throws {
    try expectGolden(picture(HostsFixture.model(80, 24, glyphs: .ascii)), "hosts-80x24-ascii")
    let keys = [KeyPress("j"), KeyPress(.enter)]
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
      var model = HostsFixture.model(width, height, keys: keys)
      model.session.toast = nil
      try expectGolden(picture(model), "hosts-\(width)x\(height)-narrowed")
    }
    try expectGolden(picture(HostsFixture.model(80, 24, hosts: 1)), "hosts-80x24-alone")
  }

  @Test("every size has its frame, with the selected row in view")
  func everySize() {
    for width in stride(from: 20, through: 200, by: 36) {
      for height in stride(from: 5, through: 48, by: 4) {
        let model = HostsFixture.model(width, height, keys: [KeyPress("G")])
        let lines = view(model).buffer.lines
        #expect(lines.count == height)
        #expect(lines.contains { $0.contains("web-03") }, "\(width)x\(height)")
      }
    }
  }
}
