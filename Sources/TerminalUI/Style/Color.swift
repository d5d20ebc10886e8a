/// A color: the terminal's default, one of its 256, or 24 bits.
///
/// Stored in 26 bits so that a whole `Style` fits a machine word and frames compare fast.
package struct Color: Hashable, Sendable {
  /// The components of a color.
  package enum Kind: Hashable, Sendable {
    case standard
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  let bits: UInt32

  /// Unpacks the color from a style's word.
  init(bits: UInt32) { self.bits = bits }

  package static let standard = Color(bits: 0)

  /// One of the terminal's colors: 0 to 15 named, 16 to 231 a cube, 232 to 255 grays.
  package static func palette(_ index: UInt8) -> Color { Color(bits: 1 << 24 | UInt32(index)) }

  /// A 24-bit color.
  package static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  package var kind: Kind {
    let low = UInt8(truncatingIfNeeded: bits)
    switch bits >> 24 {
    case 1: return .palette(low)
    case 2: return .rgb(UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8), low)
    default: return .standard
    }
  }
}
