@testable import TerminalUI

/// Checks of what stands between the terminal and the program.
enum TerminalChecks {
  /// In pieces the bytes give the keys that they give at once, and nothing piles up.
  static func keys(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let sizes = [input.steering(), input.steering()]
    var whole = KeyDecoder()
    let expected = whole.feed(input.bytes, now: 0) + whole.expire(now: 1)
    var cut = KeyDecoder()
    var events: [InputEvent] = []
    var complaint: String?
    input.bytes.forEachPiece(sizes: sizes) { piece in
      events += cut.feed(piece, now: 0)
      if cut.pending.count > KeyDecoder.pasteLimit { complaint = "\(cut.pending.count) bytes are pending" }
    }
    events += cut.expire(now: 1)
    if let complaint { return complaint }
    guard events == expected else { return "pieces of \(sizes) give \(events), not \(expected)" }
    return events.lazy.compactMap(unsafePaste).first
  }

  private static func unsafePaste(_ event: InputEvent) -> String? {
    guard case .paste(let text) = event else { return nil }
    let isSafe = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t"
    }
    return isSafe ? nil : "a paste holds a control character"
  }

  /// Nothing comes out that a terminal obeys, and no wider than asked for.
  static func text(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let columns = input.steering()
    let text = SafeText.decode(input.bytes)
    for repertoire in [Repertoire.unicode, .ascii] {
      let safe = SafeText.sanitized(text, repertoire: repertoire)
      if let scalar = safe.unicodeScalars.first(where: { ForbiddenScalars.contains($0.value) }) {
        return "U+\(String(scalar.value, radix: 16)) comes out"
      }
      let cut = SafeText.truncated(text, to: columns, repertoire: repertoire)
      if let scalar = cut.unicodeScalars.first(where: { ForbiddenScalars.contains($0.value) }) {
        return "U+\(String(scalar.value, radix: 16)) comes out of a text that was cut"
      }
      let width = SafeText.width(of: cut, repertoire: repertoire)
      guard width <= columns else { return "\(width) columns, not \(columns)" }
      guard repertoire == .unicode || safe.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
        return "a sign beyond ASCII comes out"
      }
    }
    return nil
  }
}

/// Bytes that must never reach a terminal, written down apart from the allowlist.
package enum ForbiddenScalars {
  package static func contains(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x180E, 0x115F, 0x1160, 0x3164, 0xFFA0, 0xFEFF: true
    case 0x200B...0x200F, 0x202A...0x202E, 0x2028...0x2029, 0x2060...0x2069, 0xFFF9...0xFFFB: true
    case 0xFE00...0xFE0F, 0xE0000...0xE0FFF, 0xFDD0...0xFDEF, 0xE000...0xF8FF, 0xF0000...0x10FFFF: true
    default: value & 0xFFFE == 0xFFFE
    }
  }
}
