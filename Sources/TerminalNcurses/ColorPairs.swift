internal import CNcurses
internal import TerminalUI

/// Pairs of colours as ncurses numbers them, made when first used.
struct ColorPairs {
  private var pairs: [UInt64: Int32] = [:]
  private let limit: Int32
  private let depth: ColorDepth

  init(depth: ColorDepth, limit: Int32) {
    self.depth = depth
    self.limit = limit
  }

  /// The pair of a look; the terminal's own colours when there are no pairs left.
  mutating func pair(_ style: Style) -> Int32 {
    guard depth != .none else { return 0 }
    let foreground = number(style.foreground)
    let background = number(style.background)
    guard foreground >= 0 || background >= 0 else { return 0 }
    let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
    if let known = pairs[key] { return known }
    let next = Int32(pairs.count) + 1
    guard next < limit, shim_init_pair(next, foreground, background) != ERR else { return 0 }
    pairs[key] = next
    return next
  }

  /// ncurses' number of a colour: -1 the terminal's own, an index, or 24 bits on direct terminals.
  private func number(_ color: Color) -> Int32 {
    switch color.reduced(to: depth).kind {
    case .standard: return -1
    case .palette(let index) where depth != .trueColor || index < 8: return Int32(index)
    case .palette:
      let (red, green, blue) = color.components
      return direct(red, green, blue)
    case .rgb(let red, let green, let blue): return direct(red, green, blue)
    }
  }

  /// The first eight numbers of a direct terminal are its named colours, so the darkest blues move up.
  private func direct(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int32 {
    max(8, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
  }
}
