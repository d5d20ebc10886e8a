internal import CNcurses
internal import TerminalUI

/// The color pairs of ncurses, allocated on first use and reallocated when all are in use.
struct ColorPairs {
  private var pairs: [UInt64: Int32] = [:]
  /// The upper bound of pair numbers, exclusive.
  private let limit: Int32
  /// The greatest color depth that can be sent to the terminal.
  private let depth: ColorDepth
  /// Number of indexed colors.
  private let indexed: Int
  private let make: (_ pair: Int32, _ foreground: Int32, _ background: Int32) -> Bool
  /// True if a style got no pair since the last frame.
  private var isFull = false
  /// True if reallocation can help, which it cannot if a single frame needs more pairs than there are.
  private var mayRecycle = true

  init(
    depth: ColorDepth, indexed: Int, limit: Int32,
    make: @escaping (Int32, Int32, Int32) -> Bool = { shim_init_pair($0, $1, $2) != ERR }
  ) {
    (self.depth, self.indexed, self.limit, self.make) = (depth, min(256, indexed), limit, make)
  }

  /// The pair of a style; the terminal's own colors if no pair is left.
  mutating func pair(_ style: Style) -> Int32 {
    guard depth != .none else { return 0 }
    let foreground = number(style.foreground)
    let background = number(style.background)
    guard foreground >= 0 || background >= 0 else { return 0 }
    let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
    if let known = pairs[key] { return known }
    let next = Int32(pairs.count) + 1
    guard next < limit, make(next, foreground, background) else {
      isFull = true
      return 0
    }
    pairs[key] = next
    return next
  }

  /// Frees all pairs if a style of this frame got none.
  ///
  /// - Returns: True if the whole frame must be redrawn, because its pairs now mean other colors.
  mutating func recycle() -> Bool {
    guard isFull, mayRecycle else { return false }
    (isFull, mayRecycle) = (false, false)
    pairs.removeAll(keepingCapacity: true)
    return true
  }

  /// Records that a frame is drawn.
  mutating func endFrame() { (isFull, mayRecycle) = (false, !isFull) }

  /// The number of a color in ncurses: -1 for the terminal's own, an index below 256, or 24 bits.
  private func number(_ color: Color) -> Int32 {
    switch color.reduced(to: depth).kind {
    case .standard: return -1
    case .palette(let index) where index < indexed: return Int32(index)
    // With eight colors, bright ones become their plain counterparts, but never black.
    case .palette(let index): return (9..<15).contains(index) ? Int32(index) - 8 : -1
    // The darkest blues are shifted up, because numbers below 256 are indices.
    case .rgb(let red, let green, let blue):
      return max(256, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
    }
  }
}
