import Testing

@testable import TerminalUI

private func key(_ key: Key, _ modifiers: KeyPress.Modifiers = []) -> InputEvent {
  .key(KeyPress(key, modifiers))
}

private func decode(_ text: String, extra: [[UInt8]: Key] = [:]) -> [InputEvent] {
  decode(Array(text.utf8), extra: extra)
}

private func decode(_ bytes: [UInt8], extra: [[UInt8]: Key] = [:]) -> [InputEvent] {
  var decoder = KeyDecoder(extra: extra)
  return decoder.feed(bytes, now: 0) + decoder.expire(now: 1)
}

@Suite("Key decoder")
struct KeyDecoderTests {
  init() { adoptUTF8() }

  @Test("plain and control keys", arguments: plainKeys)
  func plain(bytes: String, event: InputEvent) { #expect(decode(bytes) == [event]) }

  @Test("sequences of the terminals in use", arguments: sequences)
  func sequence(bytes: String, event: InputEvent) { #expect(decode("\u{1B}" + bytes) == [event]) }

  @Test("a sequence cut anywhere between its bytes gives the same key", arguments: sequences)
  func cut(bytes: String, event: InputEvent) {
    let all = Array(("\u{1B}" + bytes).utf8)
    for place in 1..<all.count {
      var decoder = KeyDecoder()
      let events = decoder.feed(all[..<place], now: 0) + decoder.feed(all[place...], now: 0.01)
      #expect(events + decoder.expire(now: 1) == [event], "cut at \(place)")
    }
  }

  @Test("every sequence with Escape in front is the key with Alt")
  func escapeBefore() {
    #expect(decode("\u{1B}\u{1B}[A") == [key(.up, .alt)])
    #expect(decode("\u{1B}\u{1B}OP") == [key(.function(1), .alt)])
    #expect(decode("\u{1B}é") == [key(.character("é"), .alt)])
    #expect(decode("\u{1B}\r") == [key(.enter, .alt)])
    #expect(decode("\u{1B}\u{1}") == [key(.character("a"), [.control, .alt])])
  }

  @Test("a lone Escape is the key after 25 ms and not before")
  func loneEscape() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B], now: 10) == [])
    #expect(decoder.deadline == 10.025)
    #expect(decoder.expire(now: 10.024) == [])
    #expect(decoder.expire(now: 10.025) == [key(.escape)])
    #expect(decoder.deadline == nil)
    #expect(decoder.feed([0x71], now: 11) == [key(.character("q"))])
  }

  @Test("a key long after an Escape is two keys, even when nobody asked in between")
  func lateKey() {
    var decoder = KeyDecoder()
    _ = decoder.feed([0x1B], now: 0)
    #expect(decoder.feed([0x5B], now: 5) == [key(.escape), key(.character("["))])
  }

  @Test("Escape twice is two keys, Escape and a bracket that stays alone is Alt and the bracket")
  func shortForms() {
    #expect(decode("\u{1B}\u{1B}") == [key(.escape), key(.escape)])
    #expect(decode("\u{1B}[") == [key(.character("["), .alt)])
    #expect(decode("\u{1B}O") == [key(.character("O"), .alt)])
    #expect(decode("\u{1B}]") == [key(.character("]"), .alt)])
  }

  @Test("a sequence that never ends is dropped and the next key is heard")
  func unfinished() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}[1;".utf8), now: 0) == [])
    #expect(decoder.feed(Array("q".utf8), now: 0.2) == [key(.character("q"))])
  }

  @Test("answers of the terminal are no keys", arguments: answers)
  func answer(bytes: String) {
    let keys = decode("\u{1B}" + bytes + "q").filter {
      if case .background = $0 { false } else { $0 != .trueColor }
    }
    #expect(keys == [key(.character("q"))])
  }

  @Test("typed text of any script; what may not be drawn is no key")
  func text() {
    #expect(decode("aé漢👍") == ["a", "é", "漢", "👍"].map { key(.character($0)) })
    #expect(decode("a\u{202E}\u{85}b") == [key(.character("a")), key(.character("b"))])
    #expect(decode([0xFF, 0xC3, 0x71, 0xE2, 0x82, 0x71]) == [key(.character("q")), key(.character("q"))])
    #expect(decode([0xED, 0xA0, 0x80, 0x71, 0xC0, 0x80]) == [key(.character("q"))])
  }

  @Test("a broken character does not swallow the Escape after it")
  func brokenThenEscape() {
    #expect(decode([0xC3, 0x1B, 0x5B, 0x41]) == [key(.up)])
    #expect(decode([0x1B, 0xC3, 0x1B, 0x5B, 0x41]) == [key(.up)])
  }

  @Test("a paste is one event without control characters, lines ending with a line feed")
  func paste() {
    #expect(
      decode("\u{1B}[200~a\r\nb\rc\td\u{1B}[31m\0\u{7F}é\u{1B}[201~q") == [
        .paste("a\nb\nc\td[31mé"), key(.character("q")),
      ])
    #expect(decode("\u{1B}[200~\u{1B}[20\u{1B}[201~") == [.paste("[20")])
    #expect(decode("\u{1B}[200~never closed") == [.paste("never closed")])
  }

  @Test("a paste that stalls goes on as a paste, and is given up after a second")
  func stalledPaste() {
    var decoder = KeyDecoder()
    var events = decoder.feed(Array("\u{1B}[200~qq".utf8), now: 0)
    // Nothing has come by then, and the person's line is slow.
    events += decoder.expire(now: 0.9)
    // The program itself was busy: what waited meanwhile is read before it is missed.
    events += decoder.feed(Array("qq".utf8), now: 5)
    #expect(events == [] && decoder.deadline == 6)
    #expect(decoder.expire(now: 6) == [.paste("qqqq")])
    #expect(decoder.feed([0x71], now: 7) == [key(.character("q"))])
  }

  @Test("Escape, or Ctrl-C where it is a key, leads out of a paste without an end after a pause")
  func wayOut() {
    let ways: [(UInt8, InputEvent)] = [(0x03, key(.character("c"), .control)), (0x1B, key(.escape))]
    for (byte, pressed) in ways {
      var decoder = KeyDecoder()
      var events = decoder.feed(Array("\u{1B}[200~aa".utf8), now: 0)
      // Each key that comes within a second of the last one keeps the paste going.
      for step in 1...20 { events += decoder.feed([0x71], now: Double(step) * 0.5) }
      events += decoder.feed([byte], now: 10.1)
      #expect(events == [], "too soon: it may be of the paste")
      events += decoder.feed([0x71], now: 10.2)
      events += decoder.feed([byte], now: 10.6)
      events += decoder.expire(now: 11)
      #expect(events.count == 2 && events.last == pressed)
      #expect(decoder.feed([0x71], now: 11) == [key(.character("q"))])
    }
    // The end of a paste whose first byte came late and alone.
    var decoder = KeyDecoder()
    var events = decoder.feed(Array("\u{1B}[200~aa".utf8), now: 0)
    events += decoder.feed([0x1B], now: 0.5)
    events += decoder.feed(Array("[201~q".utf8), now: 0.51)
    #expect(events == [.paste("aa"), key(.character("q"))])
  }

  @Test("of a huge paste the beginning is kept")
  func hugePaste() {
    let bytes =
      Array("\u{1B}[200~".utf8) + Array(repeating: 0x61, count: 10_000_000) + Array("\u{1B}[201~q".utf8)
    let events = decode(bytes)
    #expect(events.count == 2)
    guard case .paste(let text)? = events.first else { return #expect(Bool(false), "no paste") }
    #expect(text.utf8.count == KeyDecoder.pasteLimit)
    #expect(events.last == key(.character("q")))
  }

  @Test("mouse reports", arguments: mouseReports)
  func mouse(bytes: String, event: MouseEvent) { #expect(decode("\u{1B}[<" + bytes) == [.mouse(event)]) }

  @Test("mouse reports from nowhere are dropped, old ones are swallowed whole")
  func badMouse() {
    #expect(decode("\u{1B}[<0;0;5M\u{1B}[<0;99999999999999999999;5Mq") == [key(.character("q"))])
    #expect(decode("\u{1B}[M !!q") == [key(.character("q"))])
  }

  @Test("sequences of terminfo win over the common table")
  func extra() {
    let keys: [[UInt8]: Key] = [Array("\u{1B}[A".utf8): .home, Array("\u{1B}x".utf8): .function(5)]
    #expect(decode("\u{1B}[A", extra: keys) == [key(.home)])
    #expect(decode("\u{1B}x", extra: keys) == [key(.function(5))])
  }

  @Test("a million random bytes, in pieces of random length, never trap, and the next key is heard")
  func garbage() {
    var random = Seeded(state: 3)
    var decoder = KeyDecoder()
    var now = 0.0
    var left = 1_000_000
    let favourites: [UInt8] = Array("\u{1B}[O]P<;M~0123456789".utf8)
    while left > 0 {
      let count = min(left, Int.random(in: 1...97, using: &random))
      let bytes = (0..<count).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : favourites.randomElement(using: &random) ?? 0
      }
      _ = decoder.feed(bytes, now: now)
      #expect(decoder.pending.count <= KeyDecoder.pasteLimit)
      now += Double.random(in: 0...0.05, using: &random)
      left -= count
    }
    _ = decoder.expire(now: now + 1)
    #expect(decoder.feed([0x71], now: now + 2) == [key(.character("q"))])
  }
}

private let plainKeys: [(String, InputEvent)] = [
  ("a", key(.character("a"))), ("Z", key(.character("Z"))), (" ", key(.character(" "))),
  ("\r", key(.enter)), ("\n", key(.enter)), ("\t", key(.tab)), ("\u{7F}", key(.backspace)),
  ("\u{8}", key(.backspace)), ("\u{3}", key(.character("c"), .control)),
  ("\u{1A}", key(.character("z"), .control)), ("\0", key(.character(" "), .control)),
  ("\u{1C}", key(.character("\\"), .control)), ("\u{1F}", key(.character("_"), .control)),
]

private let sequences: [(String, InputEvent)] = [
  ("[A", key(.up)), ("[B", key(.down)), ("[C", key(.right)), ("[D", key(.left)),
  ("OA", key(.up)), ("OD", key(.left)), ("[H", key(.home)), ("OF", key(.end)),
  ("[1~", key(.home)), ("[7~", key(.home)), ("[4~", key(.end)), ("[8~", key(.end)),
  ("[2~", key(.insert)), ("[3~", key(.delete)), ("[5~", key(.pageUp)), ("[6~", key(.pageDown)),
  ("[Z", key(.backTab)), ("[1;5C", key(.right, .control)), ("[1;2A", key(.up, .shift)),
  ("[1;3D", key(.left, .alt)), ("[1;6H", key(.home, [.control, .shift])),
  ("[3;5~", key(.delete, .control)), ("[5;9~", key(.pageUp, .alt)),
  ("OP", key(.function(1))), ("OS", key(.function(4))), ("[1;2P", key(.function(1), .shift)),
  ("[11~", key(.function(1))), ("[15~", key(.function(5))), ("[17~", key(.function(6))),
  ("[21~", key(.function(10))), ("[23~", key(.function(11))), ("[24~", key(.function(12))),
  ("[24;5~", key(.function(12), .control)), ("[[A", key(.function(1))), ("[[E", key(.function(5))),
  ("[a", key(.up, .shift)), ("Oa", key(.up, .control)), ("[3$", key(.delete, .shift)),
  ("[7^", key(.home, .control)), ("[5@", key(.pageUp, [.control, .shift])),
  ("OM", key(.enter)), ("Oj", key(.character("*"))), ("Ok", key(.character("+"))),
  ("Op", key(.character("0"))), ("Oy", key(.character("9"))), ("O5P", key(.function(1), .control)),
  ("[27;5;9~", key(.tab, .control)), ("[97;5u", key(.character("a"), .control)),
  ("[27;1u", key(.escape)), ("[9;2u", key(.backTab)), ("[I", .focus(true)), ("[O", .focus(false)),
  ("x", key(.character("x"), .alt)),
]

private let answers = [
  "[12;40R", "[?1;2c", "[>0;276;0c", "[?2026;2$y", "[0n", "[8;24;80t", "]11;rgb:0000/0000/0000\u{7}",
  "]11;rgb:0000/0000/0000\u{1B}\\", "P1+r524742\u{1B}\\", "_Gi=1;OK\u{1B}\\", "[?64;1;2;6;22c",
]

private let mouseReports: [(String, MouseEvent)] = [
  ("0;1;1M", MouseEvent(.press, button: .left, at: Position(x: 0, y: 0))),
  ("0;10;5m", MouseEvent(.release, button: .left, at: Position(x: 9, y: 4))),
  ("2;300;200M", MouseEvent(.press, button: .right, at: Position(x: 299, y: 199))),
  ("32;4;4M", MouseEvent(.drag, button: .left, at: Position(x: 3, y: 3))),
  ("35;4;4M", MouseEvent(.move, at: Position(x: 3, y: 3))),
  ("64;4;4M", MouseEvent(.wheelUp, at: Position(x: 3, y: 3))),
  ("65;4;4M", MouseEvent(.wheelDown, at: Position(x: 3, y: 3))),
  ("20;4;4M", MouseEvent(.press, button: .left, at: Position(x: 3, y: 3), modifiers: [.shift, .control])),
]
