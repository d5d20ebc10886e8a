import Foundation

/// Texts made of characters that break naive quoting.
package enum OddText {
  private static let signs = Array(
    "'\"\\`$()%&<>;|!#*?~=+-@, \t\n\r\u{1B}\u{7}\u{7F}\u{9B}\u{85}\u{301}\u{200D}\u{202E}\u{2028}\u{FEFF}aZ09ü漢\u{1F600}[]{}"
      .unicodeScalars)

  /// Up to twelve scalars: mostly those, and occasionally any other except NUL.
  package static func text(_ generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let usual = signs[Int.random(in: 0..<signs.count, using: &generator)]
      let any = Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &generator)) ?? usual
      text.append(Int.random(in: 0...9, using: &generator) == 0 ? any : usual)
    }
    return String(text)
  }

  /// Generates 4,000 texts, or the number in `TEXTS`, in batches of 2,000.
  package static func forEachBatch(seed: UInt64, _ body: ([String]) throws -> Void) rethrows {
    var generator = SeededGenerator(seed: seed)
    var left = ProcessInfo.processInfo.environment["TEXTS"].flatMap(Int.init) ?? 4_000
    while left > 0 {
      let count = min(2_000, left)
      try body((0..<count).map { _ in text(&generator) })
      left -= count
    }
  }
}
