package import TerminalUI

/// The environment's description of the terminal: a value, so that every case can be tested.
package struct TerminalKind: Hashable, Sendable {
  /// The value of `TERM`.
  package let name: String
  package let isUTF8: Bool
  private let environment: [String: String]

  /// Reads `TERM`; rejects values that cannot be a usable terminal before ncurses sees them.
  package init(environment: [String: String], isUTF8: Bool) throws(TerminalError) {
    guard let name = environment["TERM"], !name.isEmpty else { throw .typeUnset }
    let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._")
    // The name becomes a part of a path in the database: nothing else may get in.
    guard name.count <= 128, !name.hasPrefix("."), name.allSatisfy({ letters.contains($0) }) else {
      throw .typeUnknown(SafeText.sanitized(String(name.prefix(40))))
    }
    guard name != "dumb", name != "unknown" else { throw .typeTooPoor(name) }
    self.name = name
    self.isUTF8 = isUTF8
    self.environment = environment
  }

  /// True if the terminal is known to show 24-bit colors.
  var claimsTrueColor: Bool {
    let families = [
      "alacritty", "contour", "foot", "kitty", "ghostty", "wezterm", "xterm-kitty", "xterm-ghostty",
    ]
    if name.hasSuffix("-direct") || isOf(families) { return true }
    // GNU screen mistakes such a color for other attributes, and passes on the variable of the outer terminal.
    if name.hasPrefix("screen"), environment["STY"] != nil, environment["TMUX"] == nil { return false }
    let claim = environment["COLORTERM"]?.lowercased() ?? ""
    return claim == "truecolor" || claim == "24bit"
  }

  /// True if the reply to a query for 24-bit colors can be trusted: through a multiplexer, it may come from the outer
  /// terminal.
  var answersForColors: Bool { knowsPrivateModes && !isOf(["screen", "tmux"]) }

  /// The terminfo entries that fit the terminal, the best one first: its own, and if the database lacks it, that of its
  /// family.
  var entryNames: [String] {
    var names = [name]
    if isOf(["tmux"]) {
      names += ["tmux-256color", "tmux", "screen-256color", "screen"]
    } else if isOf(["screen"]) {
      names += ["screen-256color", "screen"]
    } else if name.hasPrefix("rxvt") {
      names += ["rxvt-unicode-256color", "rxvt"]
    } else if knowsPrivateModes {
      names += ["xterm-256color", "xterm"]
    } else if isOf(["linux"]) {
      names += ["linux"]
    } else if name.wholeMatch(of: /vt[1-9]\d\d.*/) != nil {
      names += ["vt102", "vt100"]
    }
    return names.uniqued
  }

  /// The sentence about the use of another entry.
  func note(using entry: String) -> String {
    "TERM=\(name) is not in the terminfo database, so \(entry) is used"
  }

  /// True if `NO_COLOR` is set to any text.
  private var wantsNoColor: Bool { !(environment["NO_COLOR"] ?? "").isEmpty }

  /// The capabilities that the terminal is trusted with.
  ///
  /// - Parameters:
  ///   - colors: Number of colors according to terminfo; less than 8 counts as none.
  ///   - isDirect: True if ncurses sends 24-bit colors.
  package func capabilities(colors: Int, isDirect: Bool) -> Capabilities {
    let indexed: ColorDepth = colors < 8 ? .none : colors < 256 ? .indexed16 : .indexed256
    let shown = isDirect && (claimsTrueColor || colors > 256) ? .trueColor : indexed
    return Capabilities(
      depth: wantsNoColor ? .none : shown, glyphs: glyphs, repertoire: isUTF8 ? .unicode : .ascii,
      deepest: isDirect ? .trueColor : indexed, hasPrivateModes: knowsPrivateModes)
  }

  /// The Linux console has 512 glyphs without braille; old terminals have no braille either.
  private var glyphs: GlyphTier {
    guard isUTF8 else { return .ascii }
    if name == "linux" || name.hasPrefix("linux-") { return .blocks }
    let old = ["vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "ansi", "cons25", "sun"]
    return old.contains(name) ? .ascii : .braille
  }

  /// True if xterm's private modes (mouse, paste, synchronized output) may be sent.
  package var knowsPrivateModes: Bool {
    let families = [
      "xterm", "screen", "tmux", "rxvt", "konsole", "gnome", "vte", "kitty", "alacritty", "foot", "wezterm",
      "ghostty", "iterm", "iterm2", "st", "contour", "mintty", "putty", "mlterm", "nsterm", "Apple_Terminal",
      "ms-terminal", "hterm", "rio", "warp", "wayst", "zutty", "havoc", "terminology", "vscode", "zellij",
    ]
    return isOf(families) || name.hasPrefix("rxvt") || looksLikeXterm
  }

  /// True if a terminal of an unknown family can be expected to do what xterm does.
  private var looksLikeXterm: Bool {
    // So they name themselves.
    if ["-256color", "-direct", "-truecolor"].contains(where: { name.hasSuffix($0) }) {
      return !isOf(["linux"])
    }
    let others = [
      "linux", "vt", "ansi", "cons", "sun", "cygwin", "eterm", "wyse", "hurd", "mach", "pcansi", "wsvt",
    ]
    // Variables that they set.
    let variables = ["COLORTERM", "TERM_PROGRAM", "VTE_VERSION", "KONSOLE_VERSION", "WT_SESSION"]
    return variables.contains { !(environment[$0] ?? "").isEmpty }
      && !others.contains { name.hasPrefix($0) }
  }

  private func isOf(_ families: [String]) -> Bool {
    families.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
  }
}

extension [String] {
  /// The names in their order, each once.
  fileprivate var uniqued: [String] {
    enumerated().filter { !self[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
