import Testing

@testable import TerminalUI

@Suite("The terminal's answer to the question for 24-bit colors")
struct ColorReplyTests {
  @Test(
    "the answers of xterm, kitty, foot, VTE and Windows Terminal",
    arguments: [
      ("1+r524742=38", true), ("1+r524742", true), ("1+r524742=382F382F38", true), ("1$r0;48:2:1:2:3m", true),
      ("1$r0;48:2::1:2:3m", true), ("1$r48:2:1:2:3m", true), ("1$r0;48;2;1;2;3m", true),
      ("0+r524742", false), ("1+r544E=78", false), ("0$r", false), ("1$r0m", false), ("1$r0;48:5:16m", false),
      ("1$r0;48:2:1:2:4m", false), ("", false), ("48:2:1:2:3m", false),
      ("1+r524742=" + String(repeating: "3", count: 100_000), false),
    ])
  func table(text: String, isTrueColor: Bool) {
    #expect(ColorReply.showsTrueColor(Array(text.utf8)) == isTrueColor)
  }

  @Test("both answers are events and no keys, in any pieces")
  func events() {
    let bytes = Array(
      "\u{1B}]11;#000000\u{07}\u{1B}P1+r524742=38\u{1B}\\\u{1B}P1$r0;48:2:1:2:3m\u{1B}\\a".utf8)
    for length in 1...bytes.count {
      var decoder = KeyDecoder()
      decoder.expect([.background, .capability, .setting], now: 0)
      var events: [InputEvent] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        events += decoder.feed(bytes[start..<min(start + length, bytes.count)], now: 0.005 * Double(start))
      }
      #expect(
        events == [.background(.rgb(0, 0, 0)), .trueColor, .trueColor, .key(KeyPress(.character("a")))])
      #expect(decoder.answerDeadline(now: 0.2) == nil)
    }
  }

  @Test("a refusal is an answer too: Escape is quick again")
  func refused() {
    var decoder = KeyDecoder()
    decoder.expect([.capability, .setting], now: 0)
    #expect(decoder.feed(Array("\u{1B}P0+r524742\u{1B}\\".utf8), now: 0.1) == [])
    #expect(decoder.answerDeadline(now: 0.2) != nil)
    #expect(decoder.feed(Array("\u{1B}P0$r\u{1B}\\".utf8), now: 0.1) == [])
    #expect(decoder.answerDeadline(now: 0.2) == nil)
  }
}
