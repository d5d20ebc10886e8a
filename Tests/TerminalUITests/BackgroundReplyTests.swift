import Testing

@testable import TerminalUI

@Suite("The terminal's background")
struct BackgroundReplyTests {
  static let answers: [(String, Color?)] = [
    ("11;rgb:0000/0000/0000", .rgb(0, 0, 0)), ("11;rgb:ffff/ffff/ffff", .rgb(255, 255, 255)),
    ("11;rgb:1e1e/2020/8080", .rgb(30, 32, 128)), ("11;rgb:fd/f6/e3", .rgb(253, 246, 227)),
    ("11;rgb:f/0/8", .rgb(255, 0, 136)), ("11;rgb:fff/000/800", .rgb(255, 0, 128)),
    ("11;rgba:ffff/ffff/ffff/0000", .rgb(255, 255, 255)), ("11;#fdf6e3", .rgb(253, 246, 227)),
    ("11;#fff", .rgb(255, 255, 255)), ("11;#ffff0000ffff", .rgb(255, 0, 255)),
    ("", nil), ("11;", nil), ("11;?", nil), ("10;rgb:0/0/0", nil), ("11;rgb:0/0", nil),
    ("11;rgb:0/0/0/0", nil),
    ("11;rgba:0/0/0", nil), ("11;rgb:00000/0/0", nil), ("11;rgb:-1/0/0", nil), ("11;rgb:g/0/0", nil),
    ("11;rgb://", nil), ("11;#12345", nil), ("11;#ＦＦＦ", nil), ("11;hsl:0/0/0", nil),
    ("11;rgb:" + String(repeating: "f", count: 100_000), nil),
  ]

  @Test("an answer is a colour", arguments: answers)
  func table(text: String, color: Color?) { #expect(BackgroundReply.color(Array(text.utf8)) == color) }

  @Test(
    "COLORFGBG tells where the terminal does not",
    arguments: [
      ("15;0", false), ("0;15", true), ("0;default;15", true), ("7;8", false), ("0;7", true), ("12;9", true),
      ("0;default", nil), ("", nil), (nil, nil), ("0;16", nil), ("0;-1", nil), ("0;", nil),
    ] as [(String?, Bool?)])
  func variable(text: String?, isLight: Bool?) {
    #expect(BackgroundReply.isLight(colorFGBG: text) == isLight)
  }

  @Test("light is what black stands out from more than white")
  func light() {
    for palette in Palette.all {
      #expect(palette.background.isLight == ["light", "paper"].contains(palette.name))
    }
    #expect(Color.rgb(0xD0, 0xD0, 0xD0).isLight && !Color.rgb(0x28, 0x2C, 0x34).isLight)
  }

  private static let answer = Array("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\".utf8)

  /// Feeds pieces with a pause between them; asked at 0.
  private func events(_ pieces: [[UInt8]], pause: Double, asks: Bool = true, from start: Double = 0)
    -> [InputEvent]
  {
    var decoder = KeyDecoder()
    if asks { decoder.expect([.background], now: 0) }
    var events: [InputEvent] = []
    var now = start
    for piece in pieces {
      events += decoder.expire(now: now)
      events += decoder.feed(piece, now: now)
      now += pause
    }
    return events + decoder.expire(now: now + 10)
  }

  @Test("byte by byte over a slow line, ended by BEL, between keys, and unasked")
  func forms() {
    #expect(events(Self.answer.map { [$0] }, pause: 0.05) == [.background(.rgb(255, 255, 255))])
    let bell = Array("a\u{1B}]11;#000000\u{07}b".utf8)
    let expected: [InputEvent] = [
      .key(KeyPress(.character("a"))), .background(.rgb(0, 0, 0)), .key(KeyPress(.character("b"))),
    ]
    #expect(events([bell], pause: 0) == expected)
    #expect(events([bell], pause: 0, asks: false) == expected)
    #expect(events([Self.answer], pause: 0, from: 60) == [.background(.rgb(255, 255, 255))])
  }

  @Test("without an answer, or with one that is none, nothing comes of it")
  func never() {
    #expect(events([], pause: 0) == [])
    #expect(events([Array("\u{1B}]11;?\u{1B}\\".utf8)], pause: 0) == [])
    #expect(events([Array(Self.answer.prefix(12))], pause: 0) == [])
    #expect(events([Array("\u{1B}]52;c;AAAA\u{07}".utf8)], pause: 0) == [])
  }

  @Test("Escape is a key while an answer is expected, a little later, and at once afterwards")
  func escape() {
    var decoder = KeyDecoder()
    decoder.expect([.background], now: 0)
    #expect(decoder.feed([0x1B], now: 0.5) == [] && decoder.deadline == 0.5 + KeyDecoder.expectantDelay)
    #expect(decoder.expire(now: 0.8) == [.key(KeyPress(.escape))])
    #expect(decoder.feed(Self.answer, now: 1) == [.background(.rgb(255, 255, 255))])
    #expect(decoder.feed([0x1B], now: 1.1) == [] && decoder.deadline == 1.1 + KeyDecoder.escapeDelay)
    var silent = KeyDecoder()
    silent.expect([.background], now: 0)
    #expect(silent.feed([0x1B], now: 2) == [] && silent.deadline == 2 + KeyDecoder.escapeDelay)
  }
}
