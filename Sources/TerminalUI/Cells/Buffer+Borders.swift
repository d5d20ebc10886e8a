/// The directions in which a border character has lines.
struct BorderArms: OptionSet, Hashable {
  let rawValue: UInt8

  static let up = BorderArms(rawValue: 1)
  static let down = BorderArms(rawValue: 2)
  static let left = BorderArms(rawValue: 4)
  static let right = BorderArms(rawValue: 8)

  /// Border characters, indexed by raw value.
  private static let signs: [Unicode.Scalar] = [
    " ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼",
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// - Returns: `nil` for a character that is not a border.
  init?(sign: UInt32, tier: GlyphTier) {
    switch (tier, Unicode.Scalar(sign)) {
    case (_, " "): self = []
    case (.ascii, "-"): self = [.left, .right]
    case (.ascii, "|"): self = [.up, .down]
    case (.ascii, "+"): self = [.up, .down, .left, .right]
    case (_, let scalar?):
      guard let index = Self.signs.firstIndex(of: scalar) else { return nil }
      self.init(rawValue: UInt8(index))
    case (_, nil): return nil
    }
  }

  func sign(tier: GlyphTier) -> Unicode.Scalar {
    guard tier == .ascii else { return Self.signs[Int(rawValue & 15)] }
    return isSubset(of: [.left, .right]) ? "-" : isSubset(of: [.up, .down]) ? "|" : "+"
  }
}

extension Buffer {
  /// Draws a part of a border; joins it with any border that is already there.
  mutating func join(_ arms: BorderArms, x: Int, y: Int, style: Style, tier: GlyphTier) {
    guard let known = BorderArms(sign: self[x, y].scalars.0, tier: tier) else { return }
    put(Cell(base: known.union(arms).sign(tier: tier), style: style), x: x, y: y)
  }
}
