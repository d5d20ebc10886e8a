import TerminalUI
import Testing

@testable import TerminalNcurses

private let remedy = "set TERM=xterm-256color if it does what xterm does"
private let install =
  "; \(remedy), or install its entry (Debian, Fedora: ncurses-term, Alpine: ncurses-terminfo)"

@Suite("Terminal kind")
struct TerminalKindTests {
  private func kind(_ environment: [String: String], isUTF8: Bool = true) throws -> TerminalKind {
    try TerminalKind(environment: environment, isUTF8: isUTF8)
  }

  @Test(
    "a type that cannot work is refused in words",
    arguments: [
      (nil, "TERM is not set, so the kind of terminal is unknown; \(remedy), or use --linear"),
      ("", "TERM is not set, so the kind of terminal is unknown; \(remedy), or use --linear"),
      ("dumb", "a terminal of type 'dumb' cannot place text on the screen; \(remedy), or use --linear"),
      ("../../etc/passwd", "the terminal type '../../etc/passwd' is not in the terminfo database\(install)"),
      ("x\u{1B}[2J", "the terminal type 'x\u{FFFD}[2J' is not in the terminfo database\(install)"),
      (
        String(repeating: "a", count: 5000),
        "the terminal type '\(String(repeating: "a", count: 40))' is not in the terminfo database\(install)"
      ),
    ])
  func refusals(name: String?, message: String) {
    #expect {
      _ = try kind(name.map { ["TERM": $0] } ?? [:])
    } throws: {
      ($0 as? TerminalError)?.message == message
    }
  }

  @Test("every reason has its words")
  func words() {
    #expect(TerminalError.outputIsNoTerminal.message == "standard output is not a terminal")
    #expect(TerminalError.noKeyboard.message == "there is no terminal to read keys from")
    #expect(TerminalError.alreadyOpen.message == "the terminal is already in use by this program")
    #expect(TerminalError.refused(code: 5).message == "the terminal cannot be taken: Input/output error")
  }

  @Test(
    "colours by terminfo and NO_COLOR",
    arguments: [
      (["TERM": "xterm-256color"], 256, ColorDepth.indexed256), (["TERM": "xterm"], 8, .indexed16),
      (["TERM": "xterm-direct"], 0x100_0000, .trueColor), (["TERM": "vt100"], 0, .none),
      (["TERM": "linux"], 8, .indexed16),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], 256, .trueColor),
      (["TERM": "xterm", "COLORTERM": "24bit"], 8, .trueColor), (["TERM": "foot"], 256, .trueColor),
      (["TERM": "xterm-256color", "COLORTERM": "yes"], 256, .indexed256),
      (["TERM": "xterm-kitty"], 256, .trueColor), (["TERM": "alacritty-direct"], 256, .trueColor),
      (["TERM": "screen-256color", "COLORTERM": "truecolor"], 256, .trueColor),
      (["TERM": "screen-256color", "COLORTERM": "truecolor", "STY": "1.pts"], 256, .indexed256),
      (
        ["TERM": "screen-256color", "COLORTERM": "truecolor", "STY": "1.pts", "TMUX": "/tmp/x,1,0"], 256,
        .trueColor
      ),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], 256, .none),
      (["TERM": "xterm-256color", "NO_COLOR": "1"], 256, .none),
      (["TERM": "xterm-256color", "NO_COLOR": ""], 256, .indexed256),
    ])
  func colors(environment: [String: String], colors: Int, depth: ColorDepth) throws {
    let found = try kind(environment).capabilities(colors: colors, isDirect: colors >= 8)
    #expect(found.depth == depth)
    #expect(found.deepest == (colors >= 8 ? .trueColor : .none))
  }

  @Test("a terminal that cannot be sent 24-bit colors has those of terminfo, whatever it claims")
  func indexed() throws {
    let kind = try kind(["TERM": "xterm-256color", "COLORTERM": "truecolor"])
    for (colors, depth) in [(-1, ColorDepth.none), (8, .indexed16), (88, .indexed16), (256, .indexed256)] {
      let found = kind.capabilities(colors: colors, isDirect: false)
      #expect(found.depth == depth && found.deepest == depth)
    }
  }

  @Test(
    "signs by type and locale",
    arguments: [
      ("xterm-256color", true, GlyphTier.braille), ("xterm-256color", false, .ascii),
      ("linux", true, .blocks),
      ("vt100", true, .ascii), ("tmux-256color", true, .braille),
    ])
  func glyphs(name: String, isUTF8: Bool, glyphs: GlyphTier) throws {
    let capabilities = try kind(["TERM": name], isUTF8: isUTF8).capabilities(colors: 256, isDirect: true)
    #expect(capabilities.glyphs == glyphs)
    #expect(capabilities.repertoire == (isUTF8 ? .unicode : .ascii))
  }

  @Test(
    "where the database lacks the terminal there is its family's entry",
    arguments: [
      ("xterm-foo", ["xterm-256color", "xterm"]), ("xterm-kitty", ["xterm-256color", "xterm"]),
      ("alacritty", ["xterm-256color", "xterm"]), ("st-256color", ["xterm-256color", "xterm"]),
      ("tmux-256color", ["tmux", "screen-256color", "screen"]),
      ("tmux-direct", ["tmux-256color", "tmux", "screen-256color", "screen"]),
      ("screen.foo", ["screen-256color", "screen"]),
      ("rxvt-unicode-foo", ["rxvt-unicode-256color", "rxvt"]), ("linux-16color", ["linux"]),
      ("xterm-ghostty", ["xterm-256color", "xterm"]), ("foot", ["xterm-256color", "xterm"]),
      ("wezterm", ["xterm-256color", "xterm"]), ("xterm-direct", ["xterm-256color", "xterm"]),
      ("nonsense-256color", ["xterm-256color", "xterm"]), ("nonsense-direct", ["xterm-256color", "xterm"]),
      ("vt420", ["vt102", "vt100"]), ("stranger", []), ("vt100", ["vt102"]), ("vt52x", []),
      ("eterm-256color", ["xterm-256color", "xterm"]), ("wyse60", []), ("eterm-color", []),
    ])
  func families(name: String, others: [String]) throws {
    #expect(try kind(["TERM": name]).entryNames == [name] + others)
  }

  @Test("an unknown type is taken for an xterm where its terminal says more about itself")
  func evidence() throws {
    for variable in ["COLORTERM", "TERM_PROGRAM", "VTE_VERSION", "KONSOLE_VERSION", "WT_SESSION"] {
      let names = try kind(["TERM": "stranger", variable: "1"]).entryNames
      #expect(names == ["stranger", "xterm-256color", "xterm"], "\(variable)")
      #expect(try kind(["TERM": "stranger", variable: ""]).entryNames == ["stranger"])
      #expect(try kind(["TERM": "eterm-color", variable: "1"]).entryNames == ["eterm-color"])
    }
  }

  @Test("the use of another entry is told")
  func note() throws {
    #expect(
      try kind(["TERM": "foot"]).note(using: "xterm-256color")
        == "TERM=foot is not in the terminfo database, so xterm-256color is used")
  }

  @Test("all queries are one text, and the one that every terminal answers comes last")
  func queries() throws {
    func queries(
      _ questions: TerminalQuestions, _ environment: [String: String] = [:], isUTF8: Bool = true,
      hasRoom: Bool = true
    ) throws -> TerminalQueries {
      let kind = try kind(["TERM": "xterm-256color"].merging(environment) { $1 }, isUTF8: isUTF8)
      return TerminalQueries(
        questions, kind: kind, capabilities: kind.capabilities(colors: 256, isDirect: true), hasRoom: hasRoom)
    }
    let all: TerminalQuestions = [.background, .colors, .signs]
    let (background, colors) = (BackgroundReply.question, ColorReply.question)
    #expect(try queries(all).text == background + colors + WidthReply.question)
    #expect(try queries(all).answers == Set(TerminalAnswer.allCases))
    #expect(try queries(all, ["COLORTERM": "truecolor"]).text == background + WidthReply.question)
    #expect(try queries(all, ["NO_COLOR": "1"]).text == WidthReply.question)
    #expect(try queries([.background]).text == background + WidthReply.plainQuestion)
    #expect(try queries(all, isUTF8: false).text == background + colors + WidthReply.plainQuestion)
    #expect(try queries([]).text == "" && queries([.signs], isUTF8: false).answers == [])
    #expect(try queries(all, hasRoom: false).answers == [.background, .capability, .setting])
  }

  @Test("a question for colors is no use where a multiplexer lies between")
  func questions() throws {
    for (name, isAsked) in [
      ("xterm-256color", true), ("rxvt", true), ("tmux-256color", false), ("screen", false), ("linux", false),
    ] {
      #expect(try kind(["TERM": name]).answersForColors == isAsked, "\(name)")
    }
  }

  @Test("private modes are sent to the families that know them")
  func privateModes() throws {
    for name in ["xterm", "xterm-256color", "tmux-256color", "screen.xterm-256color", "rxvt-unicode", "foot"]
    {
      #expect(try kind(["TERM": name]).knowsPrivateModes, "\(name)")
    }
    for name in ["linux", "vt100", "ansi", "stranger", "wyse60"] {
      #expect(try !kind(["TERM": name]).knowsPrivateModes, "\(name)")
    }
  }
}
