import TerminalUI
import Testing

@Suite("Names of keys")
struct KeyNameTests {
  static let names: [(String, KeyPress)] = [
    ("x", KeyPress(.character("x"))), ("X", KeyPress(.character("X"))),
    ("Shift-x", KeyPress(.character("X"))),
    ("-", KeyPress(.character("-"))), ("+", KeyPress(.character("+"))), ("plus", KeyPress(.character("+"))),
    ("Ctrl-L", KeyPress(.character("l"), .control)), ("ctrl+l", KeyPress(.character("l"), .control)),
    ("Ctrl--", KeyPress(.character("-"), .control)), ("Alt-x", KeyPress(.character("x"), .alt)),
    ("Ctrl-Alt-x", KeyPress(.character("x"), [.control, .alt])), ("Alt-Left", KeyPress(.left, .alt)),
    ("shift-right", KeyPress(.right, .shift)), ("Shift-Tab", KeyPress(.backTab)),
    ("BackTab", KeyPress(.backTab)),
    ("F5", KeyPress(.function(5))), ("f12", KeyPress(.function(12))), ("f", KeyPress(.character("f"))),
    ("Space", KeyPress(.character(" "))), ("Ctrl-Space", KeyPress(.character(" "), .control)),
    ("PgUp", KeyPress(.pageUp)), ("pagedown", KeyPress(.pageDown)), ("Del", KeyPress(.delete)),
    ("↑", KeyPress(.up)), ("ö", KeyPress(.character("ö"))), ("Esc", KeyPress(.escape)),
  ]

  @Test("a name is read as it is written", arguments: names)
  func read(name: String, key: KeyPress) { #expect(KeyPress(named: name) == key) }

  @Test(
    "what is no key is none",
    arguments: [
      "", " ", "xy", "F0", "F13", "F99999999999999999999", "Ctrl-", "Hyper-x", "\u{1B}", "\u{7F}", "\u{200D}",
    ])
  func none(name: String) { #expect(KeyPress(named: name) == nil) }
}
