import Testing

@testable import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes that must never reach a terminal, written down again here so that the allowlist is checked from outside.
private func isForbidden(_ value: UInt32) -> Bool {
  switch value {
  case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x180E, 0x115F, 0x1160, 0x3164, 0xFFA0, 0xFEFF: return true
  case 0x200B...0x200F, 0x202A...0x202E, 0x2028...0x2029, 0x2060...0x2069, 0xFFF9...0xFFFB: return true
  case 0xFE00...0xFE0F, 0xE0000...0xE0FFF, 0xFDD0...0xFDEF, 0xE000...0xF8FF, 0xF0000...0x10FFFF:
    return true
  default: return value & 0xFFFE == 0xFFFE
  }
}

@Suite("Safe text")
struct SafeTextTests {
  init() { adoptUTF8() }

  @Test func `A row of a table has tabs between its cells alone`() {
    #expect(SafeText.row(["c\td", "1\n2", "e"]).unicodeScalars.filter { $0 == "\t" }.count == 2)
    #expect(!SafeText.row(["1\n2"]).contains("\n") && SafeText.row([]) == "")
  }

  @Test("every one of the 1,114,112 code points is drawn as itself or as one mark")
  func allCodePoints() {
    var wrong: [UInt32] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let cluster = SafeText.cluster(of: Character(scalar), repertoire: .unicode)
      let (base, first, second) = cluster.first.scalars
      let isMark = base == 0xFFFD
      let isItself = base == value && !isForbidden(value) && cluster.width == max(1, cluster.first.width)
      let isFlagLetter = (0x1F1E6...0x1F1FF).contains(value) && base == value - 0x1F1E6 + 0x41
      let isOne = cluster.rest.isEmpty && first == 0 && second == 0 && (1...2).contains(cluster.width)
      if !isOne || !(isMark || isItself || isFlagLetter) { wrong.append(value) }
    }
    #expect(wrong == [])
  }

  @Test("every code point drawn has the width that libc gives it, so ncurses and we agree")
  func widthsAgreeWithLibc() {
    var wrong: [UInt32] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), let columns = SafeText.columns(of: scalar) else { continue }
      if Int32(columns) != libcWidth(value) { wrong.append(value) }
    }
    #expect(wrong == [])
  }

  @Test("where only ASCII arrives, every code point becomes one ASCII sign")
  func asciiRepertoire() {
    let wrong = (UInt32(0)...0x10FFFF).filter { value in
      guard let scalar = Unicode.Scalar(value) else { return false }
      let cluster = SafeText.cluster(of: Character(scalar), repertoire: .ascii)
      return !(0x20..<0x7F).contains(cluster.first.scalars.0) || cluster.width != 1
    }
    #expect(wrong == [])
  }

  @Test("each of the 256 bytes alone is one visible column", arguments: [Repertoire.unicode, .ascii])
  func rawBytes(repertoire: Repertoire) {
    for byte in UInt8.min...UInt8.max {
      let lines = picture(4, 1, repertoire: repertoire) {
        $0.write(bytes: [0x61, byte, 0x62], at: Position(x: 0, y: 0))
      }
      let middle = repertoire == .ascii ? "?" : "\u{FFFD}"
      let visible = (0x20..<0x7F).contains(byte) ? String(Character(Unicode.Scalar(byte))) : middle
      #expect(lines == ["a\(visible)b "], "byte \(byte)")
    }
  }

  @Test("hostile sequences are drawn and not obeyed", arguments: hostile)
  func hostileText(text: String) {
    let lines = picture(80, 1) { $0.write(text, at: Position(x: 0, y: 0)) }
    let scalars = lines.joined().unicodeScalars
    #expect(!scalars.contains { isForbidden($0.value) })
    #expect(scalars.contains("\u{FFFD}"))
    #expect(SafeText.sanitized(text).unicodeScalars.allSatisfy { !isForbidden($0.value) })
  }

  @Test(
    "columns of text",
    arguments: [
      ("", 0), ("abc", 3), ("größe", 5), ("漢字", 4), ("e\u{301}", 1), ("สวัสดี", 4), ("👍🏽", 2),
      ("👨‍👩‍👧", 2), ("🇫🇮", 2), ("❤️", 1), ("a\tb", 3), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
      ("\u{301}", 1), ("1\u{FE0F}\u{20E3}", 1), ("ｱ", 1), ("\u{3000}", 2),
    ])
  func columns(text: String, columns: Int) {
    #expect(SafeText.width(of: text) == columns)
  }

  @Test("of a family only its first member is drawn, of a flag its letters, a skin colour is left out")
  func emoji() {
    #expect(SafeText.sanitized("👨‍👩‍👧") == "👨")
    #expect(SafeText.sanitized("🇫🇮") == "FI")
    #expect(SafeText.sanitized("👍🏽") == "👍")
    #expect(SafeText.sanitized("a\u{200D}b") == "a\u{FFFD}b")
    #expect(SafeText.sanitized("a\u{FE0F}") == "a\u{FFFD}")
  }

  @Test("4,000 combining marks fill one cell and no more")
  func manyMarks() {
    let lines = picture(4, 1) {
      $0.write("a" + String(repeating: "\u{301}", count: 4000) + "b", at: Position(x: 0, y: 0))
    }
    #expect(lines == ["a\u{301}\u{301}b  "])
  }

  @Test("20,000 random texts stay in their box and hold nothing forbidden")
  func randomTexts() {
    var random = Seeded(state: 17)
    let nasty: [UInt32] = [
      0x1B, 0x9B, 0x200D, 0xFE0F, 0x1F3FD, 0x1F468, 0x1F1EB, 0x301, 0x94D, 0x915, 0x1100, 0x1161, 0x11A8,
      0x202E, 0x6F22, 0xE0041, 0x20E3, 0x31, 0x600, 0x0D, 0x0A,
    ]
    for _ in 0..<20_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let value =
          Bool.random(using: &random)
          ? nasty.randomElement(using: &random) ?? 0 : UInt32.random(in: 0...0x1FFFF, using: &random)
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      var buffer = Buffer(size: Size(width: 12, height: 1))
      buffer.write("|          |", at: Position(x: 0, y: 0))
      let used = buffer.write(
        String(text), at: Position(x: 1, y: 0), limit: 10,
        overflow: Bool.random(using: &random) ? .clip : .ellipsis)
      let scalars = buffer.lines[0].unicodeScalars
      #expect(used <= 10 && buffer[0, 0].text == "|" && buffer[11, 0].text == "|")
      #expect(!scalars.contains { isForbidden($0.value) || (0x1F3FB...0x1F3FF).contains($0.value) })
      #expect(scalars.reduce(0) { $0 + Int(libcWidth($1.value)) } == 12, "\(Array(text))")
    }
  }

  @Test(
    "cutting keeps clusters whole and says that something is missing",
    arguments: [
      ("abcdef", 4, "abc…"), ("abcd", 4, "abcd"), ("漢字漢", 4, "漢…"), ("漢字", 4, "漢字"),
      ("漢字", 3, "漢…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("ab", 1, "…"), ("ab", 0, ""),
      ("漢字", 1, "…"),
    ])
  func truncation(text: String, columns: Int, result: String) {
    #expect(SafeText.truncated(text, to: columns) == result)
    #expect(SafeText.width(of: SafeText.truncated(text, to: columns)) <= columns)
  }
}

/// Sequences that move, copy, ask, rename, hide or overwrite where they are obeyed.
private let hostile: [String] =
  [
    "\u{1B}]52;c;cm0gLXJm\u{7}", "\u{1B}]0;title\u{7}", "\u{1B}]8;;http://x\u{1B}\\link",
    "\u{1B}Pq#0\u{1B}\\",
    "\u{1B}_Gf=100;\u{1B}\\", "\u{1B}^private\u{1B}\\", "\u{1B}[6n", "\u{1B}[c", "\u{1B}[>c", "\u{1B}c",
    "\u{1B}[2J", "\u{1B}[H", "\u{1B}[31m", "\u{1B}[?1049l", "\u{1B}[?1000h", "\u{1B}]unterminated", "\u{E}so",
    "\u{F}si", "\u{7}bell", "safe\rEVIL", "safe\u{8}\u{8}", "a\nb", "a\u{B}b", "a\u{C}b", "tab\tstop",
    "nul\0", "del\u{7F}", "\u{9B}31m", "\u{9D}52;c;x\u{9C}", "\u{90}q\u{9C}", "\u{85}next", "\u{8D}up",
    "\u{1B}(0lqk", "\u{1B}#8", "\u{1B}[5i", "\u{1B}[?5h", "\u{1B}[999;999H", "\u{1B}[1;1r", "\u{1B}Z",
    "\u{1B}[21t", "\u{1B}]4;0;?\u{7}", "\u{1B}]10;?\u{7}", "\u{1B}]1337;File=:x\u{7}", "\u{1B}[200~paste",
    "\u{1B}[0c", "\u{18}\u{1A}", "\u{5}enq", "user\u{202E}gnp.exe", "\u{202D}over", "\u{2066}iso\u{2069}",
    "\u{200E}\u{200F}", "zero\u{200B}width", "\u{2060}join", "\u{FEFF}bom", "tag\u{E0041}\u{E007F}",
    "soft\u{AD}hyphen", "\u{3164}filler", "\u{E000}private", "\u{FFFE}non", "\u{2028}line",
  ]
