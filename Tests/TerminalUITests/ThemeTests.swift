import Testing

@testable import TerminalUI

@Suite("Theme")
struct ThemeTests {
  @Test("a style keeps what was put into it")
  func packing() {
    let colors: [Color] = [.standard, .palette(0), .palette(255), .rgb(0, 0, 0), .rgb(255, 254, 253)]
    for foreground in colors {
      for background in colors {
        for raw in UInt8(0)..<32 {
          let style = Style(
            foreground: foreground, background: background, attributes: .init(rawValue: raw))
          #expect(style.foreground == foreground)
          #expect(style.background == background)
          #expect(style.attributes.rawValue == raw)
        }
      }
    }
    #expect(Color.rgb(1, 2, 3).kind == .rgb(1, 2, 3))
    #expect(Color.palette(7).kind == .palette(7))
    #expect(Color.standard.kind == .standard)
  }

  @Test("a style over another keeps its own colours and adds attributes")
  func over() {
    let base = Style(foreground: .palette(1), background: .palette(2), attributes: .bold)
    #expect(
      Style(foreground: .palette(3), attributes: .reverse).over(base)
        == Style(foreground: .palette(3), background: .palette(2), attributes: [.bold, .reverse]))
    #expect(Style.plain.over(base) == base)
  }

  @Test("no role uses more colours than the terminal has", arguments: Theme.names + ["nothing"])
  func depths(name: String) {
    for depth in ColorDepth.allCases {
      let theme = Theme(name: name, capabilities: Capabilities(depth: depth))
      for role in Role.allCases {
        for color in [theme[role].foreground, theme[role].background] {
          #expect(color.reduced(to: depth) == color, "\(role) at \(depth)")
        }
      }
    }
  }

  @Test("without colours, what matters is still told apart from text")
  func withoutColour() {
    let theme = Theme(capabilities: Capabilities(depth: .none))
    for role in [Role.alert, .warning, .selection, .dim, .title, .key] {
      #expect(theme[role] != theme[.text], "\(role)")
    }
  }

  @Test(
    "24 bits become the nearest of 256 and of 16",
    arguments: [
      (Color.rgb(255, 0, 0), 196 as UInt8, 1 as UInt8), (.rgb(0, 0, 0), 16, 0), (.rgb(128, 128, 128), 244, 8),
      (.rgb(255, 255, 255), 231, 15), (.rgb(50, 140, 230), 68, 12),
    ])
  func reduction(color: Color, of256: UInt8, of16: UInt8) {
    #expect(color.reduced(to: .indexed256) == .palette(of256))
    #expect(color.reduced(to: .indexed16) == .palette(of16))
    #expect(color.reduced(to: .none) == .standard)
  }

  @Test("the ASCII tier is made of ASCII, and every sign of ours has a stand-in where only ASCII arrives")
  func asciiSigns() {
    let signs = Signs(tier: .ascii)
    let all =
      [
        signs.horizontal, signs.vertical, signs.selected, signs.expanded, signs.collapsed, signs.marker,
        signs.live, signs.frozen, signs.gap, signs.limit, signs.ellipsis, signs.rotated, signs.breaker,
        signs.above, signs.silent, signs.arrow, signs.plusMinus, signs.barFull, signs.barEmpty,
      ] + signs.sparks
    #expect(all.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } })
    let box = picture(9, 1, repertoire: .ascii) { $0.write("┌─│┤▾▸…▁█", at: Position(x: 0, y: 0)) }
    #expect(box == ["+-||v>~_#"])
  }

  @Test("series go round")
  func series() {
    let theme = Theme()
    #expect(theme.series(0) == theme[.series1])
    #expect(theme.series(7) == theme[.series2])
    #expect(theme.series(.min) != .plain)
  }
}

@Suite("Headless terminal")
struct HeadlessBackendTests {
  @Test("keeps the picture, the commands and what a difference would have cost")
  func headless() {
    adoptUTF8()
    let terminal = HeadlessBackend(size: Size(width: 4, height: 1))
    var buffer = Buffer(size: terminal.size)
    buffer.write("ab", at: Position(x: 1, y: 0))
    terminal.present(buffer, cursor: Position(x: 3, y: 0))
    terminal.present(buffer, cursor: nil)
    terminal.perform(.mouse(false))
    terminal.feed([.resize(Size(width: 9, height: 9)), .focus(true)])
    #expect(terminal.shown.lines == [" ab "])
    #expect(terminal.written == [2, 0])
    #expect(terminal.cursor == nil)
    #expect(terminal.commands == [.mouse(false)])
    #expect(terminal.readEvents(now: 0).events == [.resize(Size(width: 9, height: 9)), .focus(true)])
    #expect(terminal.readEvents(now: 0).events == [])
    #expect(terminal.size == Size(width: 9, height: 9))
  }
}
