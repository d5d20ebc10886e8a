import Foundation
import TerminalUI
import TestSupport
import Testing

/// X1 to X3: whatever text comes in, the terminal sees harmless signs in their places.
extension FaultMatrix {
  @Test func `X1: no code point, byte or random string reaches the terminal but as a visible sign`()
    async throws
  {
    try await Self.row("X1") { run in
      let all = HostileStrings.allCodePoints(inPiecesOf: 40).map { Array($0.utf8) } + HostileStrings.bytes
      for locale in ["C.UTF-8", "C"] {
        try Self.draw(all, locale: locale, into: &run) { _, _ in true }
        try Self.draw(Self.forbidden, locale: locale, into: &run) { _, row in
          // Where only ASCII is drawn, a letter and what extends it are one sign, and so one mark.
          locale == "C" ? row.hasPrefix("|a?b ") || row.hasPrefix("|?b ") : row.hasPrefix("|a\u{FFFD}b ")
        }
      }
      while run.goesOn(by: 25_000) {
        var generator = SeededGenerator(seed: run.seed)
        let texts = (0..<25_000).map { _ in Array(HostileStrings.random(using: &generator).utf8) }
        try Self.draw(texts, locale: run.done % 50_000 == 0 ? "C" : "C.UTF-8", into: &run) { _, _ in true }
      }
      try Self.showInProgram(into: &run)
    }
  }

  @Test func `X1 is red without the allowlist`() async throws {
    try await Self.control("X1", without: "the allowlist") { run in
      var generator = SeededGenerator(seed: 1)
      let texts = (0..<400).map { _ in Array(HostileStrings.random(using: &generator).utf8) }
      try Self.draw(texts, locale: "C.UTF-8", isRaw: true, into: &run) { _, _ in true }
    }
  }

  @Test func `X2: control sequences change no row but their own`() async throws {
    try await Self.row("X2") { run in
      let plain = Array("a plain row".utf8)
      // Whole, and each split over two rows at its middle.
      let halves = HostileStrings.controls.flatMap { text -> [[UInt8]] in
        let bytes = Array(text.utf8)
        return [Array(bytes[..<(bytes.count / 2)]), Array(bytes[(bytes.count / 2)...])]
      }
      let texts =
        HostileStrings.controls.flatMap { [Array($0.utf8), plain] } + halves.flatMap { [$0, plain] }
      while run.goesOn(by: 60) {
        for locale in ["C.UTF-8", "C"] {
          try Self.draw(texts, locale: locale, into: &run) { bytes, row in
            bytes != plain || row.dropFirst().hasPrefix("a plain row ")
          }
        }
      }
    }
  }

  @Test func `X3: wide, joined and combining signs stay in their boxes`() async throws {
    try await Self.row("X3") { run in
      let signs = [
        "漢字漢字漢字漢字", "a漢b字c漢d字", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👍🏽👍🏿x", "🇩🇪🇫🇷🇯🇵", "e" + String(repeating: "\u{301}", count: 4000) + "x",
        "กำลังทดสอบภาษาไทย", "a\tb\tc", "한글한글", "ㅎㅏㄴ\u{1160}\u{115F}", "שלום עולם", "مرحبا", "ｆｕｌｌ", "⣀⡠█▁",
        "\u{FE0F}❤️✌︎☎️", "1️⃣2️⃣",
        "\u{0E33}\u{0E33}", "நிரலாக்கம்", "हिन्दी क्ष", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      ]
      var width = 1
      while run.goesOn(by: signs.count) {
        try Self.draw(signs.map { Array($0.utf8) }, locale: "C.UTF-8", width: width + 2, into: &run) { _, _ in
          true
        }
        width += 1
      }
    }
  }

  /// Each forbidden code point between two letters.
  private static let forbidden: [[UInt8]] = (UInt32(0)...0x10FFFF).compactMap { value in
    guard ForbiddenSigns.contains(value), let scalar = Unicode.Scalar(value) else { return nil }
    return Array("a\(Character(scalar))b".utf8)
  }

  /// Lets the probe draw texts, each in a row between two borders, and looks at every row.
  ///
  /// - Parameter isRight: What a row must be besides harmless and inside its borders.
  static func draw(
    _ texts: [[UInt8]], locale: String, width: Int = 64, isRaw: Bool = false, into run: inout MatrixRun,
    _ isRight: ([UInt8], String) -> Bool
  ) throws {
    let bench = try TerminalBench()
    let size = Size(width: width, height: width < 64 ? 30 : 240)
    let file = try bench.folder.write(texts.map(Self.hexadecimal).joined(), to: "texts")
    let terminal = try bench.probe(
      ["strings", file] + (isRaw ? ["raw"] : []), environment: ["LC_ALL": locale], size: size)
    for (page, start) in stride(from: 0, to: texts.count, by: size.height - 1).enumerated() {
      let mark = String("page \(page)".prefix(width))
      guard terminal.wait(until: { terminal.screen.row(size.height - 1).hasPrefix(mark) || isRaw }) else {
        return run.judge(terminal, faults: ["page \(page) is missing"], locale)
      }
      if isRaw { _ = terminal.wait(1) { terminal.screen.violationCount > 100 } }
      if width < 64 { _ = terminal.wait(0.05) { false } }
      let rows = terminal.screen.rows
      for (y, text) in texts[start..<min(start + size.height - 1, texts.count)].enumerated() {
        let isInside = terminal.screen.sign(0, y) == "|" && terminal.screen.sign(width - 1, y) == "|"
        run.judge(
          faults: isInside && isRight(text, rows[y]) ? [] : ["row \(y): \(rows[y])"],
          "\(locale) \(page) \(text.prefix(60))")
      }
      if terminal.screen.violationCount > 0 {
        run.judge(terminal, faults: [], "\(locale) page \(page)")
        terminal.forgetViolations(containing: "")
      }
      terminal.send("n")
      if isRaw { return }
    }
    run.judge(terminal, endsBy: [.exited(0)], within: 20, "\(locale) end")
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text + [0x0A], as: UTF8.self)
  }
}
