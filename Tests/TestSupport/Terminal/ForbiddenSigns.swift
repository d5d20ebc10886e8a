/// The code points that data must never send to a terminal, as listed in the specification.
///
/// Deliberately independent of the program's allowlist, which is tested against it.
package enum ForbiddenSigns {
  private static let ranges: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x061C...0x061C, 0x115F...0x1160, 0x180E...0x180E, 0x200B...0x200F,
    0x2028...0x202E, 0x2060...0x2069, 0x3164...0x3164, 0xD800...0xDFFF, 0xFDD0...0xFDEF, 0xFE00...0xFE0F,
    0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF,
  ]

  /// True if a code point is forbidden.
  package static func contains(_ value: UInt32) -> Bool {
    if value >= 0x20, value < 0x7F { return false }
    return value & 0xFFFE == 0xFFFE || ranges.contains { $0.contains(value) }
  }
}
