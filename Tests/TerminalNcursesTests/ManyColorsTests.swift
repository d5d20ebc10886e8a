import TerminalUI
import TestSupport
import Testing

@Suite("Many colors on a terminal")
struct ManyColorsTests {
  @Test("More colors than ncurses has pairs are all drawn, each where it belongs")
  func recycled() throws {
    let size = Size(width: 200, height: 60)
    let terminal = try PseudoTerminal(
      [try ChildProcess.program("terminal-probe"), "colors"], environment: ["COLORTERM": "truecolor"],
      size: size)
    #expect(terminal.waitForEnd(60) == .exited(0))
    #expect(terminal.screen.violations == [])
    // The last of eight frames; pairs were numbered again in one of them.
    let cells = size.width * size.height
    let first = 0x100000 + 7 * cells
    let text = String(decoding: terminal.output, as: UTF8.self)
    for number in stride(from: first, to: first + cells, by: 97) {
      let sequence = "\u{1B}[38;2;\(number >> 16);\(number >> 8 & 255);\(number & 255)m7"
      #expect(text.contains(sequence), "\(number - first)")
    }
  }
}
