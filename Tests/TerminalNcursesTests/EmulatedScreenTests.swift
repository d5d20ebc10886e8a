import Foundation
import TerminalUI
import TestSupport
import Testing

/// The terminal that the tests trust is itself tested, by hand and against another one.
@Suite("Emulated screen")
struct EmulatedScreenTests {
  private func screen(_ text: String, width: Int = 10, height: Int = 3) -> EmulatedScreen {
    var screen = EmulatedScreen(size: Size(width: width, height: height))
    screen.feed(text.utf8)
    return screen
  }

  @Test(
    arguments: [
      ("abc\u{1B}[2;3Hx", "abc       |  x       |          "),
      ("0123456789x", "0123456789|x         |          "),
      ("\u{1B}[?7l0123456789x", "012345678x|          |          "),
      ("漢字\u{1B}[1;2Hx", " x字      |          |          "),
      ("\u{1B}[1;10H漢", "          |漢        |          "),
      ("abcdef\u{1B}[1;2H\u{1B}[2P", "adef      |          |          "),
      ("abcdef\u{1B}[1;2H\u{1B}[2@", "a  bcdef  |          |          "),
      ("abcdef\u{1B}[1;3H\u{1B}[K\u{1B}[2X", "ab        |          |          "),
      ("abc\u{1B}[1;2H\u{1B}[1K", "  c       |          |          "),
      ("abc\r\nd\u{1B}[1;2H\u{1B}[J", "a         |          |          "),
      ("=\u{1B}[4b", "=====     |          |          "),
      ("1\r\n2\r\n3\r\n4", "2         |3         |4         "),
      ("1\r\n2\r\n3\u{1B}[2;3r\u{1B}[3;1H\n4\u{1B}[1;3r", "1         |3         |4         "),
      ("1\r\n2\r\n3\u{1B}[S\u{1B}[1;1H\u{1B}[L", "          |2         |3         "),
      ("1\r\n2\r\n3\u{1B}[T\u{1B}[2;1H\u{1B}[M", "          |2         |          "),
      ("1\r\n2\u{1B}[1;1H\u{1B}M0", "0         |1         |2         "),
      ("a\tb", "a       b |          |          "),
    ])
  func `Draws as an xterm does`(bytes: String, picture: String) {
    let screen = screen(bytes)
    #expect(screen.rows.joined(separator: "|") == picture)
    #expect(screen.violations == [])
  }

  @Test(
    arguments: [
      "\u{1B}]0;title\u{07}", "\u{1B}[6n", "\u{1B}[c", "\u{1B}c", "\u{07}", "\u{0E}", "\u{9B}31m",
      "\u{202E}x",
      "\u{200B}", "\u{E0041}", "\u{1B}P+q\u{1B}\\", "\u{1B}[?1049h\u{1B}[?1049h", "\u{1B}(0", "\u{1B}[3;5r",
      "\u{1B}[38;5m",
    ])
  func `Takes down what the program must not send`(bytes: String) {
    #expect(screen(bytes).violationCount > 0)
  }

  @Test(arguments: [[0x9B], [0xC0, 0xAF], [0xE0, 0x80, 0x9B], [0xED, 0xA0, 0x80], [0xC3, 0x28], [0xFF]])
  func `Takes down bytes that are no UTF-8`(bytes: [UInt8]) {
    var screen = EmulatedScreen(size: Size(width: 10, height: 2))
    screen.feed(bytes + [0x61])
    #expect(screen.violationCount > 0)
  }

  @Test func `Of the hostile control sequences only those pass that the program itself may send`() {
    let passed = HostileStrings.controls.filter {
      let screen = screen($0)
      return screen.violationCount == 0 && screen.state == .ground
    }
    let own = ["[2J", "[31mred", "[?25h", "[?1000h", "[?2004l", "[1;1H", "[99B", "[1;2r", "[10b", "M"].map {
      "\u{1B}" + $0
    }
    #expect(passed == own + ["a\rb", "a\u{8}\u{8}b", "a\tb", "a\nb"])
  }

  @Test func `Knows what a full-screen program leaves behind`() {
    var screen = screen(
      "before\u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004hinside", width: 20)
    #expect(screen.contains("inside"))
    #expect(!screen.isAsAtStart)
    screen.feed(
      "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?1049l\u{1B}[23;0;0t\u{1B}[?12l\u{1B}[?25h"
        .utf8)
    #expect(screen.isAsAtStart)
    #expect(screen.row(0) == "before              ")
    #expect(screen.violations == [])
  }

  /// True if the other emulator is there; `make test` installs it.
  private static let hasPyte = (try? ChildProcess("python3", ["-c", "import pyte"]).wait()) == .exited(0)

  @Test(.enabled(if: hasPyte, "python3-pyte is not installed"))
  func `Draws what pyte draws, byte for byte of a real program`() throws {
    let folder = try TemporaryFolder()
    // ncurses takes a smaller one for one of 24 rows at first, and names all of them to it.
    let terminal = try PseudoTerminal(
      [try ChildProcess.program("terminal-probe"), "wait"], size: Size(width: 80, height: 24))
    for key in ["a", "\u{1B}[A", "é", "漢"] {
      terminal.send(key)
      #expect(terminal.waitFor("key("))
    }
    // The end of a picture; what follows gives the terminal back.
    _ = terminal.wait(0.2) { false }
    let path = folder.path("output")
    try Data(terminal.output).write(to: URL(fileURLWithPath: path))
    let program = """
      import pyte, sys
      screen = pyte.Screen(80, 24)
      # pyte knows no character repetition and no title stack.
      pyte.ByteStream(screen).feed(open(sys.argv[1], 'rb').read().replace(b'\\x1b[22;0;0t', b''))
      sys.stdout.write('\\n'.join(screen.display))
      """
    let output = folder.path("picture")
    #expect(
      try ChildProcess(
        "python3", ["-c", program, path], environment: ["PYTHONIOENCODING": "utf-8"], output: output
      )
      .wait() == .exited(0))
    let picture = try String(contentsOfFile: output, encoding: .utf8)
    #expect(
      picture.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        == terminal.screen.rows)
    #expect(terminal.screen.violations == [])
  }
}
