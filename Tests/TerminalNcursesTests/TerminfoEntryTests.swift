import CNcurses
import Foundation
import Testing

@testable import TerminalNcurses

@Suite("Terminfo entries", .serialized)
struct TerminfoEntryTests {
  private func small(colors: Int32? = 256, setter: String = "\u{1B}[3%p1%dm") -> TerminfoEntry {
    let order = TerminfoEntry.Order(
      flags: ["am", "ccc"], numbers: ["colors", "pairs"], strings: ["initc", "setab", "setaf"])
    var entry = TerminfoEntry(name: "t", order: order)
    entry.flags = ["ccc"]
    entry.numbers["colors"] = colors
    for name in order.strings { entry.strings[name] = Array(setter.utf8) }
    return entry
  }

  @Test("compiles as tic does: header, names, flags, numbers of 32 bits, offsets, texts, extensions")
  func bytes() {
    var entry = small()
    entry.flags = ["am", "RGB"]
    entry.strings = ["setab": [0x61], "setaf": [0x62, 0x63]]
    let expected: [[UInt8]] = [
      [0x1E, 0x02, 2, 0, 2, 0, 2, 0, 3, 0, 5, 0], [0x74, 0], [1, 0], [0, 1, 0, 0], [255, 255, 255, 255],
      [255, 255, 0, 0, 2, 0], [0x61, 0, 0x62, 0x63, 0, 0],
      [1, 0, 0, 0, 0, 0, 1, 0, 4, 0], [1, 0], [0, 0], [0x52, 0x47, 0x42, 0],
    ]
    #expect(entry.compiled == expected.flatMap { $0 })
  }

  @Test(
    "what is larger than ncurses reads is not compiled",
    arguments: [(32_000, true), (40_000, false), (1 << 20, false)])
  func large(length: Int, isCompiled: Bool) {
    var entry = small()
    entry.strings["setaf"] = Array(repeating: 0x61, count: length)
    #expect((entry.compiled != nil) == isCompiled)
  }

  @Test("our own entry of xterm says what the database says")
  func own() {
    let own = TerminfoEntry.xterm
    #expect(own.compiled != nil && own.addingDirectColor()?.compiled != nil)
    #expect(Set(own.strings.keys).isSubset(of: own.order.strings))
    #expect(shim_is_usable(own.name, 1) > 0)
    let found = TerminfoEntry(ofTerminal: own.name)
    for (name, value) in own.strings {
      // Titles are not changed, so they need not be saved.
      let expected = found.strings[name].map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(expected.hasPrefix(String(decoding: value, as: UTF8.self)), "\(name)")
    }
    for (name, value) in own.numbers { #expect(found.numbers[name] == value, "\(name)") }
    #expect(own.flags.isSubset(of: found.flags))
  }

  @Test("direct colors are added to those of ECMA-48 alone")
  func whichTerminals() {
    #expect(small(colors: nil).addingDirectColor() == nil)
    #expect(small(colors: 2).addingDirectColor() == nil)
    #expect(small(setter: "\u{1B}b%p1%{32}%+%c").addingDirectColor() == nil)
    let direct = small().addingDirectColor()
    #expect(direct?.numbers == ["colors": 1 << 24, "pairs": 1 << 16])
    #expect(direct?.flags == ["RGB"] && direct?.strings["initc"] == nil)
  }

  /// Takes what the database says; `nil` where it lacks the terminal.
  private func found(_ name: String) -> TerminfoEntry? {
    var error: Int32 = 0
    guard setupterm(name, STDOUT_FILENO, &error) != ERR else { return nil }
    return TerminfoEntry(ofTerminal: name)
  }

  @Test(
    "ncurses reads what was compiled, and nothing but the colors is another",
    arguments: [
      "xterm-256color", "xterm", "linux", "screen", "screen-256color", "tmux-256color",
      "rxvt-unicode-256color",
      "ansi", "pcansi", "vt100", "cygwin", "Eterm-color",
    ])
  func roundTrip(name: String) throws {
    guard let own = found(name) else { return }
    // Another name, because ncurses keeps what it has read.
    var entry = own.addingDirectColor() ?? own
    #expect((own.addingDirectColor() != nil) == (own.colors >= 8))
    entry.name = "m-" + name
    setenv("TERMINFO", "b64:" + Data(try #require(entry.compiled)).base64EncodedString(), 1)
    defer { unsetenv("TERMINFO") }
    var read = try #require(found(entry.name))
    if tigetflag("RGB") > 0 { read.flags.insert("RGB") }
    #expect(read == entry)
    for key in entry.strings.keys where key != "setaf" && key != "setab" {
      #expect(entry.strings[key] == own.strings[key])
    }
  }

  @Test(
    "a color is sent as its index below 256, as red, green and blue above",
    arguments: [
      ("xterm-256color", 3, "\u{1B}[33m"), ("xterm-256color", 11, "\u{1B}[93m"),
      ("xterm-256color", 255, "\u{1B}[38;5;255m"), ("xterm-256color", 256, "\u{1B}[38;2;0;1;0m"),
      ("xterm-256color", 0x7DCFFF, "\u{1B}[38;2;125;207;255m"),
      ("xterm-256color", 0xFFFFFF, "\u{1B}[38;2;255;255;255m"),
      ("linux", 7, "\u{1B}[37m"), ("linux", 0x010203, "\u{1B}[38;2;1;2;3m"),
      ("screen", 1, "\u{1B}[31m"), ("tmux-256color", 200, "\u{1B}[38;5;200m"),
    ])
  func sent(name: String, color: Int, bytes: String) throws {
    let setter = try #require(found(name)?.addingDirectColor()?.strings["setaf"])
    let text = setter.map { CChar(bitPattern: $0) } + [0]
    #expect(shim_color_text(text, Int32(color)).map { String(cString: $0) } == bytes)
  }
}
