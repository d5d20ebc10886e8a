import Testing

@testable import TerminalUI

@Suite("The width of signs")
struct WidthReplyTests {
  init() { adoptUTF8() }

  private func events(_ text: String, isAsked: Bool = true) -> [InputEvent] {
    var decoder = KeyDecoder()
    if isAsked { decoder.expect([.cursor], now: 0) }
    return decoder.feed(Array(text.utf8), now: 0.1) + decoder.expire(now: 20)
  }

  @Test("three signs in three columns are what is wanted; two columns each, or the bytes of each, are not")
  func columns() {
    #expect(WidthReply.question == "\u{1B}[2;1H─·▁\u{1B}[6n\r\u{1B}[K")
    #expect(events("\u{1B}[2;4R") == [])
    for column in [2, 3, 5, 6, 7, 9] { #expect(events("\u{1B}[2;\(column)R") == [.unevenSigns], "\(column)") }
    // Without signs, it only says that no other answer is to come.
    #expect(events("\u{1B}[2;1R") == [])
  }

  @Test("without a query, or in another row, it means nothing")
  func unasked() {
    #expect(events("\u{1B}[2;7R", isAsked: false) == [])
    #expect(events("\u{1B}[3;7R") == [])
    #expect(events("\u{1B}[1;2R") == [.key(KeyPress(.function(3), .shift))])
  }

  @Test(
    "with even widths, what is one column wide is ASCII, and what is wide stays",
    arguments: [
      ("plain", "plain"), ("漢字かな", "漢字かな"), ("42µs ± 1…", "42us ? 1~"), ("é─·", "?-."), ("👍 ok", "👍 ok"),
      ("e\u{301}", "?"), ("a\u{1B}b", "a?b"), ("ﾊﾝ", "??"),
    ])
  func texts(text: String, shown: String) {
    #expect(SafeText.sanitized(text, repertoire: .evenWidth) == shown)
    var buffer = Buffer(size: Size(width: 20, height: 1), repertoire: .evenWidth)
    buffer.write(text, at: Position(x: 0, y: 0))
    #expect(buffer.lines[0].trimmed == shown)
    #expect(SafeText.width(of: text, repertoire: .evenWidth) == SafeText.width(of: shown))
  }

  @Test("a text that is cut ends in ASCII")
  func cut() {
    #expect(SafeText.truncated("漢字かな", to: 5, repertoire: .evenWidth) == "漢字~")
  }
}

extension String {
  fileprivate var trimmed: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
