/// Texts of what quoting is usually broken by.
package enum OddText {
  private static let signs = Array(
    "'\"\\`$()%&<>;|!#*?~=+-@, \t\n\r\u{1B}\u{7}\u{7F}\u{9B}\u{85}\u{301}\u{200D}\u{202E}\u{2028}\u{FEFF}aZ09ü漢\u{1F600}[]{}"
      .unicodeScalars)

  /// Up to twelve scalars: mostly those, and now and then any other but NUL.
  package static func text(_ generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let usual = signs[Int.random(in: 0..<signs.count, using: &generator)]
      let any = Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &generator)) ?? usual
      text.append(Int.random(in: 0...9, using: &generator) == 0 ? any : usual)
    }
    return String(text)
  }
}
