import Testing

@testable import TerminalUI

private func key(_ key: Key, _ modifiers: KeyPress.Modifiers = []) -> InputEvent {
  .key(KeyPress(key, modifiers))
}

private func typed(_ text: String) -> [InputEvent] { text.map { key(.character($0)) } }

/// An answer of a terminal, with the event that comes of it.
struct KnownAnswer: CustomStringConvertible, Sendable {
  let answer: TerminalAnswer
  let bytes: [UInt8]
  let event: InputEvent?

  init(_ answer: TerminalAnswer, _ text: String, _ event: InputEvent?) {
    (self.answer, bytes, self.event) = (answer, Array(("\u{1B}" + text).utf8), event)
  }

  var description: String { "\(answer) \(String(decoding: bytes.dropFirst(), as: UTF8.self))" }

  static let all = [
    KnownAnswer(.background, "]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", .background(.rgb(30, 30, 46))),
    KnownAnswer(.background, "]11;rgb:1e/1e/2e\u{07}", .background(.rgb(30, 30, 46))),
    KnownAnswer(.background, "]11;rgba:1e1e/1e1e/2e2e/ffff\u{1B}\\", .background(.rgb(30, 30, 46))),
    KnownAnswer(.background, "]11;#1e1e2e\u{07}", .background(.rgb(30, 30, 46))),
    KnownAnswer(.capability, "P1+r524742=382F382F38\u{1B}\\", .trueColor),
    KnownAnswer(.capability, "P0+r524742\u{1B}\\", nil),
    KnownAnswer(.setting, "P1$r0;48:2::1:2:3m\u{1B}\\", .trueColor),
    KnownAnswer(.setting, "P0$r\u{1B}\\", nil),
    KnownAnswer(.cursor, "[2;4R", nil),
    KnownAnswer(.cursor, "[2;7R", .unevenSigns),
  ]
}

@Suite("Answers of the terminal that stall")
struct StalledAnswerTests {
  /// Two pieces of an answer, then a key; the decoder is asked for its deadlines in between, as the loop does.
  private func events(
    _ bytes: [UInt8], cut: Int, stall: Double, owed: Set<TerminalAnswer>, start: Double = 0.3
  ) -> [InputEvent] {
    var decoder = KeyDecoder()
    decoder.expect(owed, now: 0)
    var events = decoder.feed(bytes[..<cut], now: start)
    while let deadline = decoder.deadline, deadline < start + stall {
      events += decoder.expire(now: deadline)
    }
    events += decoder.feed(bytes[cut...], now: start + stall)
    events += decoder.expire(now: start + stall + 10)
    return events + decoder.feed(Array("q".utf8), now: start + stall + 10)
  }

  static let stalls = [0, 0.02, 0.05, 0.11, 0.29, 0.31, 0.6, 1, 1.9, 2, 2.4]

  @Test("cut anywhere, with any stall, an answer is not typed", arguments: KnownAnswer.all)
  func cut(known: KnownAnswer) {
    let expected = (known.event.map { [$0] } ?? []) + typed("q")
    for cut in 1..<known.bytes.count {
      for stall in Self.stalls {
        let found = events(known.bytes, cut: cut, stall: stall, owed: [known.answer])
        // Its first byte alone is an Escape, and a person who presses that does not wait two seconds.
        let isKey = cut == 1 && stall > KeyDecoder.expectantDelay
        #expect(found == (isKey ? [key(.escape)] : []) + expected, "cut at \(cut), stalled for \(stall) s")
      }
    }
  }

  @Test("an answer to one of several queries, and one that comes late", arguments: KnownAnswer.all)
  func late(known: KnownAnswer) {
    for cut in 1..<known.bytes.count {
      for stall in Self.stalls {
        let found = events(
          known.bytes, cut: cut, stall: stall, owed: Set(TerminalAnswer.allCases), start: 4)
        // Not expected any more, so the bytes that are keys are delivered like keys.
        let text = found.filter {
          $0 != key(.escape) && $0 != key(.character(Character(Unicode.Scalar(known.bytes[1]))), .alt)
        }
        #expect(
          text == (known.event.map { [$0] } ?? []) + typed("q"), "cut at \(cut), stalled for \(stall) s")
      }
    }
  }

  @Test("every byte by itself, each after a stall", arguments: KnownAnswer.all)
  func bytes(known: KnownAnswer) {
    for stall in [0.2, 1.9] {
      var decoder = KeyDecoder()
      decoder.expect([known.answer], now: 0)
      var events: [InputEvent] = []
      for (index, byte) in known.bytes.enumerated() {
        let now = 0.1 + Double(index) * stall
        events += decoder.expire(now: now - 0.01)
        events += decoder.feed([byte], now: now)
      }
      events += decoder.expire(now: 1000)
      // Of the two bytes that may be keys, each waited for the time of one.
      let second = key(.character(Character(Unicode.Scalar(known.bytes[1]))))
      let phantom = stall > 1 ? [key(.escape), second] : []
      #expect(events == phantom + (known.event.map { [$0] } ?? []), "\(stall)")
    }
  }

  @Test("keys arrive while an answer is due", arguments: ["]", "P", "["])
  func keys(second: Character) {
    var decoder = KeyDecoder()
    decoder.expect(Set(TerminalAnswer.allCases), now: 0)
    #expect(decoder.feed([0x1B], now: 0.5) == [])
    #expect(decoder.deadline == 0.8)
    #expect(decoder.expire(now: 0.8) == [key(.escape)])
    // The character after it may go on as an answer, but not for long.
    #expect(decoder.feed(Array(String(second).utf8), now: 1) == [])
    #expect(decoder.deadline == 1.3)
    #expect(decoder.expire(now: 1.3) == typed(String(second)))
    #expect(decoder.feed(Array("\u{1B}q".utf8), now: 1.4) == [key(.character("q"), .alt)])
    // With Alt, it waits for the rest of the answer, or for any other key.
    #expect(decoder.feed(Array("\u{1B}\(second)".utf8), now: 1.5) == [])
    #expect(decoder.expire(now: 1.7) == [])
    #expect(decoder.feed(Array("q".utf8), now: 1.8) == [key(.character(second), .alt)] + typed("q"))
    #expect(decoder.feed(Array("\u{1B}\(second)".utf8), now: 1.9) == [])
    #expect(decoder.expire(now: 4.5) == [key(.character(second), .alt)])
  }

  @Test("digits after a bracket are keys where they do not become an answer")
  func digits() {
    var decoder = KeyDecoder()
    decoder.expect([.background], now: 0)
    var events = decoder.feed([0x1B], now: 0)
    events += decoder.expire(now: 0.5)
    events += decoder.feed(Array("]11;r".utf8), now: 0.6)
    #expect(events == [key(.escape)])
    #expect(decoder.feed(Array("q".utf8), now: 0.7) == typed("]11;rq"))
    events = decoder.feed([0x1B], now: 0.8) + decoder.expire(now: 1.2)
    events += decoder.feed(Array("]1".utf8), now: 1.3)
    #expect(decoder.expire(now: 3.8) == typed("]1"))
  }

  @Test("a key after an answer that was cut off arrives", arguments: [0.05, 0.2, 1.9, 3])
  func cutOff(pause: Double) {
    for text in ["]11;", "]11;rgb:1e1e/", "P1+r5247", "P1$r0;4", "[2;"] {
      var decoder = KeyDecoder()
      decoder.expect(Set(TerminalAnswer.allCases), now: 0)
      var events = decoder.feed(Array("\u{1B}\(text)".utf8), now: 0.1)
      events += decoder.expire(now: 0.1 + pause)
      events += decoder.feed([0x1B], now: 0.1 + pause)
      events += decoder.expire(now: 20)
      #expect(events == [key(.escape)], "Escape after \(text)")
      guard pause > KeyDecoder.sequenceDelay else { continue }
      decoder = KeyDecoder()
      decoder.expect(Set(TerminalAnswer.allCases), now: 0)
      events = decoder.feed(Array("\u{1B}\(text)".utf8), now: 0.1)
      events += decoder.expire(now: 0.1 + pause)
      events += decoder.feed(Array("q".utf8), now: 0.1 + pause)
      #expect(events == typed("q"), "q after \(text)")
    }
  }

  @Test("an Escape right before an answer is a key, not Alt", arguments: KnownAnswer.all)
  func escapeBefore(known: KnownAnswer) {
    var decoder = KeyDecoder()
    decoder.expect([known.answer], now: 0)
    #expect(
      decoder.feed([0x1B] + known.bytes, now: 0.1) == [key(.escape)] + (known.event.map { [$0] } ?? []))
    var slow = KeyDecoder()
    slow.expect([known.answer], now: 0)
    var events = slow.feed([0x1B] + known.bytes.prefix(3), now: 0.1)
    events += slow.expire(now: 1)
    events += slow.feed(known.bytes.dropFirst(3), now: 1.5)
    #expect(events == [key(.escape)] + (known.event.map { [$0] } ?? []))
  }

  @Test(
    "once the last answer is there, Escape is quick, and an answer that is late is still none of the keys")
  func settled() {
    var decoder = KeyDecoder()
    decoder.expect([.background, .cursor], now: 0)
    #expect(decoder.answerDeadline(now: 0.05) == 2)
    #expect(decoder.feed(Array("\u{1B}[2;4R".utf8), now: 0.1) == [])
    #expect(decoder.answerDeadline(now: 0.2) == nil)
    #expect(decoder.feed([0x1B], now: 0.2) == [])
    #expect(decoder.deadline == 0.2 + KeyDecoder.escapeDelay)
    #expect(decoder.expire(now: 0.3) == [key(.escape)])
    #expect(decoder.feed(Array("]11;#000000\u{07}".utf8), now: 1) == [.background(.rgb(0, 0, 0))])
  }

  @Test("the wait at the end is over with the last answer, or when a piece has stalled for too long")
  func deadline() {
    var decoder = KeyDecoder()
    #expect(decoder.answerDeadline(now: 0) == nil)
    decoder.expect([.background, .cursor], now: 0)
    #expect(decoder.answerDeadline(now: 1) == 2)
    #expect(decoder.answerDeadline(now: 2) == nil)
    _ = decoder.feed(Array("\u{1B}]".utf8), now: 1.5)
    #expect(decoder.answerDeadline(now: 1.6) == 4)
    #expect(decoder.answerDeadline(now: 3) == 4)
    _ = decoder.feed(Array("11;#000000\u{07}".utf8), now: 3.5)
    #expect(decoder.answerDeadline(now: 3.5) == nil)
  }

  @Test("a terminal that was asked nothing keeps its keys as quick as ever")
  func unasked() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}]".utf8), now: 0) == [])
    #expect(decoder.deadline == KeyDecoder.escapeDelay)
    #expect(decoder.expire(now: 0.1) == [key(.character("]"), .alt)])
    #expect(decoder.feed(Array("1".utf8), now: 0.2) == typed("1"))
    // A function key with a modifier, in the form of a cursor's position in the first row.
    #expect(decoder.feed(Array("\u{1B}[1;2R".utf8), now: 1) == [key(.function(3), .shift)])
  }
}
