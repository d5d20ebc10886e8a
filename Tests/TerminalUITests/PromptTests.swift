import Testing

@testable import TerminalUI

@Suite("Prompt")
struct PromptTests {
  init() { adoptUTF8() }

  /// Types a script: characters, and keys by name in angle brackets.
  private func type(_ events: [InputEvent], into text: String = "") -> (Prompt, [Prompt.Outcome]) {
    var prompt = Prompt(text)
    let outcomes = events.map { prompt.handle($0) }
    return (prompt, outcomes)
  }

  private func key(_ key: Key, _ modifiers: KeyPress.Modifiers = []) -> InputEvent {
    .key(KeyPress(key, modifiers))
  }

  @Test("characters go in where the cursor stands")
  func typing() {
    let (prompt, outcomes) = type(
      [key(.left), key(.character("x")), key(.home), key(.character("é")), key(.end), key(.character("!"))],
      into: "ab")
    #expect(prompt.text == "éaxb!")
    #expect(prompt.cursor == 5)
    #expect(outcomes == [.moved, .edited, .moved, .edited, .moved, .edited])
  }

  @Test("the keys of a shell's line")
  func shellKeys() {
    #expect(type([key(.character("w"), .control)], into: "one two ").0.text == "one ")
    #expect(type([key(.character("u"), .control)], into: "one two").0.text == "")
    #expect(
      type([key(.character("a"), .control), key(.character("k"), .control)], into: "one").0.text == "")
    #expect(
      type([key(.character("a"), .control), key(.character("d"), .control)], into: "one").0.text == "ne")
    #expect(type([key(.backspace)], into: "one").0.text == "on")
    #expect(type([key(.delete)], into: "one").0.text == "one")
  }

  @Test("Enter submits, Escape and Backspace on nothing cancel, keys of no meaning are left to others")
  func outcomes() {
    let (_, outcomes) = type([
      key(.enter), key(.escape), key(.backspace), key(.up), key(.tab), key(.character("x"), .alt),
      .resize(.zero), key(.character("r"), .control),
    ])
    #expect(
      outcomes == [.submitted, .cancelled, .cancelled, .ignored, .ignored, .ignored, .ignored, .ignored])
  }

  @Test("a paste becomes one line without anything hidden, of bounded length")
  func paste() {
    #expect(type([.paste("a\nb\tc\u{1B}[31m\u{202E}")]).0.text == "a b c\u{FFFD}[31m\u{FFFD}")
    let (long, _) = type([.paste(String(repeating: "漢", count: 5000)), key(.character("x"))])
    #expect(long.text.count == Prompt.limit)
  }

  @Test("a combining mark typed by itself joins the character before it")
  func combining() {
    let (prompt, _) = type([key(.character("e")), key(.character("\u{301}"))])
    #expect(prompt.text == "e\u{301}")
    #expect(prompt.cursor == 1)
  }

  @Test("a long text is moved so that the cursor is seen")
  func scrolling() {
    let line = PromptLine("/", Prompt("abcdefghij"), theme: theme())
    let area = Rect(x: 0, y: 0, width: 6, height: 1)
    #expect(picture(6, 1, line) == "/ghij \n")
    #expect(line.cursor(in: area) == Position(x: 5, y: 0))
    #expect(PromptLine("/", Prompt("漢字語"), theme: theme()).cursor(in: area) == Position(x: 5, y: 0))
    #expect(picture(12, 1, PromptLine("/", Prompt("push"), hint: ".ms", theme: theme())) == "/push.ms    \n")
  }
}
