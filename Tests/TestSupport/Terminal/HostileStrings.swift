/// Text intended to break a terminal.
package enum HostileStrings {
  /// Sequences that a terminal would execute.
  ///
  /// Reports, clipboard, titles, links, resets, character sets, unterminated strings and overwriting, in 7-bit and
  /// 8-bit forms.
  package static let controls: [String] = {
    let escape = "\u{1B}"
    let sevenBit = [
      "[2J", "[31mred", "[6n", "[c", "[>c", "[=c", "[5n", "[?6n", "[18t", "[21t", "[14t", "[8;1;1t", "[3J",
      "[?1049l",
      "[?25h", "[?1000h", "[?2004l", "[1;1H", "[99B", "[4h", "[20h", "[!p", "[1;2r", "[2q", "[10b", "[5i",
      "[4i",
      "]0;title\u{07}", "]2;title\u{1B}\\", "]52;c;aGk=\u{07}", "]52;c;?\u{1B}\\",
      "]8;;http://x.example\u{1B}\\link",
      "]4;1;rgb:ff/00/00\u{07}", "]10;?\u{07}", "]0;no end", "]8;;no end", "P+q544e\u{1B}\\",
      "P$q\"p\u{1B}\\",
      "Pno end", "_apc\u{1B}\\", "^pm\u{1B}\\", "Xsos\u{1B}\\", "c", "7", "8", "D", "M", "E", "Z", "(0lqk",
      ")0", "#8",
      "=", ">", "n", "o", "|", "}", "~",
    ].map { escape + $0 }
    let eightBit = ["9B2J", "9D0;t", "90q", "9F", "9E", "98", "84", "85", "8D", "8E", "8F", "9A", "9C"]
      .map { code -> String in
        let value = UInt32(code.prefix(2), radix: 16) ?? 0
        return (Unicode.Scalar(value).map { String(Character($0)) } ?? "") + code.dropFirst(2)
      }
    let plain = [
      "a\rb", "a\u{08}\u{08}b", "a\tb", "a\nb", "a\u{0B}b", "a\u{0C}b", "\u{0E}lqk\u{0F}", "\u{07}", "\u{05}",
      "\u{18}",
      "\u{1A}", "\u{00}", "\u{7F}", escape, escape + escape, escape + "[",
    ]
    return sevenBit + eightBit + plain
  }()

  /// Every code point that a string can contain, in pieces of `length` each.
  package static func allCodePoints(inPiecesOf length: Int) -> [String] {
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      piece.append(scalar)
      if piece.count == length {
        pieces.append(String(piece))
        piece = String.UnicodeScalarView()
      }
    }
    return piece.isEmpty ? pieces : pieces + [String(piece)]
  }

  /// Bytes of all kinds, mostly invalid UTF-8.
  ///
  /// Every byte by itself and between letters, incomplete sequences, and forbidden forms: overlong, surrogates, beyond
  /// the last code point.
  package static let bytes: [[UInt8]] = {
    var all: [[UInt8]] = (UInt8.min...UInt8.max).flatMap { [[$0], [0x61, $0, 0x62]] }
    for lead in UInt8(0xC0)...0xFF { all.append([lead, 0x80]) }
    all += [
      [0xC0, 0xAF], [0xE0, 0x80, 0x9B], [0xF0, 0x80, 0x80, 0x9B], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x9B, 0x33, 0x31, 0x6D], [0xE2, 0x80], [0xF0, 0x9F, 0x98],
    ]
    return all
  }()

  /// A text of characters of all kinds: letters, wide and joined ones, marks, controls, sequences, anything.
  package static func random(using generator: inout some RandomNumberGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: append(0x20...0x7E, to: &text, &generator)
      case 1: append(0x00...0xA0, to: &text, &generator)
      case 2: append(0x2000...0x206F, to: &text, &generator)
      case 3: append(0x300...0x36F, to: &text, &generator)
      case 4: append(0x4E00...0x9FFF, to: &text, &generator)
      case 5: append(0x1F000...0x1FAFF, to: &text, &generator)
      case 6: append(0...0x10FFFF, to: &text, &generator)
      default:
        let index = Int.random(in: 0..<controls.count, using: &generator)
        text.append(contentsOf: controls[index].unicodeScalars)
      }
    }
    return String(text)
  }

  private static func append(
    _ range: ClosedRange<UInt32>, to text: inout String.UnicodeScalarView,
    _ generator: inout some RandomNumberGenerator
  ) {
    if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
  }
}
