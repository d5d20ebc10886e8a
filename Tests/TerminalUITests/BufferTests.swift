import Testing

@testable import TerminalUI

private let origin = Position(x: 0, y: 0)

@Suite("Buffer")
struct BufferTests {
  init() { adoptUTF8() }

  @Test("overwriting either half of a wide sign blanks the other half")
  func halves() {
    #expect(
      picture(4, 1) {
        $0.write("漢字", at: origin); $0.write("x", at: origin)
      } == ["x 字"])
    #expect(
      picture(4, 1) {
        $0.write("漢字", at: origin); $0.write("x", at: Position(x: 1, y: 0))
      } == [" x字"])
    #expect(
      picture(4, 1) {
        $0.write("漢字", at: origin); $0.write("語", at: Position(x: 1, y: 0))
      } == [" 語 "])
    #expect(
      picture(4, 1) {
        $0.write("漢字", at: origin); $0.fill(Rect(x: 1, y: 0, width: 2, height: 1))
      }
        == ["    "])
  }

  @Test("a wide sign that has only the last column is not drawn")
  func wideAtTheEdge() {
    #expect(picture(3, 1) { $0.write("漢字", at: origin) } == ["漢 "])
    #expect(picture(1, 1) { $0.write("漢", at: origin) } == [" "])
  }

  @Test("text left of the buffer, below it and without room leaves no trace")
  func outside() {
    #expect(picture(3, 1) { $0.write("abcd", at: Position(x: -2, y: 0)) } == ["cd "])
    #expect(picture(3, 1) { $0.write("abc", at: Position(x: 0, y: 5)) } == ["   "])
    #expect(picture(3, 1) { $0.write("abc", at: Position(x: 9, y: 0)) } == ["   "])
    #expect(picture(3, 1) { $0.write("abc", at: origin, limit: -4) } == ["   "])
    #expect(picture(0, 0) { $0.write("abc", at: origin) } == [])
    #expect(picture(3, 1) { $0.write("漢字", at: Position(x: -1, y: 0)) } == [" 字"])
  }

  @Test(
    "an ellipsis stands where text was cut",
    arguments: [
      ("abcdef", 4, "abc… "), ("漢字語", 4, "漢…  "), ("漢字語", 5, "漢字…"), ("abcd", 4, "abcd "),
      ("ab", 1, "…    "), ("漢字", 1, "…    "),
    ])
  func ellipsis(text: String, limit: Int, row: String) {
    #expect(picture(5, 1) { $0.write(text, at: origin, limit: limit, overflow: .ellipsis) } == [row])
  }

  @Test("in the ASCII tier the cut is marked in ASCII")
  func asciiEllipsis() {
    var buffer = Buffer(size: Size(width: 4, height: 1), glyphs: .ascii)
    buffer.write("größer", at: origin, overflow: .ellipsis)
    #expect(buffer.lines == ["grö~"])
  }

  @Test("a line of several styles is cut as one text")
  func styledLine() {
    let line: Line = [Span("ab"), Span("cd"), Span("ef")]
    for (limit, row) in [
      (6, "abcdef"), (5, "abcd… "), (4, "abc…  "), (3, "ab…   "), (1, "…     "), (0, "      "),
    ] {
      #expect(picture(6, 1) { $0.write(line, at: origin, limit: limit, overflow: .ellipsis) } == [row])
    }
    #expect(picture(6, 1) { $0.write(line, endingAt: 6, y: 0, limit: 3) } == ["   ab…"])
  }

  @Test("the runs of a difference, applied to the old picture, give the new one")
  func differences() {
    var random = Seeded(state: 7)
    for _ in 0..<300 {
      let size = Size(
        width: Int.random(in: 0...24, using: &random), height: Int.random(in: 0...4, using: &random))
      let old = scribble(on: Buffer(size: size), using: &random)
      let new = scribble(on: old, using: &random)
      let runs = new.diff(from: old)
      #expect(apply(runs, of: new, to: old) == new)
      #expect(runs.allSatisfy { !new[$0.x, $0.y].isContinuation })
      #expect(runs.allSatisfy { !new[$0.x + $0.count, $0.y].isContinuation })
    }
  }

  @Test("no picture holds half of a wide sign, whatever is written over it")
  func noHalves() {
    var random = Seeded(state: 11)
    var buffer = Buffer(size: Size(width: 17, height: 3))
    for _ in 0..<500 {
      buffer = scribble(on: buffer, using: &random)
      for y in 0..<3 {
        for x in 0..<17 {
          #expect(buffer[x, y].isWide == buffer[x + 1, y].isContinuation)
        }
      }
      #expect(buffer.lines.allSatisfy { SafeText.width(of: $0) == 17 })
    }
  }

  @Test("equal pictures differ nowhere, pictures of other sizes everywhere")
  func trivialDifferences() {
    let buffer = Buffer(size: Size(width: 3, height: 2))
    #expect(buffer.diff(from: buffer) == [])
    #expect(buffer.diff(from: Buffer(size: .zero)).map(\.count) == [3, 3])
    #expect(Buffer(size: .zero).diff(from: buffer) == [])
  }

  @Test(
    "of a picture that is larger than the screen only what the screen has is drawn",
    arguments: [
      (CellRun(x: 2, y: 1, count: 3), 2..<5), (CellRun(x: 8, y: 1, count: 5), 8..<10),
      (CellRun(x: 10, y: 1, count: 5), 10..<10), (CellRun(x: 60, y: 1, count: 5), 60..<60),
      (CellRun(x: 2, y: 4, count: 3), 2..<2),
    ])
  func columns(run: CellRun, columns: Range<Int>) {
    #expect(run.columns(within: Size(width: 10, height: 4)) == columns)
  }

  @Test("the picture with colours resets at the end of a row")
  func ansi() {
    var buffer = Buffer(size: Size(width: 3, height: 2))
    buffer.write("ab", at: origin, style: Style(foreground: .rgb(255, 0, 0), attributes: .bold))
    let red = "\u{1B}[0;1;38;2;255;0;0mab\u{1B}[0m \n   \n"
    #expect(buffer.ansi(depth: .trueColor) == red)
    #expect(buffer.ansi(depth: .indexed256) == red.replacing("38;2;255;0;0", with: "38;5;196"))
    #expect(buffer.ansi(depth: .indexed16) == red.replacing("38;2;255;0;0", with: "31"))
    #expect(buffer.ansi(depth: .none) == "\u{1B}[0;1mab\u{1B}[0m \n   \n")
  }

  @Test("the picture of looks names each with a letter")
  func looks() {
    var buffer = Buffer(size: Size(width: 4, height: 1))
    buffer.write("ab", at: origin, style: Style(foreground: .palette(3), background: .rgb(0, 16, 255)))
    #expect(buffer.styledPicture == "ab  \n\naa..\n\na = palette 3 on #0010ff\n")
  }

  @Test("as SVG it has one text a look, escaped and placed by column")
  func svg() {
    var buffer = Buffer(size: Size(width: 4, height: 1))
    buffer.write("<&>", at: Position(x: 1, y: 0), style: Style(foreground: .rgb(1, 2, 3)))
    let svg = buffer.svg()
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"51.2\" height=\"36\""))
    #expect(
      svg.contains("<text x=\"17.8\" y=\"22.5\" textLength=\"23.4\" fill=\"#010203\">&lt;&amp;&gt;</text>"))
    #expect(svg.hasSuffix("</g>\n</svg>\n"))
    #expect(buffer.svg(theme: Theme(name: "light")).contains("rx=\"6\" fill=\"#ffffff\""))
  }

  private func scribble(on buffer: Buffer, using random: inout Seeded) -> Buffer {
    var buffer = buffer
    let words = ["a", "漢字", "e\u{301}", "👍", "xyz", "漢", "\u{7}", "─│"]
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let style = Style(foreground: .palette(UInt8.random(in: 0...3, using: &random)))
      let place = Position(
        x: Int.random(in: -3...25, using: &random), y: Int.random(in: -1...4, using: &random))
      if Int.random(in: 0...4, using: &random) == 0 {
        buffer.fill(Rect(x: place.x, y: place.y, width: 3, height: 2), style: style)
      } else {
        buffer.write(words.randomElement(using: &random) ?? "", at: place, style: style)
      }
    }
    return buffer
  }

  private func apply(_ runs: [CellRun], of new: Buffer, to old: Buffer) -> Buffer {
    var result = old
    for run in runs {
      for x in run.x..<run.x + run.count { result.cells[run.y * old.size.width + x] = new[x, run.y] }
    }
    return result
  }
}
