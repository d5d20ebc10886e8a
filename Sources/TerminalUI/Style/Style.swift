/// The style of a cell: two colors and attributes, packed into one word.
package struct Style: Hashable, Sendable {
  /// Attributes that every terminal of recent decades supports or ignores.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
  }

  // 0..<26 foreground, 26..<52 background, 52..<60 attributes.
  private(set) var bits: UInt64

  package init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    bits = UInt64(foreground.bits) | UInt64(background.bits) << 26 | UInt64(attributes.rawValue) << 52
  }

  /// The terminal's own colors, without attributes.
  package static let plain = Style()

  package var foreground: Color {
    get { Color(bits: UInt32(truncatingIfNeeded: bits & 0x3FF_FFFF)) }
    set { bits = bits & ~0x3FF_FFFF | UInt64(newValue.bits) }
  }

  package var background: Color {
    get { Color(bits: UInt32(truncatingIfNeeded: bits >> 26 & 0x3FF_FFFF)) }
    set { bits = bits & ~(0x3FF_FFFF << 26) | UInt64(newValue.bits) << 26 }
  }

  package var attributes: Attributes {
    get { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 52)) }
    set { bits = bits & ~(0xFF << 52) | UInt64(newValue.rawValue) << 52 }
  }

  /// The same style with more attributes.
  package func adding(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// The same style with another background.
  package func on(_ background: Color) -> Style {
    var style = self
    style.background = background
    return style
  }

  /// This style on top of another: standard colors let the other's through, attributes are combined.
  package func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .standard ? base.foreground : foreground,
      background: background == .standard ? base.background : background,
      attributes: attributes.union(base.attributes))
  }
}
