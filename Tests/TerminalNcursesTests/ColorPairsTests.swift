import TerminalUI
import Testing

@testable import TerminalNcurses

@Suite("Color pairs")
struct ColorPairsTests {
  /// A terminal that takes down which pairs are made.
  private final class Made {
    var pairs: [[Int32]] = []
  }

  private let made = Made()

  private func pairs(_ depth: ColorDepth = .trueColor, indexed: Int = 256, limit: Int32 = 1 << 16)
    -> ColorPairs
  {
    ColorPairs(depth: depth, indexed: indexed, limit: limit) { [made] in
      made.pairs.append([$0, $1, $2])
      return true
    }
  }

  static let numbers: [(Color, ColorDepth, Int, Int32)] = [
    (.palette(9), .trueColor, 256, 9), (.palette(200), .trueColor, 256, 200), (.palette(9), .trueColor, 8, 1),
    (.palette(7), .indexed16, 8, 7), (.palette(14), .indexed16, 8, 6), (.palette(9), .indexed16, 16, 9),
    (.rgb(1, 2, 3), .trueColor, 256, 0x010203), (.rgb(255, 255, 255), .trueColor, 8, 0xFFFFFF),
    (.rgb(0, 0, 7), .trueColor, 256, 256), (.rgb(0, 1, 0), .trueColor, 256, 256),
    (.rgb(255, 0, 0), .indexed256, 256, 196), (.rgb(241, 76, 76), .indexed16, 8, 1),
  ]

  @Test("a color has the number that the terminal's entry gives it", arguments: numbers)
  func number(color: Color, depth: ColorDepth, indexed: Int, number: Int32) {
    var pairs = pairs(depth, indexed: indexed)
    #expect(pairs.pair(Style(foreground: color)) == 1)
    #expect(pairs.pair(Style(background: color)) == 2)
    #expect(made.pairs == [[1, number, -1], [2, -1, number]])
  }

  @Test("what a terminal of eight colors lacks is in its own: no black letters on black")
  func lacking() {
    var pairs = pairs(.indexed16, indexed: 8)
    for index in [8, 15] as [UInt8] { #expect(pairs.pair(Style(foreground: .palette(index))) == 0) }
    #expect(made.pairs.isEmpty)
  }

  @Test("a pair is made once, and there is none without colors")
  func once() {
    var pairs = pairs()
    let style = Style(foreground: .rgb(9, 9, 9), background: .palette(4))
    for same in [style, style, style.adding(.bold)] { #expect(pairs.pair(same) == 1) }
    #expect(pairs.pair(.plain) == 0)
    #expect(made.pairs.count == 1)
    var none = self.pairs(.none)
    #expect(none.pair(style) == 0)
  }

  private func style(_ number: Int) -> Style {
    Style(foreground: .rgb(1, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)))
  }

  @Test("when all are taken, a frame is drawn again with numbers from the first on")
  func recycled() {
    var pairs = pairs(limit: 101)
    for number in 0..<100 { #expect(pairs.pair(style(number)) == Int32(number + 1)) }
    #expect(pairs.recycle() == false)
    pairs.endFrame()
    #expect(pairs.pair(style(100)) == 0)
    #expect(pairs.recycle() == true)
    #expect(pairs.pair(style(100)) == 1)
    #expect(pairs.pair(style(0)) == 2)
    #expect(pairs.recycle() == false)
    pairs.endFrame()
    #expect(pairs.pair(style(1)) == 3)
  }

  @Test("a frame that needs more than there are is drawn twice once, and not for ever")
  func overfull() {
    var pairs = pairs(limit: 11)
    var redrawn = 0
    for _ in 0..<100 {
      for number in 0..<20 { _ = pairs.pair(style(number)) }
      if pairs.recycle() {
        redrawn += 1
        for number in 0..<20 { _ = pairs.pair(style(number)) }
      }
      pairs.endFrame()
    }
    #expect(redrawn == 1)
    // One that fits lifts the ban.
    #expect(pairs.pair(style(0)) > 0)
    pairs.endFrame()
    #expect(pairs.pair(style(15)) == 0)
    #expect(pairs.recycle() == true)
  }
}
